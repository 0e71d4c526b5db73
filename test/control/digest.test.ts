/** The digest of a sandbox's output: equal for equal requests. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { SandboxOptions } from '../../src/sandbox/sandbox-config.ts'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { controlCaller } from '../fixtures/control-caller.ts'
import { ACCEPTED_FILE, defaultScriptDigest } from '../fixtures/default-script.ts'
import { fakeRegistry, signed } from '../fixtures/fake-market.ts'
import { PREFIX, sendJson, subscribeFrame } from '../fixtures/memory-socket.ts'
import { steppedClock } from '../fixtures/stepped-clock.ts'

const RUNS = 100
/** Shorter than the idle rule allows. */
const TAPE_MS = 50_000
const PATHS = ['/tickers', '/no/such/path', '/hl/fills/0x00000000000000000000000000000000000000aa']

type Registry = Awaited<ReturnType<typeof fakeRegistry>>

function subscriber(registry: Registry, types = ['trades', 'bbo', 'l2Book']) {
  const socket = memoryTransport(registry).connect(`${PREFIX}/ws?${signed()}`) as MemorySocket
  for (const type of types) sendJson(socket, subscribeFrame({ type, coin: 'BTC' }))
  return socket
}

async function digestOf(registry: Registry) {
  const { body } = await controlCaller(registry)('digest', { params: { id: 'default' } })
  return body as { digest: string; answers: number; frames: number; run: object }
}

/** A short script, whose parallel requests and sockets come in another order each time. */
async function played(run: number, lastMs = 3_000) {
  const registry = await fakeRegistry({ epoch: 'tape' })
  const { request } = memoryTransport(registry)
  const order = [...PATHS.slice(run % PATHS.length), ...PATHS.slice(0, run % PATHS.length)]
  const sockets = [['trades', 'bbo'], ['l2Book']]
  for (const types of run % 2 ? sockets : sockets.toReversed()) subscriber(registry, types)
  for (const ms of [7_000, lastMs]) {
    await registry.list()[0]?.clock.advance(ms)
    for (const at of order) request('GET', `${PREFIX}${at}?${signed('demo', -1)}`)
  }
  const digest = await digestOf(registry)
  registry.close()
  return digest
}

test('a hundred runs of a script have one digest', async () => {
  const first = await played(0)
  expect(first).toMatchObject({
    digest: expect.stringMatching(/^(?!0{16})[0-9a-f]{16}-(?!0{16})[0-9a-f]{16}$/),
    answers: 2 * PATHS.length,
    run: { world: 'toy', events: '0' },
  })
  expect(first.frames).toBeGreaterThan(20)
  for (let run = 1; run < RUNS; run++) expect(await played(run)).toEqual(first)
})

test('different output, or output at another instant, has another digest', async () => {
  const [first, later] = [await played(0), await played(0, 2_000)]
  const halves = [first, later].map(({ digest }) => digest.split('-'))
  expect(halves[0]?.[0]).not.toBe(halves[1]?.[0] as string)
  expect(halves[0]?.[1]).not.toBe(halves[1]?.[1] as string)
})

/** The whole tape, in steps of a held clock or at a speed of one that runs. */
async function heard(options: SandboxOptions, stepMs: number, times: number) {
  const machine = steppedClock()
  const registry = await fakeRegistry(
    { epoch: 'tape', end: 'hold', at: 0, ...options },
    TAPE_MS / 1000,
    machine.systemClock,
  )
  const [sandbox] = registry.list()
  const { frames } = subscriber(registry)
  for (let step = 0; step < times; step++)
    if (options.clock === 'held') await sandbox?.clock.advance(stepMs)
    else await machine.pass(stepMs)
  expect(sandbox?.position().atMs as number).toBe(sandbox?.playhead.span.tapeEndMs as number)
  const { digest } = await digestOf(registry)
  registry.close()
  return { digest, frames }
}

test('stepped, at 1x, at 50x and at max a tape is the same frames', async () => {
  const first = await heard({ clock: 'held' }, TAPE_MS, 1)
  expect(first.frames.length).toBeGreaterThan(100)
  const others = [
    await heard({ clock: 'held' }, 777, 66),
    await heard({ clock: 'running', speed: 1 }, 500, 103),
    await heard({ clock: 'running', speed: 50 }, 100, 20),
    await heard({ clock: 'running', speed: 'max' }, 1, 100),
  ]
  for (const other of others) expect(other).toEqual(first)
})

test('a reset restarts the digest, and that of a sandbox without output is zero', async () => {
  const registry = await fakeRegistry()
  subscriber(registry)
  expect((await digestOf(registry)).frames).toBeGreaterThan(0)
  await controlCaller(registry)('sandbox.reset', { params: { id: 'default' } })
  expect(await digestOf(registry)).toMatchObject({
    digest: '0000000000000000-0000000000000000',
    answers: 0,
    frames: 0,
  })
  registry.close()
})

test('the default script has the accepted digest; else `bun run accept-digest`', async () => {
  expect(await defaultScriptDigest()).toEqual(JSON.parse(readFileSync(ACCEPTED_FILE, 'utf8')))
})
