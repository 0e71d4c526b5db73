/** Long calls: in slices, sequential, bounded, ended with their sandbox or caller. */
import { expect, test } from 'bun:test'
import { hostClock } from '../../src/clock/system-clock.ts'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import type { ControlAnswer } from '../fixtures/control-caller.ts'
import { START_MS, signed } from '../fixtures/fake-market.ts'
import { PREFIX, serveRegistry } from '../fixtures/test-server.ts'
import { begun, market, setAlarms, type TurnsMarket } from '../fixtures/turns-market.ts'

function subscribe({ registry, mine }: TurnsMarket): MemorySocket {
  const { accessKey, secretKey } = mine.keys.full
  const query = signed(accessKey, 0, secretKey)
  const socket = memoryTransport(registry).connect(`${PREFIX}/hl/ws?${query}`) as MemorySocket
  for (const type of ['trades', 'bbo', 'l2Book'])
    socket.send(JSON.stringify({ method: 'subscribe', subscription: { type, coin: 'BTC' } }))
  return socket
}

/** Values that depend on the machine are not compared. */
const withoutMachine = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (name, field) =>
    name === 'machineMs' || name === 'wallMs' ? 0 : field,
  )

test('responses, pushes and journal do not depend on how work is cut', async () => {
  const all = async (budgetMs: number) => {
    const here = await market(budgetMs)
    const { ask, advance, run, mine } = here
    const { frames } = subscribe(here)
    const answers = [
      await advance(20_000),
      await run('kind == trade and px > 130'),
      await ask('playhead.step', { body: { kind: 'bbo' } }),
      await ask('clock.set', { body: { now: START_MS + 50_500 } }),
      await ask('playhead.set', { body: { at: 5_000 } }),
      await run('px > 1e9'),
      await advance(30_000),
      await ask('journal.read', { query: 'limit=1000' }),
      await ask('snapshot.get'),
    ]
    return withoutMachine({ answers, frames, entries: [...mine.journal.after(0)] })
  }
  const whole = await all(1e9)
  expect(whole.frames.length).toBeGreaterThan(100)
  expect(whole.answers.map(({ status }) => status)).toEqual([
    ...[200, 200, 200, 200, 200, 400, 200, 200, 200],
  ])
  expect(await all(0)).toEqual(whole)
})

test('calls that move time run one by one, in the order of arrival', async () => {
  const here = await market(0)
  subscribe(here)
  const first = here.advance(20_000)
  const step = here.ask('playhead.step', { body: { kind: 'trade' } })
  const second = here.advance(3_000)
  const at = (ms: number) => ({ clock: { now: START_MS + ms } })
  expect((await first).body).toMatchObject(at(20_000))
  expect((await step).body).toMatchObject({ event: { time: START_MS + 22_000 } })
  expect((await second).body).toMatchObject(at(25_000))
})

test('during one, other calls of the sandbox are answered', async () => {
  const { mine, advance, ask } = await market(0)
  setAlarms(mine)
  const long = advance(20_000)
  await begun(mine)
  expect((await ask('sandbox.get')).status).toBe(200)
  expect((await ask('key.create', { body: { kind: 'direct' } })).status).toBe(200)
  expect(mine.clock.nowMs()).toBeLessThan(START_MS + 20_000)
  expect((await long).body.clock.now).toBe(START_MS + 20_000)
})

const END_BY: Record<string, (ask: TurnsMarket['ask']) => Promise<ControlAnswer>> = {
  reset: (ask) => ask('sandbox.reset'),
  dropped: (ask) => ask('sandbox.drop'),
  'restored from a snapshot': async (ask) =>
    ask('snapshot.put', { body: (await ask('snapshot.get')).body }),
}

for (const [what, end] of Object.entries(END_BY))
  test(`a sandbox that is ${what} ends every pending call, with the reason`, async () => {
    const { mine, ask, advance, run } = await market(0)
    setAlarms(mine)
    const calls = [
      advance(3_600_000),
      ask('clock.set', { body: { now: START_MS + 7_200_000 } }),
      run('px > 0'),
      ask('await', { body: { connections: 9, timeoutMs: 60_000 } }),
    ]
    await begun(mine)
    expect((await end(ask)).status).toBe(200)
    const error = `sandbox "mine" was ${what} before the call was done`
    for (const { status, body } of await Promise.all(calls))
      expect([status, body]).toEqual([409, { error }])
    expect((await advance(1_000)).status).toBe(what === 'dropped' ? 404 : 200)
  })

test('calls that end others are not ended by them: a reset and a drop both complete', async () => {
  const { ask, registry } = await market(0)
  const [reset, again, drop] = [ask('sandbox.reset'), ask('sandbox.reset'), ask('sandbox.drop')]
  expect([await reset, await again, await drop].map(({ status }) => status)).toEqual([
    200, 200, 200,
  ])
  expect(registry.get('mine')).toBeUndefined()
})

test('a step and a wait stop when their caller disconnects', async () => {
  const { mine, ask, advance } = await market(0)
  setAlarms(mine)
  const caller = new AbortController()
  const gone = [
    ask('clock.advance', { body: { ms: 36_000_000 }, signal: caller.signal }),
    ask('await', { body: { connections: 1, timeoutMs: 60_000 }, signal: caller.signal }),
  ]
  await begun(mine)
  caller.abort()
  for (const { status } of await Promise.all(gone)) expect(status).toBe(409)
  const reachedMs = mine.clock.nowMs()
  expect(reachedMs).toBeLessThan(START_MS + 36_000_000)
  expect((await advance(10)).body.clock.now).toBe(reachedMs + 10)
})

test('pending calls are bounded, and the sandbox can still be dropped', async () => {
  const { mine, ask, advance } = await market(0)
  setAlarms(mine)
  const waiting = Array.from({ length: 65 }, () =>
    ask('await', { body: { connections: 9, timeoutMs: 60_000 } }),
  )
  expect(await waiting.pop()).toMatchObject({
    status: 429,
    body: {
      error:
        '64 calls of await are not answered yet for sandbox "mine", at most 64: ' +
        'wait for some to end',
    },
  })
  const advances = Array.from({ length: 193 }, () => advance(86_400_000))
  expect(await advances.pop()).toMatchObject({
    status: 429,
    body: {
      error: '256 calls are not answered yet for sandbox "mine", at most 256: wait for some to end',
    },
  })
  expect((await ask('sandbox.drop')).status).toBe(200)
  for (const { status } of await Promise.all([...waiting, ...advances])) expect(status).toBe(409)
})

test('alarms that fall due together on a running clock let others take turns', async () => {
  const { registry, mine, ask } = await market(0, { clock: 'running' })
  const other = await registry.create({ name: 'other', clock: 'running' })
  let fired = 0
  const atMs = mine.clock.nowMs()
  for (let n = 0; n < 1_000; n++) mine.clock.at(atMs, () => fired++)
  while (fired === 0) await hostClock.yieldTurn()
  expect((await ask('sandbox.get', { params: { id: other.id } })).status).toBe(200)
  expect(fired).toBeLessThan(1_000)
  const held = await ask('clock.set', { body: { state: 'held' } })
  expect(held.body.clock.state).toBe('held')
  await ask('clock.advance', { body: { ms: 0 } })
  expect(fired).toBe(1_000)
})

test('a disconnect is noticed on a port too', async () => {
  const { registry, mine } = await market(0)
  setAlarms(mine)
  const { origin } = await serveRegistry(registry)
  const caller = new AbortController()
  const advance = fetch(`${origin}/_control/sandboxes/mine/clock/advance`, {
    method: 'POST',
    body: '{"ms":36000000000}',
    signal: caller.signal,
  })
  await begun(mine)
  caller.abort()
  await expect(advance).rejects.toThrow()
  const next = await fetch(`${origin}/_control/sandboxes/mine/clock/advance`, {
    method: 'POST',
    body: '{"ms":0}',
  })
  expect(next.status).toBe(200)
})
