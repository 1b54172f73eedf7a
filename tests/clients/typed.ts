// Ordinary calls with the types of @cardroom/client: `make clients` compiles them with --strict.
import { Cardroom, Problem, type types } from "@cardroom/client";

const room: Cardroom = await Cardroom.guest("http://127.0.0.1:8000");
const made: types.Match = await room.create_match("pisti", ["me", "bot greedy"], { target_score: 1 }, { visibility: "private" });
const over = await room.play(made.id, (match) => {
  if (match.game === "pisti") console.log(match.view?.hand.length, match.options.target_score);
  // @ts-expect-error no game has such a field
  console.log(match.trumps);
  return match.legal_moves[0]!.move;
});
for await (const message of room.stream(over.id, { after: -1 }))
  if (message.type === "match") for (const event of message.events) console.log(event.version, event.type);
for await (const each of room.matches({ mine: true })) console.log(each.game);
const decks: types.SideCard[] = await room.side_cards("kotor1");
// @ts-expect-error there is no such visibility
await room.create_match("pisti", ["me"], null, { visibility: "secret" });
try {
  await room.move(over.id, "7H", over.version, { key: "one" });
} catch (error) {
  if (error instanceof Problem && error.code === "match_not_active") console.log(error.members.detail, decks.length);
}
