// Every call of cardroom.js against a live service: node calls.mjs URL. Prints what it called.
// Connections are lost on purpose: after a move was answered, in the middle of streams.
import assert from "node:assert/strict";
import { Cardroom, Problem } from "./cardroom.js";

const url = process.argv[2];
const calls = new Set();
const loseNext = { answers: 0, busy: 0 };
const real = globalThis.fetch;

globalThis.fetch = async (address, options) => {
  const { pathname } = new URL(address);
  const keyed = "Idempotency-Key" in options.headers ? " with a key" : "";
  calls.add(`${options.method} ${pathname}${keyed}`);
  if (loseNext.busy-- > 0)
    return new Response('{"code": "unavailable"}', { status: 503, headers: { "Retry-After": "0" } });
  const cut = pathname.endsWith("/stream") ? [AbortSignal.timeout(400)] : [];
  const signal = AbortSignal.any([...cut, ...(options.signal ? [options.signal] : [])]);
  const answer = await real(address, { ...options, signal });
  if (options.method === "POST" && loseNext.answers-- > 0) {
    await answer.arrayBuffer();
    throw new TypeError("the connection was lost");
  }
  return answer;
};

const all = async (pages) => {
  const found = [];
  for await (const each of pages) found.push(each);
  return found;
};
const refused = (promise, code) =>
  assert.rejects(promise, (error) => error instanceof Problem && error.code === code);
const first = (match) => match.legal_moves[0].move;

const room = await Cardroom.guest(url + "/");
const other = await Cardroom.guest(url);
const name = (await other.me()).username;

// accounts
const password = "a long and quiet evening";
const registered = await other.register(`js-${Date.now()}`, password);
other.key = registered.token;
const fresh = await other.create_key(registered.user.username, password, { name: "second" });
assert.equal((await all(other.keys())).length, 3);
assert.equal(await other.revoke_key(fresh.id), null);
assert.equal((await room.change_me({ display_name: "Jay", in_archive: false })).in_archive, false);
assert.ok(name);
assert.deepEqual(await room.my_notices(), []);
await refused(room.read_notice("00000000-0000-7000-8000-000000000000"), "not_found");
assert.equal((await other.my_data()).account.username, registered.user.username);
await refused(other.delete_me("somebody else", password), "not_confirmed");
const leaving = await Cardroom.guest(url);
assert.equal(await leaving.delete_me((await leaving.me()).username), null);
await refused(leaving.me(), "bad_key");
await room.block(registered.user.username);
assert.equal((await all(room.blocks())).length, 1);
await room.unblock(registered.user.username);

// people
const friend = await Cardroom.guest(url); // a guest has no friends
const known = await friend.register(`friend-${Date.now()}`, password);
friend.key = known.token;
assert.equal((await other.change_privacy({ hides_presence: true })).hides_presence, true);
assert.equal((await other.privacy()).hides_presence, true);
await other.befriend(known.user.username);
await friend.befriend(registered.user.username);
assert.deepEqual((await all(other.friends())).map((each) => each.state), ["friend"]);
assert.equal((await room.user(registered.user.username)).username, registered.user.username);
assert.deepEqual(await all(room.user_matches(registered.user.username)), []);
assert.deepEqual(await all(room.leaderboard("pisti", { pace: "blitz" })), []);
assert.equal((await other.ladder("pisti")).finished, false);
assert.equal((await other.join_league("pisti")).member, true);
assert.equal((await room.leagues()).results.length, 3);
assert.equal((await room.league("pisti", { tier: 1, division: 1 })).standings.length, 1);
assert.equal((await other.leave_league("pisti")).member, false);
await friend.unfriend(registered.user.username);
assert.deepEqual(await all(other.friends()), []);

// what one is told elsewhere; this service has no mail server and no key for browsers
assert.deepEqual((await other.notification_choices()).mail, []);
const night = { quiet_from: "22:00", quiet_until: "07:00", time_zone: "Europe/Prague" };
assert.equal((await other.change_notifications(night)).quiet_until, "07:00");
const rest = { clocks_rest: true };
await refused(other.change_hours({ ...rest, quiet_until: "12:00" }), "bad_hours");
assert.equal((await other.change_hours(rest)).clocks_rest, true);
const inDays = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const away = await other.announce_holiday(inDays(10), inDays(11));
assert.deepEqual((await other.hours()).holidays, [away]);
assert.equal(await other.end_holiday(away.id), null);
assert.deepEqual(await other.browsers(), { public_key: null, browsers: [] });
const subscription = { endpoint: "https://push.example.org/1", p256dh: "x", auth: "x" };
await refused(other.add_browser(subscription), "channel_is_off");
assert.equal(await other.remove_browser("00000000-0000-7000-8000-000000000000"), null);
const { webhook, secret } = await other.create_webhook("https://example.org/", ["result"]);
assert.ok(secret.startsWith("whsec_"));
assert.deepEqual(await other.webhooks(), [webhook]);
assert.equal((await other.change_webhook(webhook.id, { name: "x" })).name, "x");
assert.notEqual((await other.rotate_webhook(webhook.id)).secret, secret);
assert.deepEqual(await all(other.webhook_deliveries(webhook.id)), []);
assert.equal((await other.ping_webhook(webhook.id)).kind, "ping");
await refused(other.resend_delivery(webhook.id, "00000000-0000-7000-8000-000000000000"), "not_found");
await refused(other.create_webhook("https://127.0.0.1/", ["result"]), "forbidden_address");
await refused(other.create_webhook("https://example.org/", [], "", webhook.id), "not_found");
assert.equal(await other.delete_webhook(webhook.id), null);

// the lobby
assert.ok((await room.games()).length);
assert.ok((await room.index()).resources.some((each) => each.href === "/api/v1/games"));
const declined = await room.create_match("pisti", ["me", `user ${registered.user.username}`]);
assert.equal((await other.leave(declined.id, "busy")).seats[1].declined, "busy");
assert.equal((await room.invite(declined.id, 1, { open: true })).seats[1].declined, null);
await room.leave(declined.id);
const stopped = await room.create_match("pisti", ["me", "bot greedy"]);
assert.equal((await room.abort(stopped.id)).status, "aborted");

// a move whose answer was lost is played once; a busy service is asked again
const twin = await room.create_match("pisti", ["me", "local Twin"], { target_score: 1 });
assert.deepEqual(await room.match_hours(twin.id), { seats: [] });
loseNext.answers = 1;
const moved = await room.move(twin.id, first(twin), twin.version);
assert.equal(moved.version, 1);
loseNext.busy = 2;
const next = await room.match(twin.id); // the answer of a move is as the seat that moved sees it
assert.equal(next.version, 1);
const again = await room.move(twin.id, first(next), 1, { key: "one" });
assert.deepEqual(await room.move(twin.id, first(next), 1, { key: "one" }), again);
await refused(room.move(twin.id, "2C", 0), "stale_version");
await refused(room.match("00000000-0000-7000-8000-000000000000"), "not_found");

// streams that are cut again and again tell everything once
const told = [];
const news = (async () => {
  for await (const message of other.account_stream()) {
    if (message.type !== "hello") told.push(`${message.type} ${message.match} ${message.version} ${message.at}`);
    if (message.type === "finished") return;
  }
})();
// deals of the day; the suite has no beat that would make them
assert.deepEqual((await room.daily()).deals, []);
await refused(room.daily_deal("2000-01-01", "pisti"), "not_found");
await refused(room.play_daily("pisti"), "not_found");

// exercises
assert.equal((await room.exercises()).due, 0);
assert.ok(Array.isArray((await room.daily_exercises()).exercises));
const nowhere = "00000000-0000-0000-0000-000000000000";
await refused(room.exercise(nowhere), "not_found");
await refused(room.attempt_exercise(nowhere, "7H"), "not_found");
await refused(room.next_exercise({ mistakes: true }), "not_found");
// programs of third parties
const redirects = ["https://program.example/back"];
const registeredProgram = await other.register_program("Night bot", redirects, "confidential");
const programId = registeredProgram.program.client_id;
assert.equal((await other.registered_programs())[0].client_id, programId);
assert.equal((await other.change_program(programId, { name: "Day bot" })).name, "Day bot");
assert.notEqual((await other.rotate_program_secret(programId)).secret, registeredProgram.secret);
assert.equal(await other.delete_program(programId), null);
// tournaments
// a guest holds none
const cup = await other.create_tournament("Evening cup", "pazaak", { fill_to: 4, mirrored: true });
assert.equal((await room.join_tournament(cup.id)).you, "joined");
assert.equal((await room.tournament(cup.id)).name, "Evening cup");
assert.equal((await room.tournaments({ mine: true }).next()).value.id, cup.id);
assert.equal((await room.tournament_results(cup.id)).tournament, cup.id);
assert.match(await room.tournament_table(cup.id), /^place,number/);
assert.ok((await room.withdraw_from_tournament(cup.id)).id);
const later = await other.create_tournament("Night cup", "pazaak", {
  starts_at: new Date(Date.now() + 3600e3).toISOString(),
});
assert.equal((await other.change_tournament(later.id, { most: 8 })).most, 8);
const guestName = (await room.me()).username;
assert.ok((await other.invite_to_tournament(later.id, guestName)).id);
assert.ok((await other.remove_from_tournament(later.id, { username: guestName })).id);
await refused(other.begin_tournament(later.id), "bad_tournament");
assert.equal((await other.pause_tournament(later.id)).is_paused, true);
assert.equal((await other.resume_tournament(later.id)).is_paused, false);
assert.equal((await other.call_off_tournament(later.id)).status, "aborted");

// challenges
const challengeTerms = { username: registered.user.username, pace: "slow_1", seat: 0 };
const accepted = await room.create_challenge("pisti", challengeTerms);
assert.equal((await other.challenges()).received[0].id, accepted.id);
assert.equal((await other.accept_challenge(accepted.id)).status, "accepted");
assert.equal((await room.match(accepted.id)).status, "active");
const [mover, waiter] = (await room.match(accepted.id)).legal_moves.length ? [room, other] : [other, room];
const ahead = (await waiter.match(accepted.id)).view.hand[0];
await waiter.put_plan(accepted.id, [[{ play: ahead }]]);
assert.equal((await waiter.plan(accepted.id)).steps[0][0].play, ahead);
const before = await mover.match(accepted.id);
assert.equal((await mover.move(accepted.id, first(before), before.version)).version, before.version + 2);
await waiter.withdraw_plan(accepted.id);
const noTime = await room.create_challenge("shithead", { ...challengeTerms, seats: 2 });
await other.decline_challenge(noTime.id, "time");
assert.equal((await room.challenge(noTime.id)).reason, "time");
const withdrawn = await room.create_challenge("pisti", challengeTerms);
await room.withdraw_challenge(withdrawn.id);
await refused(other.accept_challenge(withdrawn.id), "challenge_is_over");

// bot accounts
const automaton = await Cardroom.guest(url);
automaton.key = (await automaton.register(`js-bot-${Date.now()}`, password)).token;
const program = (await automaton.me()).username;
await automaton.become_bot(registered.user.username, { plays: [{ game: "pisti" }], at_once: 2 });
await other.refuse_bot(program);
await automaton.become_bot(registered.user.username, { plays: [{ game: "pisti" }] });
assert.equal((await other.my_bots())[0].username, program);
assert.equal((await other.confirm_bot(program)).status, "confirmed");
assert.equal((await automaton.change_bot({ description: "By calls.mjs" })).at_once, 1);
assert.equal((await automaton.my_bot()).owner, registered.user.username);
assert.ok((await room.bots({ game: "pisti" })).some((bot) => bot.username === program));

// seeks
const seek = await room.create_seek("pisti", { computers_after: null });
assert.equal((await room.seek(seek.id)).status, "waiting");
assert.equal((await room.seeks()).results[0].id, seek.id);
await room.delete_seek(seek.id);
assert.equal((await room.seek(seek.id)).status, "ended");

const table = await room.create_match("pisti", ["me", "open"], { target_score: 1 });
const versions = [];
const heard = (async () => {
  for await (const message of room.stream(table.id, { after: -1 }))
    versions.push(...new Set(message.events.map((event) => event.version)));
})();
await other.join(table.id);
const { offered } = await room.phrases(table.id);
await room.say_phrase(table.id, offered[0].phrase);
await other.mute_player(table.id, 0);
await other.unmute_player(table.id, 0);
await other.report(table.id, "phrases", 0, "It shouts.");
const [over] = await Promise.all([
  room.play(table.id, async (match) => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    return first(match);
  }),
  other.play(table.id, first),
  heard,
  news,
]);
assert.equal(over.status, "finished");
assert.deepEqual(versions, [...Array(over.version + 1).keys()]);
assert.equal(new Set(told).size, told.length);
assert.ok(told.some((one) => one.startsWith("started")));

// what is over
const record = await room.record(table.id);
assert.deepEqual(await room.verify_record(record), { valid: true });
assert.deepEqual(await all(room.export_matches({ mine: true, game: "pazaak" })), []);
assert.ok((await room.events(table.id, 0, { limit: 5 })).events.length);
assert.ok((await room.saves(table.id)).length);
assert.ok(Array.isArray((await room.shape(table.id)).rounds));
assert.equal((await room.analyse(table.id)).status, "running");
assert.deepEqual((await room.analysis(table.id)).verdicts, []);
assert.equal(await room.stop_analysis(table.id), null);
await refused(room.mirrored(table.id), "not_mirrored");
await refused(room.switch_on_coach(table.id), "match_not_active");
await refused(room.ask_hint(table.id), "match_not_active");
assert.deepEqual(await room.notices(table.id), []);
const once_more = await room.rematch(table.id);
assert.equal(once_more.status, "open");
assert.equal((await room.rematch_standing(table.id)).match, once_more.id);
assert.equal(await room.decline_rematch(table.id), null);
assert.ok((await all(room.matches({ mine: true, limit: 2 }))).length > 2);
assert.equal(await room.block_player(table.id, 1), null);
assert.equal((await room.load(twin.id, "same", { version: 1 })).version, 1);
await refused(room.take_back(twin.id, 0), "nobody_to_ask");
await refused(room.answer_take_back(twin.id, 0, true), "no_wish_to_take_back");
await refused(room.withdraw_take_back(twin.id, 0), "no_wish_to_take_back");
await refused(room.claim(twin.id), "not_absent");
await refused(room.call_off(twin.id), "not_absent");
await room.resign(twin.id);
assert.equal((await room.reclaim(twin.id)).status, "finished"); // nothing to take back
await refused(room.give_time(twin.id), "match_not_active");

// files of records; the suite has no worker that would write them
const asked = await room.create_export({ game: "pisti" });
assert.equal((await room.export(asked.id)).status, "writing");
assert.equal((await all(room.exports())).length, 1);
await refused(all(room.export_file(asked.id)), "export_not_finished");
await room.delete_export(asked.id);
assert.deepEqual(await room.archives(), []);
await refused(all(room.archive_file("2000-01-01")), "not_found");
await refused(room.archive_checksum("2000-01-01"), "not_found");

// decks
const cards = (await room.side_cards("kotor1")).slice(0, 10).map((card) => card.code);
const deck = await room.create_deck("Edge", cards, { is_default: true });
assert.equal((await room.deck(deck.id)).name, "Edge");
assert.equal((await room.replace_deck(deck.id, "Cut", cards)).name, "Cut");
assert.equal((await room.change_deck(deck.id, { name: "Sharp" })).name, "Sharp");
await room.import_deck({ code: deck.code, name: "Other" });
assert.equal((await all(room.decks())).length, 2);
const field = { rivals: [deck.code], seed: 7 };
assert.equal((await room.examine_deck(deck.id, field)).seed, 7);
assert.deepEqual((await room.examination(deck.id, field)).rivals, [deck.code]);
await room.delete_deck(deck.id);

// simulations
const simulation = await room.create_simulation("pisti", ["random"], { games: 10 });
assert.equal((await room.simulation(simulation.id)).games, 10);
assert.equal((await all(room.simulations())).length, 1);
await room.cancel_simulation(simulation.id);
await refused(room.simulation_plot(simulation.id, "wins.png"), "not_found");

console.log(JSON.stringify([...calls]));
process.exit(0); // streams are left open
