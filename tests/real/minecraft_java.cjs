// The server flying-squid on a TCP port of 127.0.0.1, and a player who joins it.
// It prints a line for each request of a query.
const { createRequire } = require('node:module')
const [folder, port] = process.argv.slice(2)
const load = createRequire(`${folder}/`)
const place = { host: '127.0.0.1', port: Number(port), version: '1.16.1' }

const server = load('flying-squid').createMCServer({
  ...place,
  motd: '§aRig §lÜnïcode',
  'max-players': 10,
  'online-mode': false,
  logging: false,
  gameMode: 1,
  difficulty: 1,
  generation: { name: 'superflat', options: { worldHeight: 80 } },
  kickTimeout: 60_000,
  plugins: {},
  modpe: false,
  'view-distance': 1,
  'player-list-text': { header: '', footer: '' },
  'everybody-op': false,
  'max-entities': 100
})
server._server.on('connection', (client) => {
  client.on('packet', (_data, { state, name }) => {
    if (state === 'status') console.log(`request ${name}`)
  })
})
load('minecraft-protocol').createClient({ ...place, username: 'Razor', auth: 'offline' })
