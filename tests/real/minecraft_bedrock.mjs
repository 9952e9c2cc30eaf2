// The server JSPrismarine on a UDP port of 127.0.0.1, with the `config.yaml` of the working directory.
// Its own program ignores the configured port, and ends at once without a terminal.
const [folder, port] = process.argv.slice(2)
const scope = `${folder}/node_modules/@jsprismarine`
const { Config, Server } = await import(`${scope}/prismarine/dist/index.es.js`)
const { Logger } = await import(`${scope}/logger/dist/index.es.js`)
await new Server({ config: new Config(), logger: new Logger('error') }).bootstrap('127.0.0.1', Number(port))
setInterval(() => {}, 60_000) // its socket does not keep the process alive
