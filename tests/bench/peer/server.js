// boardgame.io's own server over bgio-postgres: node server.js <port> <socket folder> <role> <db>
const { Server, Origins } = require('boardgame.io/server');
const { PostgresStore } = require('bgio-postgres');
const { Pisti } = require('./pisti');

const [port, host, username, database] = process.argv.slice(2);
const db = new PostgresStore({
  host, username, database, logging: false, pool: { min: 1, max: 16 },
});
const server = Server({ games: [Pisti], db, origins: [Origins.LOCALHOST] });
server.run(Number(port), () => console.log('ready'));
