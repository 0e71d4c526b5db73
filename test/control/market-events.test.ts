/** Market events by calls and scenarios: answers, state and refusals. */
import { expect, test } from 'bun:test'
import { START_MS } from '../fixtures/fake-market.ts'
import { scheduledSandbox } from '../fixtures/scheduled-market.ts'

const FALL = { kind: 'move', coin: 'BTC', pct: -5, overS: 120, revertPct: 50 }

/** Status and text of a refusal. */
const erring =
  (trigger: Awaited<ReturnType<typeof scheduledSandbox>>['trigger']) => async (body: object) => {
    const answer = await trigger(body)
    return [answer.status, answer.body.error]
  }

test('the sandbox continues in a market of its own, and the answer has the event', async () => {
  const { sandbox, trigger, lines, registry } = await scheduledSandbox()
  await sandbox.clock.advance(7_000)
  const answer = await trigger(FALL)
  const { shiftMs } = sandbox.position()
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      id: 1,
      event: FALL,
      scenario: null,
      asked: START_MS + 7_000,
      from: START_MS + 7_000,
      to: START_MS + 247_000,
      shown: {
        asked: START_MS + 7_000 + shiftMs,
        from: START_MS + 7_000 + shiftMs,
        to: START_MS + 247_000 + shiftMs,
      },
      state: 'acting',
      outcome: [],
    },
  ])
  const atMs = START_MS + 7_000
  expect(lines).toEqual([[{ event: FALL, requestedMs: atMs, fromMs: atMs } as never]])
  expect(sandbox.world).not.toBe(registry.get('default')?.world as never)
  expect(sandbox.position().atMs).toBe((START_MS + 7_000) as never)
})

test('a later event is planned, acts and is done', async () => {
  const { sandbox, trigger, call } = await scheduledSandbox()
  await trigger({ kind: 'halt', coin: 'busiest', forS: 5, afterS: 10 })
  const states = async () => {
    const { body } = await call('market.events')
    return body.events.map(({ state, event }: { state: string; event: { coin: string } }) => [
      state,
      event.coin,
    ])
  }
  expect(await states()).toEqual([['planned', 'BTC']])
  await sandbox.clock.advance(12_000)
  expect(await states()).toEqual([['acting', 'BTC']])
  await sandbox.clock.advance(3_000)
  expect(await states()).toEqual([['done', 'BTC']])
})

test('a refusal changes nothing', async () => {
  const { sandbox, trigger, lines, refuse } = await scheduledSandbox()
  const error = erring(trigger)
  const { world } = sandbox
  expect(await error({ ...FALL, coin: 'ETH' })).toEqual([
    400,
    'coin names no coin "ETH"; the market has BTC',
  ])
  expect(await error({ ...FALL, pct: -100 })).toEqual([
    400,
    expect.stringContaining('pct is wrong: expected number to be greater than -100, not -100'),
  ])
  expect(await error({ ...FALL, factor: 2 })).toEqual([
    400,
    'factor is wrong: there is no "factor"; use coin, pct, overS, revertPct',
  ])
  // All errors are reported at once.
  const [, message] = await error({ ...FALL, pct: -100, overS: 'long', factor: 2 })
  expect(
    String(message)
      .split('\n')
      .map((line) => line.split(' ')[0])
      .sort(),
  ).toEqual(['factor', 'overS', 'pct'])
  expect(await error({ kind: 'listing', coin: 'NEW' })).toEqual([
    400,
    expect.stringContaining('px is missing: NEW is none of the prepared coins NOVA, ORBT'),
  ])
  refuse('the disk is full')
  expect(await error(FALL)).toEqual([400, 'the disk is full'])
  sandbox.playhead.set(sandbox.clock.nowMs(), { end: 'loop' })
  expect(await error(FALL)).toEqual([400, expect.stringContaining('set the end of the playhead')])
  expect([lines, sandbox.marketEvents.list]).toEqual([[], []])
  expect(sandbox.world).toBe(world)
})

test('a second event makes a line with both', async () => {
  const { sandbox, trigger, lines } = await scheduledSandbox()
  const error = erring(trigger)
  await trigger(FALL)
  expect(await error({ kind: 'halt', coin: 'BTC', forS: 10, afterS: 60 })).toEqual([
    400,
    'the halt of BTC would overlap market event 1 (move of BTC), which acts from 0 s to 240 s ' +
      'from now: a coin that is halted does not move',
  ])
  await sandbox.clock.advance(1_000)
  await trigger({ kind: 'depth', factor: 0.5, forS: 60 })
  expect(lines.map((events) => events.map(({ requestedMs }) => requestedMs - START_MS))).toEqual([
    [0],
    [0, 1_000],
  ])
})

test('a scenario schedules events from the position to which it sets the playhead', async () => {
  const { call, lines, sandbox } = await scheduledSandbox()
  const body = {
    title: 'A fall',
    playhead: { at: 20_000 },
    market: [
      { at: '5s', event: { ...FALL, coin: 'busiest' } },
      { at: '10s', event: { kind: 'volume', factor: 4, forS: 30 } },
    ],
    rules: [],
  }
  expect((await call('scenario.set', { body })).status).toBe(200)
  expect(sandbox.position().atMs).toBe((START_MS + 20_000) as never)
  const instants = lines.flat().map(({ requestedMs, fromMs }) => [requestedMs, fromMs])
  expect(instants.map((pair) => pair.map((timeMs) => timeMs - START_MS))).toEqual([
    [20_000, 25_000],
    [20_000, 30_000],
  ])
  const { body: scheduled } = await call('market.events')
  expect(scheduled.events.map(({ scenario }: { scenario: string }) => scenario)).toEqual([
    'inline',
    'inline',
  ])
})

test('a scenario with an impossible event is not activated', async () => {
  const { call, lines, sandbox } = await scheduledSandbox()
  const put = async (event: object) => {
    const body = { title: 'A fall', playhead: { at: 20_000 }, market: [{ at: '5s', event }] }
    return (await call('scenario.add', { body: { ...body, rules: [] } })).body.error
  }
  expect(await put({ ...FALL, coin: 'ETH' })).toBe(
    'scenario: market.0.event.coin names no coin "ETH"; the market has BTC',
  )
  const market = [
    { at: '5s', event: { ...FALL, coin: 'ETH' } },
    { at: '1h', event: { kind: 'halt', coin: 'DOGE', forS: 60 } },
  ]
  const { error } = (await call('scenario.add', { body: { title: 'Two', market, rules: [] } })).body
  expect(error.split('\n')).toEqual([
    'scenario: market.0.event.coin names no coin "ETH"; the market has BTC',
    'scenario: market.1.event.coin names no coin "DOGE"; the market has BTC',
  ])
  expect(await put({ ...FALL, pct: 'much' })).toStartWith('scenario: market.0.event.pct is wrong')
  expect(sandbox.faultInjection.activeScenarios).toEqual([])
  expect([lines, sandbox.position().atMs]).toEqual([[], START_MS as never])
})
