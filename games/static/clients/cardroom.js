// A client of Cardroom in one file, for browsers and Node 18 or newer. No dependency.
//
//   import { Cardroom } from "http://127.0.0.1:8000/clients/cardroom.js";
//
//   const room = await Cardroom.guest("http://127.0.0.1:8000");
//   const match = await room.create_match("pisti", ["me", "bot greedy"], { target_score: 51 });
//   console.log(await room.play(match.id, (match) => match.legal_moves[0].move));
//
// Every operation of the API (/api/v1/docs) is a method of the same name. A move, and what makes
// something, is sent with a key of its own: sent again after a lost connection, it is played or made
// once. A refusal throws Problem; its code is stable.

export const VERSION = "1.4.0";
const API = "/api/v1";
const INVITING = ["invited", "rematch", "challenge"];
const MOVED_ON = ["stale_version", "not_your_turn", "match_not_active"];
const REFUSED = ["illegal_move", "malformed_move", "malformed"];
const NAMED = { bot: "bot", user: "username", local: "name", me: "deck" };
const SILENCE = 45_000; // milliseconds; a stream says something every 15 s

const FIRST_PAUSE = 500; // until a lost stream is opened again
const LONGEST_PAUSE = 30_000;
const OVER = ["finished", "aborted"];

/** Of no secret: `crypto` is not everywhere that this runs. */
const freshKey = () =>
  Array.from({ length: 4 }, () => Math.random().toString(36).slice(2, 10)).join("");
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The service said no. `members` is the whole problem document (RFC 9457). */
export class Problem extends Error {
  constructor(members, status, retryAfter = null) {
    super(members.detail ?? `HTTP status ${status}`);
    Object.assign(this, { name: "Problem", code: members.code ?? "", members, status, retryAfter });
  }
}

/** A service at `url`, called with `key`; without one only open calls are answered. */
export class Cardroom {
  constructor(url, key = null, { tries = 6, timeout = 30_000 } = {}) {
    Object.assign(this, { url: url.replace(/\/+$/, ""), key, tries, timeout, pauses: new Map() });
  }

  /** With a new account. Keep `key`: it is the only way into the account. */
  static async guest(url) {
    const room = new Cardroom(url);
    room.key = (await room.create_guest()).token;
    return room;
  }

  // --- accounts

  create_guest() { return this.#post("/accounts/guest", {}); }
  register(username, password, email = "") {
    return this.#post("/accounts/register", { username, password, email });
  }
  create_key(username, password, more = {}) {
    return this.#post("/accounts/token", { username, password, ...more });
  }
  keys() { return this.#pages("/accounts/tokens"); }
  revoke_key(id) { return this.#call("DELETE", `/accounts/tokens/${id}`); }
  me() { return this.#get("/accounts/me"); }
  change_me(changes) { return this.#call("PATCH", "/accounts/me", changes); }
  /** All that is kept of the caller. */
  my_data() { return this.#get("/accounts/me/data"); }
  /** Deletes the account for good; a guest has no password. */
  delete_me(username, password = "") {
    return this.#post("/accounts/me/delete", { username, password });
  }
  /** Notices of the operators to the caller. */
  my_notices() { return this.#get("/accounts/me/notices"); }
  read_notice(id) { return this.#post(`/accounts/me/notices/${id}/read`, {}); }
  blocks() { return this.#pages("/accounts/me/blocks"); }
  block(username) {
    return this.#call("PUT", `/accounts/me/blocks/${encodeURIComponent(username)}`);
  }
  unblock(username) {
    return this.#call("DELETE", `/accounts/me/blocks/${encodeURIComponent(username)}`);
  }
  /** Friends, and requests of both directions: `state`, `online`. */
  friends() { return this.#pages("/accounts/me/friends"); }
  /** Asks an account, or accepts that it has asked. */
  befriend(username) {
    return this.#call("PUT", `/accounts/me/friends/${encodeURIComponent(username)}`);
  }
  /** Ends a friendship, declines or withdraws a request. */
  unfriend(username) {
    return this.#call("DELETE", `/accounts/me/friends/${encodeURIComponent(username)}`);
  }
  /** Bot accounts: `game`, `online` (there, with room for another match). */
  async bots(query = {}) { return (await this.#get("/bots", query)).results; }
  /** Asks `owner` to answer for this account's program; there is no way back. */
  become_bot(owner, more = {}) { return this.#make("/accounts/me/bot", { owner, ...more }); }
  /** The requested bot account, and whether the owner has confirmed: `status`. */
  my_bot() { return this.#get("/accounts/me/bot"); }
  change_bot(changes) { return this.#call("PATCH", "/accounts/me/bot", changes); }
  /** Those that the caller owns, or is asked to. */
  async my_bots() { return (await this.#get("/accounts/me/bots")).results; }
  /** The caller answers for the program of this account. */
  confirm_bot(username) {
    return this.#call("PUT", `/accounts/me/bots/${encodeURIComponent(username)}`);
  }
  refuse_bot(username) {
    return this.#call("DELETE", `/accounts/me/bots/${encodeURIComponent(username)}`);
  }
  privacy() { return this.#get("/accounts/me/privacy"); }
  /** `hides_profile`, `hides_presence`, `hides_titles`. */
  change_privacy(changes) { return this.#call("PATCH", "/accounts/me/privacy", changes); }
  notification_choices() { return this.#get("/accounts/me/notifications"); }
  /** `mail`, `daily`, `push`: kinds of news; `quiet_from` and so on. */
  change_notifications(changes) {
    return this.#call("PATCH", "/accounts/me/notifications", changes);
  }
  /** Your quiet hours and holidays, for matches with days for a move. */
  hours() { return this.#get("/accounts/me/hours"); }
  /** `time_zone`, `quiet_from`, `quiet_until`, `clocks_rest`. */
  change_hours(changes) { return this.#call("PATCH", "/accounts/me/hours", changes); }
  /** Days as "2026-12-24"; both belong to it. */
  announce_holiday(first_day, last_day) {
    return this.#make("/accounts/me/holidays", { first_day, last_day });
  }
  end_holiday(id) { return this.#call("DELETE", `/accounts/me/holidays/${id}`); }
  /** The times at which the clocks of the people at a table stand still. */
  match_hours(id) { return this.#get(`/matches/${id}/hours`); }
  /** The key to subscribe with, and the browsers that show messages. */
  browsers() { return this.#get("/accounts/me/push"); }
  /** `endpoint`, `p256dh`, `auth`, `browser`. */
  add_browser(subscription) { return this.#make("/accounts/me/push", subscription); }
  remove_browser(id) { return this.#call("DELETE", `/accounts/me/push/${id}`); }
  webhooks() { return this.#get("/accounts/me/webhooks"); }
  /** `secret` is shown now and never again. */
  create_webhook(url, kinds, name = "", match = undefined) {
    return this.#make("/accounts/me/webhooks", { url, kinds, name, match }); // left out without one
  }
  /** `url`, `kinds`, `name`, `enabled`. */
  change_webhook(id, changes) {
    return this.#call("PATCH", `/accounts/me/webhooks/${id}`, changes);
  }
  delete_webhook(id) { return this.#call("DELETE", `/accounts/me/webhooks/${id}`); }
  /** A new `secret`; for a day calls are signed with both. */
  rotate_webhook(id) { return this.#post(`/accounts/me/webhooks/${id}/secret`, {}); }
  /** The deliveries to a webhook, newest first, with each try. */
  webhook_deliveries(id) { return this.#pages(`/accounts/me/webhooks/${id}/deliveries`); }
  /** A test call, of the type `ping`. */
  ping_webhook(id) { return this.#make(`/accounts/me/webhooks/${id}/ping`, {}); }
  /** Programs of the caller's that other people use with their own accounts. */
  async registered_programs() { return (await this.#get("/accounts/me/programs")).results; }
  /** `secret` is shown now and never again; one of the kind `public` has none. */
  register_program(name, redirect_uris, kind = "public") {
    return this.#make("/accounts/me/programs", { name, redirect_uris, kind });
  }
  /** `name`, `redirect_uris`; everybody stays connected. */
  change_program(id, changes) { return this.#call("PATCH", `/accounts/me/programs/${id}`, changes); }
  delete_program(id) { return this.#call("DELETE", `/accounts/me/programs/${id}`); }
  /** A new `secret`; for a day the former one holds as well. */
  rotate_program_secret(id) { return this.#make(`/accounts/me/programs/${id}/secret`, {}); }
  resend_delivery(id, delivery) {
    return this.#post(`/accounts/me/webhooks/${id}/deliveries/${delivery}/resend`, {});
  }
  /** The profile of a person. */
  user(username) { return this.#get(`/users/${encodeURIComponent(username)}`); }
  /** The matches of a person that everybody may see. */
  user_matches(username, query = {}) {
    return this.#pages(`/users/${encodeURIComponent(username)}/matches`, query);
  }

  /** The best of a game, with `pace`, `sides`, `opponents` and `friends` in the query. */
  leaderboard(game, query = {}) {
    return this.#pages(`/leaderboards/${encodeURIComponent(game)}`, query);
  }

  /** The computers of a game from the weakest to the strongest, and your results against each. */
  ladder(game) {
    return this.#get(`/ladders/${encodeURIComponent(game)}`);
  }

  /** The running week of each league, with your place. */
  leagues() { return this.#get("/leagues"); }
  /** The standings of a division, with `week`, `tier` and `division` in the query, or of yours. */
  league(game, query = {}) {
    return this.#get(`/leagues/${encodeURIComponent(game)}`, query);
  }
  join_league(game) { return this.#post(`/leagues/${encodeURIComponent(game)}/join`, {}); }
  /** From the next week on. */
  leave_league(game) { return this.#post(`/leagues/${encodeURIComponent(game)}/leave`, {}); }

  // --- games and matches

  /** Every resource of the API. */
  index() { return this.#get(""); }
  games() { return this.#get("/games"); }
  matches(query = {}) { return this.#pages("/matches", query); }
  /** Seats: "me", "open", "bot greedy", "user ada", "local Twin", or the objects of the API. */
  create_match(game, seats, options = null, more = {}) {
    const chosen = options ? { options } : {};
    return this.#make("/matches", { game, seats: seats.map(seatOf), ...chosen, ...more });
  }
  match(id, seat = null) { return this.#get(`/matches/${id}`, { seat }); }
  /** The match right after the move. The same `key` again gives the first answer again. */
  move(id, move, version, { seat = null, key = freshKey() } = {}) {
    const body = { move, version, ...(seat === null ? {} : { seat }) };
    return this.#make(`/matches/${id}/moves`, body, key);
  }
  /** The rest of your plan in a slow match, or why it was `dropped`. */
  plan(id, seat = null) { return this.#get(`/matches/${id}/plans`, { seat }); }
  /** Plans moves ahead: `[[{move: "7H", play: "JD"}, {play: "5C"}]]`, a step for each turn. */
  put_plan(id, steps, seat = null) {
    return this.#call("PUT", `/matches/${id}/plans`, { steps, seat });
  }
  withdraw_plan(id, seat = null) { return this.#call("DELETE", `/matches/${id}/plans`, null, { seat }); }
  /** The deals of today and the seals of tomorrow. */
  daily() { return this.#get("/daily"); }
  /** A deal of the day, with its results once it is revealed. */
  daily_deal(day, game) { return this.#get(`/daily/${day}/${game}`); }
  /** Your one match of today's deal, or a revealed one once more: `practise` is its day. */
  play_daily(game, practise = null) { return this.#make(`/daily/${game}`, { practise }); }
  /** The themes of exercises of each game; with a key how far you are. */
  exercises() { return this.#get("/exercises"); }
  /** The same until you answer it; `game`, `theme`, `mistakes: true`: your own, if due. */
  next_exercise(query = {}) { return this.#get("/exercises/next", query); }
  daily_exercises() { return this.#get("/exercises/daily"); }
  /** A position as its seat saw it; `answer` is null until you have answered. */
  exercise(id) { return this.#get(`/exercises/${id}`); }
  /** Your first answer counts, later ones are practice; what each move is worth. */
  attempt_exercise(id, move) { return this.#post(`/exercises/${id}/attempts`, { move }); }
  /** Waits for anybody: `pace`, `preset`, `rated`, `seats`, `computers_after`. */
  create_seek(game, more = {}, key = freshKey()) {
    return this.#make("/seeks", { game, ...more }, key);
  }
  /** `results`: the caller's own; `queues`: how many wait for what. */
  seeks() { return this.#get("/seeks"); }
  seek(id) { return this.#get(`/seeks/${id}`); }
  /** Stops waiting. */
  delete_seek(id) { return this.#call("DELETE", `/seeks/${id}`); }
  /** Asks `username` (or `bot`) for a match: `pace`, `clock`, `rated`, `seat`, `expires_in`, … */
  create_challenge(game, more = {}, key = freshKey()) {
    return this.#make("/challenges", { game, ...more }, key);
  }
  /** `received` and `sent`. */
  challenges() { return this.#get("/challenges"); }
  /** Its terms, and what became of it: `status`. */
  challenge(id) { return this.#get(`/challenges/${id}`); }
  /** The match of the same id begins. */
  accept_challenge(id, deck = null) {
    return this.#post(`/challenges/${id}/accept`, deck ? { deck } : {});
  }
  /** For the `reason` "game", "time", "busy" or "generic". */
  decline_challenge(id, reason = "generic") {
    return this.#post(`/challenges/${id}/decline`, { reason });
  }
  withdraw_challenge(id) { return this.#call("DELETE", `/challenges/${id}`); }
  /** A tournament on fixed terms: `form`, `preset`, `pace`, `rounds`, `most`, `fill_to`, `mirrored`, … */
  create_tournament(name, game, more = {}, key = freshKey()) {
    return this.#make("/tournaments", { name, game, ...more }, key);
  }
  tournaments(query = {}) { return this.#pages("/tournaments", query); }
  /** How far it is; `your_match` is the one to play now. */
  tournament(id) { return this.#get(`/tournaments/${id}`); }
  join_tournament(id) { return this.#post(`/tournaments/${id}/join`, {}); }
  withdraw_from_tournament(id) { return this.#post(`/tournaments/${id}/withdraw`, {}); }
  /** By its host: `name`, and until it begins `starts_at`, `most`, `rounds` … */
  change_tournament(id, changes) { return this.#call("PATCH", `/tournaments/${id}`, changes); }
  invite_to_tournament(id, username) { return this.#post(`/tournaments/${id}/invite`, { username }); }
  /** `{ username }`, or the starting `{ number }`. */
  remove_from_tournament(id, player) { return this.#post(`/tournaments/${id}/remove`, player); }
  begin_tournament(id) { return this.#post(`/tournaments/${id}/begin`, {}); }
  pause_tournament(id) { return this.#post(`/tournaments/${id}/pause`, {}); }
  resume_tournament(id) { return this.#post(`/tournaments/${id}/resume`, {}); }
  /** Before it begins. */
  call_off_tournament(id) { return this.#post(`/tournaments/${id}/call-off`, {}); }
  /** Players, standings and boards. */
  tournament_results(id) { return this.#get(`/tournaments/${id}/results`); }
  /** The standings as CSV. */
  async tournament_table(id) {
    return (await this.#retried("GET", `/tournaments/${id}/results.csv`)).text();
  }
  /** Waits until somebody is found; the match with them. Throws if nobody is. */
  async find_match(game, more = {}) {
    let found = await this.create_seek(game, more);
    while (found.status === "waiting") {
      await pause(1000);
      found = await this.seek(found.id);
    }
    if (found.status === "ended") throw new Error(found.ending);
    return this.match(found.match);
  }
  join(id, { seat = null, deck = null } = {}) {
    return this.#post(`/matches/${id}/join`, { seat, deck });
  }
  /** Also declines: for the `reason` "game", "time", "busy" or "generic". */
  leave(id, reason = null) {
    return this.#post(`/matches/${id}/leave`, reason ? { reason } : {});
  }
  /** Gives a free seat to `{username: "ada"}`, `{open: true}` (anybody) or `{bot: "greedy"}`. */
  invite(id, seat, to) { return this.#post(`/matches/${id}/invite`, { seat, ...to }); }
  resign(id, seat = null) { return this.#post(`/matches/${id}/resign`, { seat }); }
  /** Takes a seat back that a computer plays since its time was up. */
  reclaim(id, seat = null) { return this.#post(`/matches/${id}/reclaim`, { seat }); }
  /** Gives the player who is to move more time. */
  give_time(id, more = {}) { return this.#post(`/matches/${id}/time`, more); }
  /** Asks the others to deal a round again; `which`: `{round}`, by default that of the last move. */
  take_back(id, version, which = {}) {
    return this.#post(`/matches/${id}/take-back`, { version, ...which });
  }
  /** `version` is that of `take_back` in the match. */
  answer_take_back(id, version, accept) {
    return this.#post(`/matches/${id}/take-back/answer`, { version, accept });
  }
  withdraw_take_back(id, version) {
    return this.#post(`/matches/${id}/take-back/withdraw`, { version });
  }
  /** Somebody has kept the caller waiting for three days without a clock, and loses. */
  claim(id) { return this.#post(`/matches/${id}/claim`, {}); }
  /** The same, but nobody wins. */
  call_off(id) { return this.#post(`/matches/${id}/call-off`, {}); }
  abort(id) { return this.#post(`/matches/${id}/abort`, {}); }
  /** The first player to ask opens it; players who ask later join it. */
  rematch(id) { return this.#make(`/matches/${id}/rematch`, {}); }
  /** Rematch: who `wants` it, is `awaited`, `declined`; the score of the `series`. */
  rematch_standing(id) { return this.#get(`/matches/${id}/rematch`); }
  /** Says no, or takes back that one asked. */
  decline_rematch(id) { return this.#call("DELETE", `/matches/${id}/rematch`); }
  /** `cards`: "same" or "reshuffled"; `point`: `{round}` or `{version}`. */
  load(id, cards, point) { return this.#make(`/matches/${id}/load`, { cards, ...point }); }
  events(id, after = -1, query = {}) { return this.#get(`/matches/${id}/events`, { after, ...query }); }
  saves(id) { return this.#get(`/matches/${id}/saves`); }
  analyse(id) { return this.#make(`/matches/${id}/analysis`, {}); }
  analysis(id) { return this.#get(`/matches/${id}/analysis`); }
  stop_analysis(id) { return this.#call("DELETE", `/matches/${id}/analysis`); }
  /** The place of a mirrored match in its set; `result` once all of it are over. */
  mirrored(id) { return this.#get(`/matches/${id}/mirrored`); }
  /** Hints may be asked for from now on; the match counts in no results. */
  switch_on_coach(id) { return this.#post(`/matches/${id}/coach`, {}); }
  ask_hint(id) { return this.#post(`/matches/${id}/hint`, {}); }
  shape(id) { return this.#get(`/matches/${id}/shape`); }
  notices(id) { return this.#get(`/matches/${id}/notices`); }
  block_player(id, seat) { return this.#post(`/matches/${id}/block`, { seat }); }

  /** `offered`, `said` in the last minute, `muted` seats, `muted_all`. */
  phrases(id) { return this.#get(`/matches/${id}/phrases`); }
  say_phrase(id, phrase) { return this.#make(`/matches/${id}/phrases`, { phrase }); }
  /** Reads no phrases of who sits there any more; without a seat of nobody. */
  mute_player(id, seat = null) { return this.#post(`/matches/${id}/mute`, { seat }); }
  unmute_player(id, seat = null) { return this.#post(`/matches/${id}/unmute`, { seat }); }
  /** Tells the operators of a seat, or of the match itself. */
  report(id, reason, seat = null, text = "") {
    return this.#post(`/matches/${id}/reports`, { reason, seat, text });
  }

  // --- playing

  /** Plays the caller's seats to the end of the match; the match as it ended. */
  async play(id, choose) {
    let version = -1, match = null;
    for await (const message of this.stream(id)) {
      match = message.match ?? match;
      // Equal: it has only now begun.
      if (match && match.version >= version) version = await this.#takeTurns(match, choose);
    }
    return match;
  }

  /**
   * Plays every turn and accepts challenges and invitations to `games` (without them to any), for
   * ever. Others are declined, and those beyond `most` matches at a time for being busy. A strategy
   * that fails in a match resigns it, which is logged with console.error, and the other matches go
   * on. With `together` it thinks about several matches at the same time.
   */
  async play_all(choose, games = null, { most = Infinity, together = false } = {}) {
    const tables = { games, most, running: new Set() };
    const turns = new Map(); // the answers of each match follow each other
    let failed = null;
    const answer = (news) => {
      if (!together) return this.#answer(news, choose, tables);
      const before = turns.get(news.match) ?? Promise.resolve();
      const until = async () => {
        while (!(await this.#answer(news, choose, tables))) await pause(1000);
      };
      turns.set(news.match, before.then(until).catch((error) => { failed ??= error; }));
      return true;
    };
    for (;;) {
      for await (const message of this.account_stream()) {
        if (failed) throw failed; // it concerns every match
        if (!(await this.#answers(message.waiting ?? [message], answer))) break;
      }
      await pause(1000); // the next stream sends again what waits
    }
  }

  async #answers(waiting, answer) {
    let asked = true;
    for (const news of waiting) asked = (await answer(news)) && asked;
    return asked;
  }

  /** `false` if the service could not be asked. */
  async #answer(news, choose, tables) {
    const strategy = { failed: null };
    const guarded = async (match) => {
      try {
        return await choose(match);
      } catch (error) {
        strategy.failed = { error };
        throw error;
      }
    };
    try {
      await this.#follow(news, guarded, tables);
      return true;
    } catch (error) {
      if (strategy.failed || REFUSED.includes(error.code)) return this.#giveUp(news.match, error);
      return this.#isSettled(news.match, error);
    }
  }

  async #follow(news, choose, { games, most, running }) {
    if (INVITING.includes(news.type)) {
      if (games && ![...games].includes(news.game)) await this.leave(news.match, "game");
      else if (running.size >= most) await this.leave(news.match, "busy");
      else {
        running.add(news.match);
        await this.#takeTurns(await this.join(news.match), choose);
      }
    } else if (OVER.includes(news.type)) running.delete(news.match);
    else if (news.type === "your_turn") running.add(news.match);
    if (news.type === "your_turn")
      await this.#takeTurns(await this.match(news.match), choose);
  }

  /** `false` where the same may be answered later; throws what concerns every match. */
  #isSettled(id, error) {
    if (error.status === 401 || error.code === "suspended") throw error;
    if (!(error instanceof Problem) || error.status === 429 || error.status >= 500) {
      console.warn(`match ${id}: ${error.message}; trying again`);
      return false;
    }
    // 404, 409: somebody was quicker, and more news follows.
    if (![404, 409].includes(error.status)) console.error(`match ${id}: ${error.message}`);
    return true;
  }

  /** Nobody waits for a strategy that does not know what to do. */
  async #giveUp(id, error) {
    console.error(`match ${id}: the strategy failed, the match is resigned`, error);
    await this.resign(id).catch(() => {});
    return true;
  }

  async #takeTurns(match, choose) {
    while (match.legal_moves.length) {
      try {
        match = await this.move(match.id, await choose(match), match.version);
      } catch (problem) {
        if (!MOVED_ON.includes(problem.code)) throw problem;
        match = problem.members.match ?? { ...match, legal_moves: [] };
      }
    }
    return match.version;
  }

  // --- streams

  /** The match and its events as they happen, over lost connections; ends with the match. */
  /** `phrases`: also what people say at the table, as messages of the type `said`. */
  async *stream(id, { after = null, seat = null, phrases = null } = {}) {
    const query = () => ({ after, seat, phrases });
    for (;;)
      for await (const message of this.#lines(`/matches/${id}/stream`, query)) {
        after = message.version ?? after;
        yield message;
        if (message.type === "end") return;
      }
  }

  /** The news of the caller's matches; the first, `hello`, says what waits. Never ends. */
  async *account_stream(after = null, matches = null) {
    for (;;)
      for await (const message of this.#lines("/stream", () => ({ after, matches }))) {
        after = message.id || after;
        yield message;
      }
  }

  async *#lines(path, query) {
    const leaving = new AbortController();
    let watch;
    const heard = () => {
      this.pauses.delete(path);
      clearTimeout(watch);
      watch = setTimeout(() => leaving.abort(), SILENCE);
    };
    try {
      watch = setTimeout(() => leaving.abort(), SILENCE);
      const headers = { Accept: "application/x-ndjson" };
      const answer = await this.#open("GET", path, undefined, query(), headers, leaving.signal);
      yield* jsonLines(answer.body, heard);
    } catch (error) {
      if (error instanceof Problem && ![429, 503].includes(error.status)) throw error;
    } finally {
      clearTimeout(watch);
      leaving.abort();
    }
    const wait = this.pauses.get(path) ?? FIRST_PAUSE; // grows until something is read again
    this.pauses.set(path, Math.min(2 * wait, LONGEST_PAUSE));
    await pause(wait * (0.5 + Math.random() / 2));
  }

  // --- records, decks, simulations

  record(id) { return this.#get(`/matches/${id}/record`); }
  /** Records of matches that are over: `mine`, `game`, `since`, `after`, `limit`. */
  export_matches(query = {}) { return this.#records("/exports/matches", query); }
  /** Of the caller's matches: `game`, `since`. `fetch_export` waits for the file. */
  create_export(query = {}) { return this.#make("/exports", query); }
  exports() { return this.#pages("/exports"); }
  export(id) { return this.#get(`/exports/${id}`); }
  delete_export(id) { return this.#call("DELETE", `/exports/${id}`); }
  /** The records of a finished export. */
  export_file(id) { return this.#records(`/exports/${id}/file`); }
  /** Asks for an export, waits until it is written, gives its records. */
  async *fetch_export(query = {}) {
    let found = await this.create_export(query);
    while (found.status === "writing") {
      await pause(1000);
      found = await this.export(found.id);
    }
    yield* this.export_file(found.id);
  }
  archives() { return this.#get("/archives"); }
  /** The records of a public archive. */
  archive_file(day) { return this.#records(`/archives/${day}.jsonl`); }
  async archive_checksum(day) {
    return (await this.#retried("GET", `/archives/${day}.jsonl.sha256`)).text();
  }
  verify_record(record) { return this.#post("/records/verify", record); }
  side_cards(catalogue = "full") { return this.#get("/decks/cards", { catalogue }); }
  decks() { return this.#pages("/decks"); }
  deck(id) { return this.#get(`/decks/${id}`); }
  create_deck(name, cards, more = {}) { return this.#make("/decks", { name, cards, ...more }); }
  replace_deck(id, name, cards) { return this.#call("PUT", `/decks/${id}`, { name, cards }); }
  change_deck(id, changes) { return this.#call("PATCH", `/decks/${id}`, changes); }
  delete_deck(id) { return this.#call("DELETE", `/decks/${id}`); }
  import_deck(source) { return this.#make("/decks/import", source); }
  /** Asks the deck doctor: `field` ("public", "house") or `rivals`, share codes; `seed`. */
  examine_deck(id, chosen = {}) { return this.#make(`/decks/${id}/doctor`, chosen); }
  /** How far the examination is, of the same `field`, or `rivals`, and `seed`. */
  examination(id, { rivals = [], ...query } = {}) {
    return this.#get(`/decks/${id}/doctor`, { ...query, rivals: rivals.join(",") || null });
  }
  simulations() { return this.#pages("/simulations"); }
  create_simulation(game, bots = [], more = {}) {
    return this.#make("/simulations", { game, bots, ...more });
  }
  simulation(id) { return this.#get(`/simulations/${id}`); }
  cancel_simulation(id) { return this.#post(`/simulations/${id}/cancel`, {}); }
  /** A PNG as a Blob; "length.png", "survival.png" or "wins.png". */
  async simulation_plot(id, name) {
    return (await this.#retried("GET", `/simulations/${id}/plots/${name}`)).blob();
  }

  // --- HTTP

  async *#records(path, query = {}) {
    const answer = await this.#open("GET", path, undefined, query, {}, null);
    yield* jsonLines(answer.body, () => {});
  }

  #get(path, query = {}) { return this.#call("GET", path, undefined, query); }
  #post(path, body) { return this.#call("POST", path, body); }
  /** With a key, the same each time that it is sent: what it makes is made once. */
  #make(path, body, key = freshKey()) {
    return this.#call("POST", path, body, {}, { "Idempotency-Key": key });
  }

  async *#pages(path, query = {}) {
    let page = await this.#get(path, query);
    for (;;) {
      yield* page.results;
      if (!page.next) return;
      page = await this.#get(`${path}?${page.next.split("?")[1]}`);
    }
  }

  async #call(method, path, body, query = {}, headers = {}) {
    const answer = await this.#retried(method, path, body, query, headers);
    const text = await answer.text();
    return text ? JSON.parse(text) : null;
  }

  /** Sent again when the service is busy, or away where sending twice does nothing twice. */
  async #retried(method, path, body, query = {}, headers = {}) {
    const safe = method !== "POST" || "Idempotency-Key" in headers;
    for (let left = this.tries - 1; ; left--) {
      try {
        const signal = AbortSignal.timeout(this.timeout);
        return await this.#open(method, path, body, query, headers, signal);
      } catch (error) {
        const busy = error.status === 429 || (safe && [503, undefined].includes(error.status));
        if (!busy || !left) throw error;
        await pause((error.retryAfter ?? 0.5) * 1000);
      }
    }
  }

  async #open(method, path, body, query, headers, signal) {
    const asked = Object.entries(query).filter(([, value]) => value !== null);
    const search = asked.length ? `?${new URLSearchParams(asked)}` : "";
    const sent = { ...headers };
    if (this.key) sent.Authorization = `Token ${this.key}`;
    if (body !== undefined) sent["Content-Type"] = "application/json";
    const answer = await fetch(this.url + API + path + search, {
      method,
      headers: sent,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "omit",
      signal,
    });
    if (answer.ok) return answer;
    const members = await answer.json().catch(() => ({}));
    const wait = answer.headers.get("Retry-After");
    throw new Problem(members, answer.status, wait === null ? null : Number(wait));
  }
}

function seatOf(seat) {
  if (typeof seat !== "string") return seat;
  const [kind, ...name] = seat.split(" ");
  return name.length ? { kind, [NAMED[kind]]: name.join(" ") } : { kind };
}

/** The values of a body with one a line; `heard` is called for every part that comes. */
async function* jsonLines(body, heard) {
  let text = "";
  for await (const part of chunks(body)) {
    heard();
    const lines = (text + part).split("\n");
    text = lines.pop();
    for (const line of lines) if (line.trim()) yield JSON.parse(line);
  }
}

/** The text of a body as it comes; not every browser iterates over a stream itself. */
async function* chunks(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
