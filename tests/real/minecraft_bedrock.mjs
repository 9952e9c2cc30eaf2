// The server JSPrismarine on a UDP port of 127.0.0.1, with the `config.yaml` of the working directory.
// Its own program ignores the configured port, and ends at once without a terminal.
// It prints a line for each datagram.
import { Socket } from 'node:dgram'
const [folder, port] = process.argv.slice(2)
const scope = `${folder}/node_modules/@jsprismarine`
const { Config, Server } = await import(`${scope}/prismarine/dist/index.es.js`)
const { Logger } = await import(`${scope}/logger/dist/index.es.js`)
const { emit } = Socket.prototype
Socket.prototype.emit = function (event, ...values) {
  if (event === 'message') console.log('datagram')
  return emit.call(this, event, ...values)
}
await new Server({ config: new Config(), logger: new Logger('error') }).bootstrap('127.0.0.1', Number(port))
setInterval(() => {}, 60_000) // its socket does not keep the process alive
