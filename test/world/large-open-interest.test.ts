/** Open interest beyond exact micro-dollars: real venues have it. */
import { expect, test } from 'bun:test'
import { tapeMs } from '../../src/clock/instant.ts'
import { runToEnd } from '../../src/clock/turns.ts'
import type { InputEvent, TapeInput } from '../../src/market/casting/tape-input.ts'
import { openCast, WORLDS } from '../fixtures/cast-world.ts'
import { handWrittenTape } from '../fixtures/hand-written-tape.ts'
import { factsAt } from '../fixtures/small-world.ts'

/** The tape with another open interest of BTC from the start, and with or without trades. */
function tapeOf(openInterest: string, { hasTrades = true } = {}): TapeInput {
  const tape = handWrittenTape()
  return {
    ...tape,
    digest: `${tape.digest}${openInterest}${hasTrades}`,
    async *events() {
      for await (const batch of tape.events())
        yield batch
          .filter(({ kind }) => hasTrades || kind !== 'trade')
          .map((event) =>
            event.kind === 'interest' ? { ...event, data: { openInterest } } : event,
          )
    },
  }
}

test('an open interest of 58 billion dollars is cast, and all answers have it', async () => {
  const world = await openCast(tapeOf('600000'), WORLDS)
  const { openInterest, futures, content } = factsAt(world, world.endMs)
  const [btc] = openInterest.topCoins({ windowMs: 60 * 86_400_000, limit: 1 })
  const summary = openInterest.summary()
  expect(btc?.coin).toBe('BTC')
  expect(Number(btc?.longPv)).toBeWithin(55e9, 60e9)
  expect(Number(summary.longPv)).toBeGreaterThanOrEqual(Number(btc?.longPv))
  expect(summary.shortPv).toBe(summary.longPv)
  const history = runToEnd(openInterest.history({ coin: 'BTC', windowMs: 86_400_000 }))
  expect(history.length).toBeGreaterThan(3)
  const query = { language: 'en', currency: 'usd', page: 1, pageSize: 50 } as const
  for (const { show, trade, vol_coin } of runToEnd(futures.openInterestList(query)))
    if (show === 'BTC') expect(Number(trade) / Number(vol_coin)).toBeWithin(90_000, 100_000)
  const ofCoin =
    runToEnd(futures.coinMarginOpenInterest({ symbol: 'BTC', interval: '1h', limit: 24 })) ?? []
  expect(ofCoin.length).toBeGreaterThan(20)
  for (const { close } of ofCoin) expect(Number(close)).toBeGreaterThan(1e9)
  // Flashes and articles of two days quote it as well.
  for (let createTimeMs: number = world.endMs; createTimeMs > world.endMs - 2 * 86_400_000; ) {
    const page = runToEnd(
      content.industryFlashes({ language: 'en', createTimeMs: tapeMs(createTimeMs) }),
    )
    createTimeMs = (page.at(-1)?.createtime ?? 0) * 1000
  }
})

test('liquidations do not grow with an open interest that nothing trades', async () => {
  const world = await openCast(tapeOf('10000', { hasTrades: false }), WORLDS)
  const { rows } = world.db
    .query<{ rows: number }, []>('SELECT count(*) AS rows FROM liquidation')
    .get() as { rows: number }
  expect(rows).toBeWithin(100, 200_000)
})

test('refused: an open interest of more than can be cast, by coin, figure and bound', async () => {
  const tape = tapeOf('200000000')
  await expect(openCast(tape, WORLDS)).rejects.toThrow(
    /open interest of 200000000 BTC, worth 19,28\d billion .*: at most 10,000 billion dollars of/,
  )
})

test('a large open interest with hardly any trades has no millions of liquidations', async () => {
  const { header } = handWrittenTape()
  const time = header.startMs
  const data = { mark: '92001', oracle: '92000' }
  const events: InputEvent[] = [
    { time, seq: 1, kind: 'mark', coin: 'BTC', data },
    { time, seq: 2, kind: 'interest', coin: 'BTC', data: { openInterest: '1082156.5716' } },
  ]
  const tape: TapeInput = {
    digest: 'a large open interest, and no trades',
    header: { ...header, counts: { mark: 1, interest: 1 } },
    async *events(kinds) {
      yield kinds ? events.filter(({ kind }) => kinds.includes(kind)) : events
    },
  }
  const { db } = await openCast(tape, WORLDS)
  const { count } = db.query('select count(*) count from liquidation').get() as { count: number }
  expect(count).toBeWithin(1_000, 100_000)
})
