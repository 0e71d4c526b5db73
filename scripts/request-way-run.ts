/**
 * One way through the program, run as a test under coverage by `scripts/request-ways.ts`. All
 * that a way needs is set up first, for the run without a way too, so that lines which run more
 * often with a way belong to it.
 */
import { mock, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { hostClock } from '../src/clock/system-clock.ts'
import { Growth } from '../src/market/growth/growth.ts'
import { openLineFile } from '../src/market/growth/line-opening.ts'
import { tableLayouts } from '../src/market/schema/statements.ts'
import type { StartGrowth } from '../src/sandbox/worlds/line-grower.ts'
import * as host from '../src/sandbox/worlds/line-host.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-ways-'))

// Coverage sees one thread, so a branch grows in this one: its first two minutes.
const growHere: StartGrowth = (order, listener) => {
  const growth = Growth.of(openLineFile(order))
  const report = (toMs: number) => hostClock.startTimer(0, () => listener.grown(toMs))
  report(growth.grownToMs)
  return {
    growTo() {
      for (const toMs of growth.grow(growth.grownToMs + 1)) report(toMs)
    },
    end() {},
  }
}
const { lineFiles } = host
mock.module('../src/sandbox/worlds/line-host.ts', () => ({
  ...host,
  growInThread: growHere,
  // Left by no run for the next one.
  lineFiles: () => lineFiles(folder),
}))
// Reading ahead would run beside the ways.
mock.module('../src/market/world/warming.ts', () => ({
  warmGrown: async () => {},
  warmUp: async () => {},
}))

// Made on first use.
tableLayouts()

const { recordedRegistry } = await import('../test/fixtures/default-recording.ts')
const { fixedClock } = await import('../test/fixtures/fixed-clock.ts')
const { signed } = await import('../test/fixtures/fake-market.ts')
const { controlRoutes } = await import('../src/server/control/index.ts')
const { listen, server } = await import('../src/server/transport/elysia/server.ts')

// Time stands still: what has to wait for its turn, and what is measured, is the same in each run.
const clock = { ...fixedClock, monotonicMs: () => 0, startTimer: () => () => {} }
const { registry, sandbox, cast } = await recordedRegistry({ epoch: 'tape' }, clock)
const control = controlRoutes(registry, { token: null })
const app = server({ registry, control, pages: new Map() })
const origin = listen(app, { port: 0, host: '127.0.0.1' })
const api = `${origin}/api/upgrade/v2/hl`
const sandboxes = `${origin}/_control/sandboxes`
await registry.create({ name: 'alone', clock: 'held', epoch: 'tape' })
const signature = signed()
const user = cast().openPositions[0]?.address
const nextFrame = await subscribed()

/** Requests; an error where the status is not 200. */
async function request(url: string, body?: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : {}
  const response = await fetch(url, init)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${text}`)
}

/** A signed socket that follows the book of BTC and has its snapshot; promises of its frames. */
async function subscribed(): Promise<() => Promise<unknown>> {
  const socket = new WebSocket(`${api.replace('http', 'ws')}/ws?${signature}`)
  const next = () =>
    new Promise((resolve) => {
      socket.onmessage = resolve
    })
  await new Promise((resolve) => {
    socket.onopen = resolve
  })
  const acknowledged = next()
  const subscription = { type: 'l2Book', coin: 'BTC' }
  socket.send(JSON.stringify({ method: 'subscribe', subscription }))
  await acknowledged
  await next()
  return next
}

const WAYS: Record<string, () => Promise<unknown>> = {
  none: async () => {},
  read: () => request(`${api}/tickers/coin/BTC?${signature}`),
  info: () => request(`${api}/info?${signature}`, { type: 'clearinghouseState', user }),
  push: () => Promise.all([nextFrame(), sandbox.clock.advance(1000)]),
  event: () =>
    request(`${sandboxes}/alone/market/events`, { kind: 'move', coin: 'BTC', pct: -5, overS: 120 }),
  advance: () => request(`${sandboxes}/alone/clock/advance`, { ms: 1000 }),
}

test('a way', async () => {
  await WAYS[process.env.TAPEWRIGHT_WAY ?? 'none']?.()
  registry.close()
  await app.server?.stop(true)
  rmSync(folder, { recursive: true })
})
