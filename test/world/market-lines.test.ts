/** A market that continues after its tape depends only on the instant. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { tapeMs } from '../../src/clock/instant.ts'
import { UserError } from '../../src/platform/user-error.ts'
import type { Registry } from '../../src/sandbox/registry.ts'
import { sandboxStateOf } from '../../src/sandbox/snapshot/state-parts.ts'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { allAnswers, differences } from '../fixtures/all-answers.ts'
import { controlCaller } from '../fixtures/control-caller.ts'
import { signed } from '../fixtures/fake-market.ts'
import { PREFIX, sendJson, subscribeFrame } from '../fixtures/memory-socket.ts'
import { lineRegistry, smallLine } from '../fixtures/small-line.ts'

const MINUTE_MS = 60_000
type Line = Awaited<ReturnType<typeof smallLine>>
const lines: Line[] = []
const newLine = async (...of: Parameters<typeof smallLine>) => {
  lines.push(await smallLine(...of))
  return lines.at(-1) as Line
}
afterAll(() => {
  for (const { remove } of lines) remove()
})

/** Calls of the control plane for the default sandbox. */
function caller(registry: Registry) {
  const ask = controlCaller(registry)
  return (id: string, body?: object) => ask(id, { params: { id: 'default' }, body })
}

/** All responses at some instants, and pushes until the last of them. */
async function recorded(line: Line, stepMs: number, speed = 1) {
  const { registry, sandbox } = await lineRegistry(line, { speed })
  const ask = caller(registry)
  const socket = memoryTransport(registry).connect(`${PREFIX}/ws?${signed()}`) as MemorySocket
  for (const type of ['l2Book', 'bbo', 'trades', 'activeAssetCtx'])
    sendJson(socket, subscribeFrame({ type, coin: 'BTC' }))
  sendJson(socket, subscribeFrame({ type: 'candle', coin: 'BTC', interval: '1m' }))
  const answers: Record<string, string> = {}
  for (const untilMs of [MINUTE_MS, 2.5 * MINUTE_MS, 12 * MINUTE_MS]) {
    while (sandbox.position().atMs < line.tapeEndMs + untilMs) {
      const leftMs = (line.tapeEndMs + untilMs - sandbox.position().atMs) / speed
      const body = { ms: Math.min(stepMs, leftMs) }
      expect((await ask('clock.advance', body)).status).toBe(200)
    }
    expect(sandbox.position().atMs as number).toBe(line.tapeEndMs + untilMs)
    for (const [name, answer] of Object.entries(allAnswers(registry, sandbox)))
      answers[`${name} at ${untilMs}`] = answer
  }
  registry.close()
  return { answers, frames: socket.frames }
}

let known: Awaited<ReturnType<typeof recorded>>
beforeAll(async () => {
  known = await recorded(await newLine(), 20 * MINUTE_MS)
})

test('responses and frames are the same on another line, however large the steps are', async () => {
  const { answers, frames } = await recorded(await newLine(), 7_777)
  expect(differences(answers, known.answers)).toEqual([])
  expect(Object.keys(answers).length).toBeGreaterThan(300)
  expect(frames.length).toBeGreaterThan(500)
  expect(frames).toEqual(known.frames)
})

test('shown data stays unchanged, however far the market continues', async () => {
  const line = await newLine()
  const { registry, sandbox } = await lineRegistry(line, { epoch: 'tape' })
  const ask = caller(registry)
  await ask('clock.advance', { ms: 3 * MINUTE_MS })
  const shown = allAnswers(registry, sandbox)
  // Beyond the hour at whose end all state is restored from the rows.
  await ask('clock.advance', { ms: 62 * MINUTE_MS })
  await ask('playhead.set', { at: line.tapeEndMs + 3 * MINUTE_MS })
  expect(differences(allAnswers(registry, sandbox), shown)).toEqual([])
  registry.close()
})

test('ids, hashes and times of trades continue without a seam', async () => {
  const pushed = known.frames.flatMap((frame) => {
    const { channel, data } = JSON.parse(frame)
    return channel === 'trades' ? [data] : []
  })
  // The first one is the snapshot, newest first.
  const trades = [...pushed[0].toReversed(), ...pushed.slice(1).flat()]
  const ids = trades.map(({ tid }: { tid: number }) => tid)
  expect(ids.length).toBeGreaterThan(300)
  expect(new Set(ids).size).toBe(ids.length)
  const times = trades.map(({ time }: { time: number }) => time)
  expect(times).toEqual([...times].sort((a, b) => a - b))
})

test('a market that stays is shifted to the new present, in one step or in many', async () => {
  const line = await newLine()
  const shown = async (steps: readonly number[]) => {
    const { registry, sandbox } = await lineRegistry(line)
    const ask = caller(registry)
    for (const ms of steps) await ask('clock.advance', { ms, market: 'stays' })
    const { body } = await ask('clock.advance', { ms: 1_000 })
    const answers = allAnswers(registry, sandbox)
    registry.close()
    return { body, answers }
  }
  const [once, often] = [await shown([86_400_000]), await shown([80_000_000, 0, 6_400_000])]
  expect(differences(often.answers, once.answers)).toEqual([])
  const { playhead, clock } = once.body
  expect(playhead.at).toBe(line.tapeEndMs + 1_000)
  expect(clock.now).toBe(line.tapeEndMs + 86_401_000)
  expect(clock.now - playhead.shown).toBeLessThan(1_000)
})

test('an advance that would take minutes is refused, and nothing moves', async () => {
  const line = await newLine()
  const { registry } = await lineRegistry(line)
  const ask = caller(registry)
  const week = 7 * 86_400_000
  const before = await ask('sandbox.get')
  for (const [call, body] of [
    ['clock.advance', { ms: week }],
    ['clock.set', { now: line.tapeEndMs + week }],
    ['playhead.set', { at: line.tapeEndMs + week }],
  ] as const)
    expect(await ask(call, body)).toEqual({
      status: 400,
      body: {
        error:
          'the market would have to be grown by 168 hours, and more than 48 hours take minutes: ' +
          'give "force": true to wait for it, or move the clock alone with clock/advance and ' +
          '"market": "stays"',
      },
      headers: expect.anything(),
    })
  const far = await ask('clock.advance', { ms: 40 * 86_400_000, force: true })
  expect(far.body.error).toContain('at most 744 hours are grown for one call: go there in steps')
  expect((await ask('sandbox.get')).body).toEqual(before.body)
  registry.close()
})

test('a market that cannot continue reports it, and the playhead holds', async () => {
  const line = await newLine((_, { failed }) => {
    queueMicrotask(() => failed(new UserError('the disk is full')))
    return { growTo() {}, end() {} }
  })
  const { registry, sandbox } = await lineRegistry(line)
  const why = 'the market of small cannot go on: the disk is full'
  const ask = caller(registry)
  expect((await ask('clock.advance', { ms: MINUTE_MS })).body).toEqual({ error: why })
  expect(line.logged).toEqual([why])
  expect(line.line.status).toMatchObject({ grownMs: 0, failure: why })
  expect(sandbox.position().atMs as number).toBe(line.tapeEndMs)
  registry.close()
})

/** A sandbox on a line that is grown ahead of it, dropped at once. */
async function droppedOn(line: Line): Promise<WeakRef<object>> {
  const { registry, sandbox } = await lineRegistry(line, { clock: 'running' })
  registry.close()
  return new WeakRef(sandbox)
}

test('a market that is still being grown keeps no dropped sandbox', async () => {
  const line = await newLine(() => ({ growTo() {}, end() {} }))
  const dropped: WeakRef<object>[] = []
  for (let n = 0; n < 20; n++) dropped.push(await droppedOn(line))
  expect(line.line.status).toMatchObject({ grownMs: 0, wantedMs: expect.any(Number) })
  // What was referred to in this turn is kept until it ends.
  await new Promise<void>((resume) => setImmediate(resume))
  Bun.gc(true)
  // The engine may take a number on the stack for a reference.
  expect(dropped.filter((one) => one.deref() !== undefined).length).toBeLessThan(5)
})

test('a copy of a sandbox continues at its position, also when the file is gone', async () => {
  const line = await newLine()
  const { registry, sandbox } = await lineRegistry(line)
  await caller(registry)('clock.advance', { ms: 3 * MINUTE_MS })
  const state = sandboxStateOf(sandbox)
  const shown = allAnswers(registry, sandbox)
  registry.close()
  const other = await newLine()
  const elsewhere = await lineRegistry(other)
  const copy = await elsewhere.registry.replace('default', state)
  expect(differences(allAnswers(elsewhere.registry, copy), shown)).toEqual([])
  elsewhere.registry.close()
})

test('a copy of a sandbox that holds at the end of its tape has no market grown', async () => {
  const own = await newLine()
  const { registry, sandbox } = await lineRegistry(own, { end: 'hold', speed: 200 })
  await caller(registry)('clock.advance', { ms: MINUTE_MS })
  const copy = await registry.replace('default', sandboxStateOf(sandbox))
  expect([copy.position().atMs, own.line.status]).toEqual([tapeMs(own.tapeEndMs), null])
  registry.close()
})

test('a fork is the same up to its start; others continue with theirs', async () => {
  const line = await newLine()
  const { registry, sandbox } = await lineRegistry(line, { epoch: 'tape' })
  const [ask, at] = [caller(registry), line.tapeEndMs + 2 * MINUTE_MS]
  await ask('clock.advance', { ms: 2 * MINUTE_MS })
  const here = allAnswers(registry, sandbox)
  const event = { kind: 'move', coin: 'BTC', pct: -3, overS: 30 } as const
  const events = [{ event, requestedMs: at, fromMs: at }]
  const socket = memoryTransport(registry).connect(`${PREFIX}/ws?${signed('demo', -1)}`)
  sendJson(socket as MemorySocket, subscribeFrame({ type: 'trades', coin: 'BTC' }))
  sandbox.join(await line.line.branch({ t0Ms: at, events }))
  expect(differences(allAnswers(registry, sandbox), here)).toEqual([])
  await ask('clock.advance', { ms: MINUTE_MS })
  expect((socket as MemorySocket).frames.length).toBeGreaterThan(10)
  expect(sandbox.position().atMs as number).toBe(at + MINUTE_MS)
  await ask('sandbox.reset')
  expect(sandbox.world).toBe(line.line)
  registry.close()
})
