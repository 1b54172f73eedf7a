"""The address of Valkey in the two forms that its clients read."""


def redis_url(url: str) -> str:
    """The address as redis-py reads it, which does not know Valkey's own schemes."""
    scheme, separator, rest = url.partition("://")
    known = {"valkey": "redis", "valkeys": "rediss"}
    return known.get(scheme, scheme) + separator + rest


def broker_url(url: str) -> str:
    """The same server as Celery's transport reads it; ``url`` comes from ``redis_url``."""
    scheme, _, rest = url.partition("://")
    if scheme != "unix":
        return url
    path, _, query = rest.partition("?")
    number = dict(pair.split("=", 1) for pair in query.split("&") if pair).get("db", "0")
    return f"redis+socket://{path}?virtual_host={number}"
