/**
 * Benchmark of unpaced replay of the same frames, against `@exodus/replay` of npm, which replays
 * recorded sessions offline. Ours passes from the world of a tape through subscriptions and a port
 * to a client in another process; theirs passes texts of an array in memory to a WebSocket object
 * in the client's own process, without server, tape and subscriptions.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inTurn } from './measure/in-turn.ts'
import { TRADES_AND_BBO as messages } from './measure/market-subscriptions.ts'
import { readFrames, serve, socketPath } from './measure/processes.ts'
import { row, unmeasured } from './measure/result-row.ts'

const PACKAGE = '@exodus/replay@1.0.0-rc.11'
const NAME = `trades and bbo of a tape at max, against ${PACKAGE}`
/** Theirs takes one turn of the event loop for each. */
const FRAMES = 3_000
const timing = { warmMs: 1_500, countMs: 3_000 }

interface Replayer {
  WebSocketReplayer: (log: unknown[]) => new (url: string) => EventTarget
}

const folder = await mkdtemp(path.join(tmpdir(), 'tapewright-replayers-'))

async function installed(): Promise<Replayer | null> {
  await Bun.write(path.join(folder, 'package.json'), '{"private":true}')
  const add = Bun.spawnSync(['bun', 'add', PACKAGE], { cwd: folder, stderr: 'ignore' })
  if (add.exitCode !== 0) return null
  return (await import(
    path.join(folder, 'node_modules', '@exodus', 'replay', 'index.js')
  )) as Replayer
}

async function ours(): Promise<number> {
  const server = await serve(['--speed', 'max', '--end', 'loop'])
  const paths = [socketPath()]
  const { frames, tookMs } = await readFrames({ port: server.port, paths, messages, ...timing })
  await server.stop()
  return (frames / tookMs) * 1_000
}

const BBO = { coin: 'BTC', time: 1, bbo: [{ px: '1', sz: '1', n: 1 }, null] }
const frame = JSON.stringify({ channel: 'bbo', data: BBO })

async function theirs({ WebSocketReplayer }: Replayer): Promise<number> {
  const url = 'ws://recorded.test/'
  const messages = Array.from({ length: FRAMES }, () => ({ type: 'message', at: 1, data: frame }))
  const log = [{ url, log: [{ type: 'open', at: 0 }, ...messages] }]
  const { promise, resolve } = Promise.withResolvers<void>()
  const startMs = performance.now()
  const socket = new (WebSocketReplayer(log))(url)
  let count = 0
  socket.addEventListener('message', () => {
    if (++count === FRAMES) resolve()
  })
  await promise
  return (FRAMES / (performance.now() - startMs)) * 1_000
}

const replayer = await installed()
if (replayer)
  row({ name: NAME, ...(await inTurn(3, ours, () => theirs(replayer))), unit: 'frames/s' })
else unmeasured({ name: NAME, why: `${PACKAGE} could not be installed` })
await rm(folder, { recursive: true })
