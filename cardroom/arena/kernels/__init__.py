"""Whether compiled matches and searches equal the rules: variants of options, checks."""
