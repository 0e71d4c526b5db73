/** `/_control/health`: whether the server is ready, and why not. */
import { expect, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { VERSION } from '../../src/platform/version.ts'
import type { LoadedWorld } from '../../src/sandbox/loaded-world.ts'
import { Registry } from '../../src/sandbox/registry.ts'
import { fakeWorld, signed } from '../fixtures/fake-market.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { readOpenMetrics } from '../fixtures/open-metrics.ts'
import { stateFiles as newStateFiles, storedRegistry } from '../fixtures/state-files.ts'
import { connectSocket, PREFIX, serve, serveRegistry } from '../fixtures/test-server.ts'

const stateFiles = newStateFiles()

async function health(origin: string) {
  const answer = await fetch(`${origin}/_control/health`)
  const page = await metrics(origin)
  return [answer.status, await answer.json(), page.value('tapewright_ready')]
}

const metrics = async (origin: string) =>
  readOpenMetrics(await (await fetch(`${origin}/_control/metrics`)).text())

const READY = [200, { live: true, ready: true, version: VERSION }, 1]
const notReady = (why: string) => [
  503,
  { live: true, ready: false, why: expect.stringContaining(why), version: VERSION },
  0,
]

test('a server with its sandboxes is ready', async () => {
  const { origin } = await serve()
  expect(await health(origin)).toEqual(READY)
})

test('one whose event loop was blocked is not ready for some seconds', async () => {
  let passedMs = 0
  let fire = () => {}
  const systemClock = {
    ...fixedClock,
    monotonicMs: () => passedMs,
    startTimer: (_: number, task: () => void) => {
      fire = task
      return () => {}
    },
  }
  const { origin, registry } = await serve({}, null, systemClock)
  registry.metrics.eventLoop.start()
  passedMs += 4_321_000
  fire()
  expect(await health(origin)).toEqual(notReady('blocked for 4320980 ms'))
  passedMs += 20_000
  expect(await health(origin)).toEqual(READY)
})

test('one that waits for its world shows the progress, and all other calls wait', async () => {
  const world = Promise.withResolvers<LoadedWorld>()
  const castings = () => [{ world: 'toy', events: 30, of: 120 }]
  const provider = Object.assign(() => world.promise, { castings })
  const registry = new Registry(provider, ['HL_TICKERS'], { clock: 'held' }, fixedClock)
  registry.metrics.isStarting = true
  const { origin, control } = await serveRegistry(registry)
  const opening = registry.open()
  expect(await health(origin)).toEqual(notReady('a world is cast, 25 % is done'))
  expect((await metrics(origin)).value('tapewright_casting_progress_ratio')).toBe(0.25)
  const tickers = await fetch(`${origin}${PREFIX}/hl/tickers?${signed()}`)
  expect([tickers.status, await tickers.json()]).toEqual([
    503,
    { code: '503', msg: expect.stringContaining('starting'), data: null },
  ])
  expect(await control('POST', '/sandboxes', { name: 'early' })).toEqual({
    status: 503,
    body: { error: expect.stringContaining('/_control/health') } as never,
  })
  const socket = connectSocket(origin, `${PREFIX}/hl/ws?${signed()}`)
  expect(await socket.opened).toBe(false)
  world.resolve(fakeWorld())
  await opening
  registry.metrics.isStarting = false
  expect(await health(origin)).toEqual(READY)
  expect((await control('POST', '/sandboxes', { name: 'early' })).status).toBe(200)
})

test('one without its state file is not ready until it is back', async () => {
  const { file, open } = stateFiles
  const { origin, control } = await serveRegistry(await storedRegistry(open('state.db')))
  const change = () => control('POST', '/sandboxes/default/invites', {})
  const move = (from: string, to: string) => {
    for (const end of ['', '-wal']) renameSync(file(from + end), file(to + end))
  }
  expect((await change()).status).toBe(200)
  const before = await metrics(origin)
  expect(before.value('tapewright_state_behind')).toBe(0)
  expect(before.value('tapewright_state_commits_total')).toBeGreaterThan(0)
  expect(before.value('tapewright_state_failures_total')).toBe(0)
  move('state.db', 'away.db')
  expect((await change()).status).toBe(507)
  expect(await health(origin)).toEqual(notReady('the state file cannot be written'))
  const during = await metrics(origin)
  expect(during.value('tapewright_state_behind')).toBe(1)
  expect(during.value('tapewright_state_failures_total')).toBeGreaterThan(0)
  move('away.db', 'state.db')
  expect((await change()).status).toBe(200)
  expect(await health(origin)).toEqual(READY)
})
