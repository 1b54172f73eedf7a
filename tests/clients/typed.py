"""A match by each client of the package, as its user writes it: ``typed.py URL``."""

import asyncio
import sys

from cardroom_client import AsyncCardroom, Cardroom, Problem, types

OPTIONS = {"target_score": 1}


def careful(match: types.Match) -> str:
    """Plays jacks last."""
    assert match["game"] == "pisti"
    assert match["view"] is not None
    assert {card[0] for card in match["view"]["hand"]} >= {
        m["move"][0] for m in match["legal_moves"]
    }
    return min((legal["move"] for legal in match["legal_moves"]), key=lambda move: move[0] == "J")


async def slowly(match: types.Match) -> str:
    await asyncio.sleep(0)
    return careful(match)


def one_after_the_other(url: str) -> None:
    room = Cardroom.guest(url)
    match = room.create_match("pisti", ["me", "bot greedy"], OPTIONS, visibility="private")
    over = room.play(match["id"], careful)
    heard = list(room.stream(match["id"], after=-1))
    assert heard[-1]["type"] == "end"
    try:
        room.move(match["id"], "7H", over["version"])
    except Problem as problem:
        print(problem.code, problem.members["detail"])
    told = room.events(match["id"])
    assert told["game"] == "pisti"
    played = [event["card"] for event in told["events"] if event["type"] == "card_played"]
    print(over["status"], len(played), [each["game"] for each in room.matches(mine=True)])


async def at_once(url: str) -> None:
    async with await AsyncCardroom.guest(url) as room:
        seats = ["me", "bot greedy"]
        opened = [await room.create_match("pisti", seats, OPTIONS) for _ in range(3)]
        ended = await asyncio.gather(*(room.play(match["id"], slowly) for match in opened))
        print(*(match["status"] for match in ended))
        assert len([each["id"] async for each in room.matches(mine=True)]) == len(ended)
        async for message in room.stream(ended[0]["id"]):
            if message["type"] == "end":
                print(message["match"]["outcome"])


async def a_bot(url: str) -> None:
    """It hears of an invitation, takes the seat and plays; the host plays, too."""
    async with await AsyncCardroom.guest(url) as bot, await AsyncCardroom.guest(url) as host:
        playing = asyncio.create_task(bot.play_all(careful, ["pisti"]))
        name = (await bot.me())["username"]
        match = await host.create_match("pisti", ["me", f"user {name}"], OPTIONS)
        print((await host.play(match["id"], careful))["status"])
        playing.cancel()


one_after_the_other(sys.argv[1])
asyncio.run(at_once(sys.argv[1]))
asyncio.run(a_bot(sys.argv[1]))
