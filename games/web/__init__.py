"""The pages: landing, lobby, new match, table. They ask the same services as the API."""
