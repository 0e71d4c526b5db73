/** The same script leads to the same bytes, however it is stepped. */
import { afterAll, expect, test } from 'bun:test'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { allAnswers, differences } from '../fixtures/all-answers.ts'
import { controlCaller } from '../fixtures/control-caller.ts'
import { signed } from '../fixtures/fake-market.ts'
import { PREFIX, sendJson, subscribeFrame } from '../fixtures/memory-socket.ts'
import { lineRegistry, smallLine } from '../fixtures/small-line.ts'

const removals: (() => void)[] = []
afterAll(() => {
  for (const remove of removals) remove()
})

/** The responses and frames of a script with two events, on separate files. */
async function played(stepMs: number) {
  const line = await smallLine()
  const { registry, sandbox } = await lineRegistry(line, { epoch: 'tape' })
  removals.push(() => {
    registry.close()
    line.remove()
  })
  const call = controlCaller(registry)
  const ask = async (id: string, body: object) =>
    expect(await call(id, { params: { id: 'default' }, body })).toMatchObject({ status: 200 })
  const socket = memoryTransport(registry).connect(`${PREFIX}/ws?${signed()}`) as MemorySocket
  for (const type of ['trades', 'bbo', 'l2Book'])
    sendJson(socket, subscribeFrame({ type, coin: 'BTC' }))
  const advance = async (ms: number) => {
    for (let left = ms; left > 0; left -= stepMs)
      await ask('clock.advance', { ms: Math.min(left, stepMs) })
  }
  await ask('market.trigger', { kind: 'move', coin: 'BTC', pct: 4, overS: 30, afterS: 5 })
  await advance(20_000)
  const cascade = { kind: 'liquidations', coin: 'SOL', side: 'long', usd: 2_000_000 }
  await ask('market.trigger', cascade)
  await advance(35_000)
  return { frames: [...socket.frames], answers: allAnswers(registry, sandbox) }
}

test('two sandboxes with the same events have the same output, in steps of any size', async () => {
  const [one, other] = [await played(35_000), await played(700)]
  expect(differences(one.answers, other.answers)).toEqual([])
  expect(one.frames.length).toBeGreaterThan(100)
  expect(one.frames).toEqual(other.frames)
})
