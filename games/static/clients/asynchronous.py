"""Differences of the client for asyncio from ``cardroom.py``.

`make packages` makes ``AsyncCardroom`` of both: every method of ``Cardroom``, to be awaited.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Self, Union

import httpx

from .cardroom import Body, Json, StrategyFailed, _problem, _request

Choice = Callable[[Json], Union[str, Awaitable[str]]]  # a function or a coroutine function
LOST = (OSError, httpx.TransportError, ValueError)  # a connection that broke off


class Connection:
    """A service at ``url``, called with ``key``; without one only open calls are answered."""

    def __init__(
        self, url: str, key: str | None = None, timeout: float = 30.0, tries: int = 6
    ) -> None:
        self.url, self.key, self.timeout, self.tries = url.rstrip("/"), key, timeout, tries
        self._pauses: dict[str, float] = {}  # of streams that are lost, by path
        limits = httpx.Limits(max_connections=None)  # each stream keeps one
        self._http = httpx.AsyncClient(limits=limits, follow_redirects=True)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    @contextlib.asynccontextmanager
    async def _open(
        self,
        method: str,
        path: str,
        body: Body | None,
        query: Body | None,
        headers: Json | None,
        timeout: float,
    ) -> AsyncIterator[httpx.Response]:
        address, content, sent = _request(self.url, self.key, path, body, query, headers)
        async with self._http.stream(
            method, address, content=content, headers=sent, timeout=timeout
        ) as answer:
            if answer.is_error:
                wait = answer.headers.get("Retry-After", "")
                raise _problem(await answer.aread(), answer.status_code, wait)
            yield answer


async def _lines(answer: httpx.Response) -> AsyncIterator[bytes]:
    """Those that a line feed ends; a text of JSON may hold the other ends of lines."""
    rest = b""
    async for part in answer.aiter_bytes():
        *lines, rest = (rest + part).split(b"\n")
        for line in lines:
            yield line
    if rest:
        yield rest


async def _chosen(choose: Choice, match: Json) -> str:
    found = choose(match)
    return await found if inspect.isawaitable(found) else found


def _guarded(choose: Choice) -> Choice:
    async def guarded(match: Json) -> str:
        try:
            return await _chosen(choose, match)
        except Exception as error:
            raise StrategyFailed(str(error)) from error

    return guarded


class _Thinking:
    """Answers of ``play_all``: those of each match in turn, of so many matches at a time."""

    def __init__(self, together: int) -> None:
        self._places = asyncio.Semaphore(together)
        self._matches: dict[Any, asyncio.Task[None]] = {}

    def __enter__(self) -> _Thinking:
        return self

    def __exit__(self, *_: object) -> None:
        for task in self._matches.values():
            task.cancel()

    async def of(self, match_id: Any, answer: Callable[..., Awaitable[bool]], *what: Any) -> bool:
        """Raises what an answer before has raised: it concerns every match."""
        for known, task in list(self._matches.items()):
            if task.done():
                task.result()
                del self._matches[known]
        before = self._matches.get(match_id)
        self._matches[match_id] = asyncio.create_task(self._until_answered(before, answer, *what))
        return True

    async def _until_answered(
        self,
        before: asyncio.Task[None] | None,
        answer: Callable[..., Awaitable[bool]],
        *what: Any,
    ) -> None:
        if before is not None:
            await before
        while True:
            async with self._places:
                if await answer(*what):
                    return
            await asyncio.sleep(1.0)
