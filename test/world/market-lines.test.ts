/** A market that goes on after its tape: what it shows follows from nothing but the instant. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sandboxStateOf } from '../../src/sandbox/snapshot/state-parts.ts'
import { type MemorySocket, memoryTransport } from '../../src/transport/memory/memory-transport.ts'
import { allAnswers, differences } from '../fixtures/all-answers.ts'
import { controlCaller } from '../fixtures/control-caller.ts'
import { signed } from '../fixtures/fake-market.ts'
import { PREFIX, sendJson, subscribeFrame } from '../fixtures/memory-socket.ts'
import { lineRegistry, smallLine } from '../fixtures/small-line.ts'

const MINUTE_MS = 60_000
type Line = Awaited<ReturnType<typeof smallLine>>
const lines: Line[] = []
const newLine = async (...of: Parameters<typeof smallLine>) => {
  const line = await smallLine(...of)
  lines.push(line)
  return line
}
afterAll(() => {
  for (const { remove } of lines) remove()
})

/** Everything that is answered at some instants, and sent until the last of them. */
async function recorded(line: Line, stepMs: number, speed = 1) {
  const { registry, sandbox } = await lineRegistry(line, { speed })
  const ask = controlCaller(registry)
  const socket = memoryTransport(registry).connect(`${PREFIX}/ws?${signed()}`) as MemorySocket
  for (const type of ['l2Book', 'bbo', 'trades', 'activeAssetCtx'])
    sendJson(socket, subscribeFrame({ type, coin: 'BTC' }))
  sendJson(socket, subscribeFrame({ type: 'candle', coin: 'BTC', interval: '1m' }))
  const answers: Record<string, string> = {}
  for (const untilMs of [MINUTE_MS, 2.5 * MINUTE_MS, 12 * MINUTE_MS]) {
    while (sandbox.position().atMs < line.tapeEndMs + untilMs) {
      const leftMs = (line.tapeEndMs + untilMs - sandbox.position().atMs) / speed
      const body = { ms: Math.min(stepMs, leftMs) }
      expect((await ask('clock.advance', { params: { id: 'default' }, body })).status).toBe(200)
    }
    expect(sandbox.position().atMs as number).toBe(line.tapeEndMs + untilMs)
    for (const [name, answer] of Object.entries(allAnswers(registry, sandbox)))
      answers[`${name} at ${untilMs}`] = answer
  }
  const { frames } = socket
  registry.close()
  return { answers, frames }
}

let known: Awaited<ReturnType<typeof recorded>>
beforeAll(async () => {
  known = await recorded(await newLine(), 20 * MINUTE_MS)
})

test('answers and frames are the same on a line of one’s own, however large the steps are', async () => {
  const { answers, frames } = await recorded(await newLine(), 7_777)
  expect(differences(answers, known.answers)).toEqual([])
  expect(Object.keys(answers).length).toBeGreaterThan(300)
  expect(frames.length).toBeGreaterThan(500)
  expect(frames).toEqual(known.frames)
})
