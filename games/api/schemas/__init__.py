"""The JSON of the API as structs: request bodies, queries and answers."""
