// One account at its streams, with the client that the service serves: node listen.mjs CLIENT URL KEY.
// Prints a line of JSON for all that it is told and for every stream that it opens.
const [client, url, key] = process.argv.slice(2);
const { Cardroom } = await import(client);
const say = (...told) => console.log(JSON.stringify(told));

const fetched = globalThis.fetch;
globalThis.fetch = (...asked) => {
  say("opened");
  return fetched(...asked);
};

const room = new Cardroom(url, key);
const followed = new Set();

async function follow(match) {
  say("stream");
  for await (const message of room.stream(match, { after: -1 }))
    for (const version of new Set(message.events.map((event) => event.version)))
      say("version", match, version);
}

say("stream");
for await (const news of room.account_stream()) {
  if (news.type === "hello") say("hello");
  for (const each of news.waiting ?? [news]) {
    if (news.type !== "hello") say("news", each.type, each.match, each.version);
    if (each.type === "invited" || followed.has(each.match)) continue;
    followed.add(each.match);
    follow(each.match).catch((error) => say("fault", String(error)));
  }
}
