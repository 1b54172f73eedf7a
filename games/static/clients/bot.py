from cardroom import Cardroom, Problem

room = Cardroom.guest("http://127.0.0.1:8000")  # or Cardroom(url, key)


def careful(match):
    """Plays jacks last; every legal move is in the match."""
    moves = [legal["move"] for legal in match["legal_moves"]]
    return min(moves, key=lambda move: move[0] == "J")


match = room.create_match("pisti", ["me", "bot greedy"], {"target_score": 1})
for message in room.stream(match["id"]):
    for event in message["events"]:
        print(event["version"], event["type"], event.get("cards") or event.get("card") or "")
    match = message["match"] or match
    while match["legal_moves"]:
        try:
            match = room.move(match["id"], careful(match), match["version"])
        except Problem as problem:
            if problem.code not in ("stale_version", "not_your_turn", "match_not_active"):
                raise
            break  # the stream is behind; its next message says how the match stands
print(match["outcome"])
