// A client of Cardroom in one file, for browsers and Node 18 or newer. No dependency.
//
//   import { Cardroom } from "http://127.0.0.1:8000/clients/cardroom.js";
//
//   const room = await Cardroom.guest("http://127.0.0.1:8000");
//   const match = await room.create_match("pisti", ["me", "bot greedy"], { target_score: 51 });
//   console.log(await room.play(match.id, (match) => match.legal_moves[0].move));
//
// Every operation of the API (/api/v1/docs) is a method of the same name. Moves are sent with a key
// of their own, so one that is sent again after a lost connection is played once. A refusal throws
// Problem; its code is stable.

export const VERSION = "1.0.0";
const API = "/api/v1";
const MOVED_ON = ["stale_version", "not_your_turn", "match_not_active"];
const NAMED = { bot: "bot", user: "username", local: "name", me: "deck" };
const SILENCE = 45_000; // milliseconds; a stream says something every 15 s

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
    Object.assign(this, { url: url.replace(/\/+$/, ""), key, tries, timeout });
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
  /** What the operators told the caller. */
  my_notices() { return this.#get("/accounts/me/notices"); }
  read_notice(id) { return this.#post(`/accounts/me/notices/${id}/read`, {}); }
  blocks() { return this.#pages("/accounts/me/blocks"); }
  block(username) {
    return this.#call("PUT", `/accounts/me/blocks/${encodeURIComponent(username)}`);
  }
  unblock(username) {
    return this.#call("DELETE", `/accounts/me/blocks/${encodeURIComponent(username)}`);
  }

  // --- games and matches

  games() { return this.#get("/games"); }
  matches(query = {}) { return this.#pages("/matches", query); }
  /** Seats: "me", "open", "bot greedy", "user ada", "local Twin", or the objects of the API. */
  create_match(game, seats, options = null, more = {}) {
    const chosen = options ? { options } : {};
    return this.#post("/matches", { game, seats: seats.map(seatOf), ...chosen, ...more });
  }
  match(id, seat = null) { return this.#get(`/matches/${id}`, { seat }); }
  /** The match right after the move. The same `key` again gives the first answer again. */
  move(id, move, version, { seat = null, key = crypto.randomUUID() } = {}) {
    const body = { move, version, ...(seat === null ? {} : { seat }) };
    return this.#call("POST", `/matches/${id}/moves`, body, {}, { "Idempotency-Key": key });
  }
  join(id, { seat = null, deck = null } = {}) {
    return this.#post(`/matches/${id}/join`, { seat, deck });
  }
  leave(id) { return this.#post(`/matches/${id}/leave`, {}); }
  resign(id, seat = null) { return this.#post(`/matches/${id}/resign`, { seat }); }
  /** Takes a seat back that a computer plays since its time was up. */
  reclaim(id, seat = null) { return this.#post(`/matches/${id}/reclaim`, { seat }); }
  /** Gives the player who is to move more time. */
  give_time(id, more = {}) { return this.#post(`/matches/${id}/time`, more); }
  abort(id) { return this.#post(`/matches/${id}/abort`, {}); }
  rematch(id) { return this.#post(`/matches/${id}/rematch`, {}); }
  /** `cards`: "same" or "reshuffled"; `point`: `{round}` or `{version}`. */
  load(id, cards, point) { return this.#post(`/matches/${id}/load`, { cards, ...point }); }
  events(id, after = -1, query = {}) { return this.#get(`/matches/${id}/events`, { after, ...query }); }
  saves(id) { return this.#get(`/matches/${id}/saves`); }
  notices(id) { return this.#get(`/matches/${id}/notices`); }
  block_player(id, seat) { return this.#post(`/matches/${id}/block`, { seat }); }

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

  /** Accepts every invitation and plays every turn, for ever. */
  async play_all(choose) {
    for await (const message of this.account_stream())
      for (const news of message.waiting ?? [message]) await this.#answer(news, choose);
  }

  async #answer(news, choose) {
    try {
      if (["invited", "rematch", "challenge"].includes(news.type))
        await this.#takeTurns(await this.join(news.match), choose);
      else if (news.type === "your_turn")
        await this.#takeTurns(await this.match(news.match), choose);
    } catch (problem) {
      if (![404, 409].includes(problem.status)) throw problem; // else somebody was quicker
    }
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
  async *stream(id, { after = null, seat = null } = {}) {
    for (;;)
      for await (const message of this.#lines(`/matches/${id}/stream`, () => ({ after, seat }))) {
        after = message.version;
        yield message;
        if (message.type === "end") return;
      }
  }

  /** The news of the caller's matches; the first, `hello`, says what waits. Never ends. */
  async *account_stream(after = null) {
    for (;;)
      for await (const message of this.#lines("/stream", () => ({ after }))) {
        after = message.id || after;
        yield message;
      }
  }

  async *#lines(path, query) {
    const leaving = new AbortController();
    let watch;
    const heard = () => {
      clearTimeout(watch);
      watch = setTimeout(() => leaving.abort(), SILENCE);
    };
    try {
      heard();
      const headers = { Accept: "application/x-ndjson" };
      const answer = await this.#open("GET", path, undefined, query(), headers, leaving.signal);
      yield* jsonLines(answer.body, heard);
    } catch (error) {
      if (error instanceof Problem && ![429, 503].includes(error.status)) throw error;
    } finally {
      clearTimeout(watch);
      leaving.abort();
    }
    await pause(500);
  }

  // --- records, decks, simulations

  record(id) { return this.#get(`/matches/${id}/record`); }
  /** Records of matches that are over: `mine`, `game`, `since`, `after`, `limit`. */
  export_matches(query = {}) { return this.#records("/exports/matches", query); }
  /** Of the caller's matches: `game`, `since`. `fetch_export` waits for the file. */
  create_export(query = {}) { return this.#post("/exports", query); }
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
  create_deck(name, cards, more = {}) { return this.#post("/decks", { name, cards, ...more }); }
  replace_deck(id, name, cards) { return this.#call("PUT", `/decks/${id}`, { name, cards }); }
  change_deck(id, changes) { return this.#call("PATCH", `/decks/${id}`, changes); }
  delete_deck(id) { return this.#call("DELETE", `/decks/${id}`); }
  import_deck(source) { return this.#post("/decks/import", source); }
  simulations() { return this.#pages("/simulations"); }
  create_simulation(game, bots = [], more = {}) {
    return this.#post("/simulations", { game, bots, ...more });
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
