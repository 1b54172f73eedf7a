"""The processes that serve: web and worker, and how uvicorn calls Django."""
