"""What every game is held to, as code that needs no test runner."""
