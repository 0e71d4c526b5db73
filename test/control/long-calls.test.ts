/** Calls that take long: in slices, one by one, bounded, ended with their sandbox or caller. */
import { expect, test } from 'bun:test'
import { hostClock } from '../../src/clock/system-clock.ts'
import { Turns } from '../../src/clock/turns.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { type MemorySocket, memoryTransport } from '../../src/transport/memory/memory-transport.ts'
import { type ControlAnswer, controlCaller } from '../fixtures/control-caller.ts'
import { fakeRegistry, START_MS, signed } from '../fixtures/fake-market.ts'
import { PREFIX } from '../fixtures/test-server.ts'

/** A sandbox `mine` in a registry whose work is cut after so long. */
async function market(budgetMs: number, options = {}, seconds = 60) {
  const registry = await fakeRegistry({ epoch: 'tape' }, seconds)
  Object.assign(registry, { turns: new Turns(hostClock, budgetMs) })
  const mine = await registry.create({ name: 'mine', ...options })
  const ask = controlCaller(registry)
  const advance = (ms: number) => ask('clock.advance', { body: { ms } })
  const run = (until: string, withinMs?: number) =>
    ask('playhead.run', { body: { until, withinMs } })
  return { registry, mine, ask, advance, run }
}

type Market = Awaited<ReturnType<typeof market>>

function subscribe({ registry, mine }: Market): MemorySocket {
  const { accessKey, secretKey } = mine.keys.full
  const query = signed(accessKey, 0, secretKey)
  const socket = memoryTransport(registry).connect(`${PREFIX}/hl/ws?${query}`) as MemorySocket
  for (const type of ['trades', 'bbo', 'l2Book'])
    socket.send(JSON.stringify({ method: 'subscribe', subscription: { type, coin: 'BTC' } }))
  return socket
}

/** From now on its clock has an alarm each 10 ms. */
function setAlarms({ clock }: Sandbox): void {
  const again = () => void clock.after(10, again)
  again()
}

/** Until its clock has begun to move. */
async function begun({ clock }: Sandbox): Promise<void> {
  while (clock.nowMs() === START_MS) await hostClock.yieldTurn()
}

/** What depends on the machine is not compared. */
const withoutMachine = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (name, field) =>
    name === 'machineMs' || name === 'wallMs' ? 0 : field,
  )

test('what is answered, pushed and journalled does not depend on how work is cut', async () => {
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

test('calls that move time go one by one, in the order in which they came', async () => {
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

test('while one is on others of the sandbox are answered', async () => {
  const { mine, advance, ask } = await market(0)
  setAlarms(mine)
  const long = advance(20_000)
  await begun(mine)
  expect((await ask('sandbox.get')).status).toBe(200)
  expect((await ask('key.create', { body: { kind: 'direct' } })).status).toBe(200)
  expect(mine.clock.nowMs()).toBeLessThan(START_MS + 20_000)
  expect((await long).body.clock.now).toBe(START_MS + 20_000)
})

const END_BY: Record<string, (ask: Market['ask']) => Promise<ControlAnswer>> = {
  reset: (ask) => ask('sandbox.reset'),
  dropped: (ask) => ask('sandbox.drop'),
  'restored from a snapshot': async (ask) =>
    ask('snapshot.put', { body: (await ask('snapshot.get')).body }),
}

for (const [what, end] of Object.entries(END_BY))
  test(`a sandbox that is ${what} ends every call that is on, and says so`, async () => {
    const { mine, ask, advance, run } = await market(0)
    setAlarms(mine)
    const calls = [
      advance(3_600_000),
      ask('clock.set', { body: { now: START_MS + 7_200_000 } }),
      run('px > 0'),
      ask('await.settled', { body: { connections: 9, timeoutMs: 60_000 } }),
    ]
    await begun(mine)
    expect((await end(ask)).status).toBe(200)
    const error = `sandbox "mine" was ${what} before the call was done`
    for (const { status, body } of await Promise.all(calls))
      expect([status, body]).toEqual([409, { error }])
    expect((await advance(1_000)).status).toBe(what === 'dropped' ? 404 : 200)
  })

test('a step ends where it has come to when its caller goes away, and so does waiting', async () => {
  const { mine, ask, advance } = await market(0)
  setAlarms(mine)
  const caller = new AbortController()
  const gone = [
    ask('clock.advance', { body: { ms: 36_000_000 }, signal: caller.signal }),
    ask('await.settled', { body: { connections: 1, timeoutMs: 60_000 }, signal: caller.signal }),
  ]
  await begun(mine)
  caller.abort()
  for (const { status } of await Promise.all(gone)) expect(status).toBe(409)
  const reachedMs = mine.clock.nowMs()
  expect(reachedMs).toBeLessThan(START_MS + 36_000_000)
  expect((await advance(10)).body.clock.now).toBe(reachedMs + 10)
})

test('a search looks through one lap of a tape that loops, and the rest of one that does not', async () => {
  const { run, ask, mine } = await market(0, { at: 30_000 })
  const read = chunksRead(mine)
  const never = () => run('px > 1e9', 7 * 86_400_000)
  expect((await never()).body.error).toBe(
    'no such event within 604800000 ms of the tape: a lap of 61000 ms has none, ' +
      'and all laps are alike',
  )
  expect(read.splice(0)).toEqual([3, 4, 5, 6, 0, 1, 2, 3])
  await ask('playhead.set', { body: { end: 'hold' } })
  read.length = 0
  expect((await never()).body.error).toBe('no such event within 604800000 ms of the tape')
  expect(read).toEqual([3, 4, 5, 6])
  expect((await run('px == 131')).body.error).toBe('no such event within 61000 ms of the tape')
  await ask('playhead.set', { body: { end: 'loop' } })
  expect((await run('px == 131')).body).toMatchObject({
    event: { px: '131.0' },
    sandbox: { playhead: { lap: 1, at: START_MS + 30_000 } },
  })
})

test('a search ends when its sandbox is dropped or its caller goes away', async () => {
  for (const goes of [false, true]) {
    const { ask, mine, registry } = await market(0, {}, 6_000)
    const caller = new AbortController()
    const read = chunksRead(mine, () => (goes ? caller.abort() : registry.drop('mine')))
    const search = ask('playhead.run', { body: { until: 'px > 1e9' }, signal: caller.signal })
    expect((await search).status).toBe(409)
    expect(read).toEqual([0])
  }
})

/** Writes down which chunks of the tape are read. */
function chunksRead({ world: { timeline } }: Sandbox, onRead = () => {}): number[] {
  const read: number[] = []
  const { chunk } = timeline
  timeline.chunk = (index) => {
    read.push(index)
    onRead()
    return chunk(index)
  }
  return read
}

test('bounds of a search are named with what was asked', async () => {
  const { run } = await market(4)
  const errorOf = async (until: string, withinMs?: number) =>
    (await run(until, withinMs)).body.error
  expect(await errorOf('px > 1', 1e15)).toContain(
    'withinMs must be a whole number from 1 to 604800000, not 1000000000000000',
  )
  expect(await errorOf('x'.repeat(1_001))).toContain(
    'until must be text of 1 to 1000 characters, not of 1001',
  )
  expect(await errorOf(`${'('.repeat(490)}px > 1${')'.repeat(490)}`)).toContain(
    'at most 16 parentheses within one another, not 490',
  )
  const terms = Array.from({ length: 100 }, () => 'px>1').join(' or ')
  expect(await errorOf(terms)).toContain('at most 64 comparisons, not 100')
})

test('so many calls may be unanswered, so many of await, and still it can be dropped', async () => {
  const { mine, ask, advance } = await market(0)
  setAlarms(mine)
  const waiting = Array.from({ length: 65 }, () =>
    ask('await.settled', { body: { connections: 9, timeoutMs: 60_000 } }),
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
