"""The OpenAPI document: its pages, examples, links and the words of the games."""
