// Plays matches on a boardgame.io server: node load.js <port> <matches> <warm s> <seconds> <spare>
// It has no REST moves, so moves go over its socket.io protocol, as its own client sends them;
// one socket a match plays both seats, each with its credentials. So many spare matches a socket are
// opened before the load. Prints "begin", then one line of JSON when told to by its own clock, and
// ends when it is told something.
const { io } = require('socket.io-client');

const [port, matches, warm, seconds, spare] = process.argv.slice(2).map(Number);
const base = `http://localhost:${port}`;
const latencies = [];
let measuring = false;
let stopped = false;

async function post(path, body) {
  const answer = await fetch(base + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

async function openMatch() {
  const { matchID } = await post('/games/pisti/create', { numPlayers: 2 });
  const keys = [];
  for (const playerID of ['0', '1']) {
    const joined = await post(`/games/pisti/${matchID}/join`, { playerID, playerName: playerID });
    keys.push(joined.playerCredentials);
  }
  return { matchID, keys };
}

function move(socket, { matchID, keys }, state) {
  const playerID = state.ctx.currentPlayer;
  const hand = state.G.hands[Number(playerID)];
  const card = hand[Math.floor(Math.random() * hand.length)];
  const payload = { type: 'playCard', args: [card], playerID, credentials: keys[Number(playerID)] };
  socket.emit('update', { type: 'MAKE_MOVE', payload }, state._stateID, matchID, playerID);
}

async function play(socket) {
  const ready = [];
  for (let n = 0; n < spare; n++) ready.push(await openMatch());
  let match = await openMatch();
  let sent = 0;
  let version = -1;
  const on = async (matchID, state) => {
    if (matchID !== match.matchID || stopped || state._stateID <= version) return;
    version = state._stateID;
    if (sent && measuring) latencies.push(performance.now() - sent);
    if (state.ctx.gameover) {
      match = ready.pop() || (await openMatch());
      version = -1;
      socket.emit('sync', match.matchID, '0', match.keys[0], 2);
      sent = 0;
      return;
    }
    sent = performance.now();
    move(socket, match, state);
  };
  socket.on('update', on);
  socket.on('sync', (matchID, info) => on(matchID, info.state));
  socket.emit('sync', match.matchID, '0', match.keys[0], 2);
}

async function main() {
  const sockets = [];
  for (let n = 0; n < matches; n++) {
    const socket = io(`${base}/pisti`, { transports: ['websocket'], forceNew: true });
    await new Promise((resolve) => socket.once('connect', resolve));
    sockets.push(socket);
    await play(socket);
  }
  await new Promise((resolve) => setTimeout(resolve, warm * 1000));
  measuring = true;
  console.log('begin');
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  measuring = false;
  latencies.sort((a, b) => a - b);
  const at = (part) => latencies[Math.floor(part * (latencies.length - 1))];
  console.log(JSON.stringify({ moves: latencies.length, p50: at(0.5), p99: at(0.99) }));
  stopped = true;
  process.stdin.once('data', () => process.exit(0));
  process.stdin.once('end', () => process.exit(0));
}

main();
