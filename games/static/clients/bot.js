import { Cardroom } from "./cardroom.js";

const room = await Cardroom.guest("http://127.0.0.1:8000"); // or new Cardroom(url, key)

/** Plays jacks last; every legal move is in the match. */
function careful(match) {
  const moves = match.legal_moves.map((legal) => legal.move);
  return moves.find((move) => move[0] !== "J") ?? moves[0];
}

const opened = await room.create_match("pisti", ["me", "bot greedy"], { target_score: 1 });
const over = await room.play(opened.id, careful); // follows the stream and plays every turn
console.log(over.outcome);
