// play_all of cardroom.js: node griefing.mjs URL KEY. The strategy fails at target_score 77.
import { Cardroom } from "./cardroom.js";

const [url, key] = process.argv.slice(2);
const choose = (match) => {
  if (match.options.target_score === 77) throw new TypeError("what is this?");
  if (match.options.target_score === 78) return "no card at all";
  return match.legal_moves[0].move;
};
await new Cardroom(url, key).play_all(choose, ["pisti"]);
