"""Firefox as the driver of the browser tests expects it: run in its place, with its arguments.

The driver speaks WebDriver BiDi with a Firefox that nobody has patched. The long-term release of
Debian does not know every command that it sends; what it does not know of these is no fault here.
This program starts Firefox, and passes on what both say.
"""

import asyncio
import json
import os
import re
import signal
import sys
from typing import Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve

REAL: Final = "CARDROOM_FIREFOX"  # the variable that names the browser
LISTENS: Final = re.compile(r"(WebDriver BiDi listening on )(ws://\S+)")
OPTIONAL: Final = {"emulation.setMediaFeaturesOverride"}


class Relay:
    def __init__(self, browser: str) -> None:
        self._browser = browser
        self._optional: set[int] = set()

    async def serve(self, driver: ServerConnection) -> None:
        path = driver.request.path if driver.request else "/session"
        async with connect(f"{self._browser}{path}", max_size=None) as browser:
            back = asyncio.create_task(self._answers(browser, driver))
            async for message in driver:
                asked = json.loads(message)
                if asked.get("method") in OPTIONAL:
                    self._optional.add(asked["id"])
                await browser.send(message)
            back.cancel()

    async def _answers(self, browser: ClientConnection, driver: ServerConnection) -> None:
        async for message in browser:
            await driver.send(self._forgiven(message))
        await driver.close()

    def _forgiven(self, message: str | bytes) -> str | bytes:
        said = json.loads(message)
        if said.get("id") not in self._optional or said.get("error") != "unknown command":
            return message
        return json.dumps({"type": "success", "id": said["id"], "result": {}})


async def main() -> int:
    browser = await asyncio.create_subprocess_exec(
        os.environ[REAL], *sys.argv[1:], stderr=asyncio.subprocess.PIPE
    )
    for sent in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sent, browser.terminate)
    assert browser.stderr is not None
    async for line in browser.stderr:
        text = line.decode(errors="replace")
        if found := LISTENS.search(text):
            relay = await serve(Relay(found[2]).serve, "127.0.0.1", 0, max_size=None)
            port = relay.sockets[0].getsockname()[1]
            text = f"{found[1]}ws://127.0.0.1:{port}\n"
        sys.stderr.write(text)
        sys.stderr.flush()
    return await browser.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
