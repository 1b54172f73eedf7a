"""The processes that serve: web and worker, and how uvicorn meets Django."""
