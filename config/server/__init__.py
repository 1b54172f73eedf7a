"""HTTP as it comes in: the protocol, bodies, streams, and how uvicorn calls Django."""
