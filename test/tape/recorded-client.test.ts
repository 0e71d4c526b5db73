/**
 * A public client is recorded at a service, played by a sandbox; then the same client uses a world
 * made from the recording, and the recording itself.
 */
import { beforeAll, expect, test } from 'bun:test'
import path from 'node:path'
import { hostClock } from '../../src/clock/system-clock.ts'
import { ACTIVE_ACTIONS } from '../../src/contract/actions.ts'
import { Registry } from '../../src/sandbox/registry.ts'
import type { SandboxOptions } from '../../src/sandbox/sandbox-config.ts'
import { RECORDED_ROUTES } from '../../src/sandbox/session/socket-upgrade.ts'
import { worldProvider } from '../../src/sandbox/world-provider.ts'
import { listen, server } from '../../src/server/transport/elysia/server.ts'
import { openFileSink } from '../../src/tape/recorder/file/file-sink.ts'
import { startRecorder } from '../../src/tape/recorder/recorder.ts'
import { Redaction } from '../../src/tape/recorder/redaction/redaction.ts'
import { upstreamAddress } from '../../src/tape/recorder/upstream-address.ts'
import { normalise } from '../../src/tape/replay/market/normalisation.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { venueSession } from '../fixtures/venue-client-session.ts'

const inFolder = temporaryFolder()
const recording = inFolder('session.tape.ndjson')
const market = { out: inFolder('market.tape.ndjson'), historyOut: inFolder('market.history.csv') }
const recordings = path.join(PROJECT_FOLDER, 'recordings')
const PASSING_MS = 20_000
const NOW = Date.UTC(2026, 5, 1, 12)

/** A component between the client and a server, given its time. */
type Through = (
  origin: string,
  run: (url: string) => Promise<string[]>,
  nowMs: () => number,
) => Promise<string[]>

/** Runs the session against a server with these worlds, through a component. */
async function sessionAt(
  tape: Parameters<typeof worldProvider>[0],
  options: SandboxOptions,
  through: Through,
): Promise<string[]> {
  const sandboxes = { clock: 'held', profile: 'raw', now: NOW, ...options } as const
  const registry = new Registry(worldProvider(tape), ACTIVE_ACTIONS, sandboxes)
  const sandbox = await registry.open()
  const app = server({ registry, control: [], pages: new Map() })
  const origin = listen(app, { port: 0, host: '127.0.0.1' })
  const pass = async () => void (await sandbox.clock.advance(PASSING_MS))
  try {
    const run = (url: string) => venueSession(url, NOW, pass)
    return await through(origin, run, () => Math.floor(sandbox.clock.nowMs()))
  } finally {
    registry.close()
    await app.stop(true)
  }
}

const cacheDir = path.join(PROJECT_FOLDER, '.cache', 'worlds')
const common = { recordings, routes: RECORDED_ROUTES, seed: 1, log: () => {} }
const DEFAULT = { ...common, tape: 'default', cacheDir }
const direct: Through = (origin, run) => run(origin)

let printed: string[]

beforeAll(async () => {
  printed = await sessionAt(DEFAULT, {}, async (origin, run, nowMs) => {
    const recorder = await startRecorder({
      path: recording,
      source: 'a client at a service',
      address: upstreamAddress(origin),
      host: '127.0.0.1',
      port: 0,
      timeoutMs: 60_000,
      signWith: null,
      rotation: {},
      redaction: new Redaction({ fields: [], secrets: [] }),
      clock: { ...hostClock, nowMs },
      openSink: openFileSink,
      say: () => {},
    })
    return run(`http://127.0.0.1:${recorder.port}`).finally(() => recorder.stop())
  })
})

test('the client prints the same with a world made from the recording', async () => {
  expect(printed.length).toBeGreaterThan(25)
  await normalise({ files: [recording], ...market }, RECORDED_ROUTES)
  const world = { ...common, tape: market.out, history: [market.historyOut] }
  const place = { epoch: 'tape', at: NOW } as const
  const again = await sessionAt({ ...world, cacheDir: inFolder('worlds') }, place, direct)
  expect(again).toEqual(printed)
})

test('and with the recording itself, of which nothing is missing', async () => {
  const replay = { replay: recording, miss: 'refuse', epoch: 'live' } as const
  const again = await sessionAt({ ...DEFAULT, replay: recording }, replay, direct)
  expect(again).toEqual(printed)
})
