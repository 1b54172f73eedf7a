"""The catalogues of messages: what the sources say, what is translated, what is left."""
