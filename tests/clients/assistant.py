"""A scripted assistant at the MCP server of ``examples/mcp``, by the client of the official SDK:

    python assistant.py URL KEY cardroom_mcp.py

plays a deal of Pişti over standard input and output, asks what happened and for an explanation of
it, and prints what it got as JSON.
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters


async def main(url, key, server):
    environment = {"CARDROOM_URL": url, "CARDROOM_KEY": key}
    command = StdioServerParameters(command=sys.executable, args=[server], env=environment)
    async with Client(command) as client:

        async def call(tool, **arguments):
            answer = await client.call_tool(tool, arguments)
            if answer.is_error:
                raise RuntimeError(answer.content[0].text)
            return answer.structured_content.get("result", answer.structured_content)

        async def read(address):
            return json.loads((await client.read_resource(address)).contents[0].text)

        tools = [tool.name for tool in (await client.list_tools()).tools]
        games = [game["slug"] for game in await read("cardroom://games")]
        match = await call("new_match", game="pisti", computer="greedy", preset="single")
        wrong = {"match_id": match["id"], "move": "XX", "version": 0}
        refused = (await client.call_tool("play_move", wrong)).content[0].text
        here = f"cardroom://matches/{match['id']}"
        while match["status"] == "active":
            if match["legal_moves"]:
                move, *_ = await call("list_moves", match_id=match["id"])
                known = {"match_id": match["id"], "version": match["version"]}
                match = await call("play_move", move=move, **known)
            else:
                await asyncio.sleep(0.02)
                match = await read(here)
        last = match["version"] - 1
        events = await call("what_happened", match_id=match["id"], after=last)
        record = await read(f"{here}/record")
        analysis = await call("analyse", match_id=match["id"])
        while analysis["status"] == "running":
            await asyncio.sleep(0.1)
            analysis = await call("analyse", match_id=match["id"])
    print(json.dumps({name: value for name, value in locals().items() if name in SHOWN}))


SHOWN = ("tools", "games", "refused", "match", "events", "record", "analysis")

if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
