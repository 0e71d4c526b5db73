/** Sliced answers do not depend on others in between. */
import { afterAll, expect, test } from 'bun:test'
import { later } from '../../src/clock/instant.ts'
import { runToEnd, type Slices } from '../../src/clock/turns.ts'
import type { Facts } from '../../src/contract/facts.ts'
import { DEFAULT_ANSWERS } from '../../src/contract/questions.ts'
import { minuteBarsOf } from '../../src/market/rows/minute-bars.ts'
import { tradeHoursOf } from '../../src/market/rows/trade-hours.ts'
import { TradeTally } from '../../src/market/rows/trade-tally.ts'
import type { InstrumentRow } from '../../src/market/schema/schema.ts'
import { factsOf } from '../../src/market/world/facts.ts'
import { busiestAccounts, ownSmallWorld } from '../fixtures/small-world.ts'

const [one, other] = [await ownSmallWorld(), await ownSmallWorld()]
afterAll(() => {
  one.close()
  other.close()
})

const SHIFT_MS = 12_345
const moment = { atMs: one.endMs, shiftMs: SHIFT_MS, answers: DEFAULT_ANSWERS }
const address = '0x0000000000000000000000000000000000000001'
const [{ address: trader = '' } = {}] = busiestAccounts(one)

type Fetched = (facts: Facts) => Slices<unknown>

const REQUESTED: Record<string, Fetched> = {
  candles: ({ candles }) => candles.between({ coin: 'BTC', interval: '15m', startTimeMs: 0 }),
  'candles of days': ({ candles }) =>
    candles.between({ coin: 'SOL', interval: '1d', startTimeMs: 0 }),
  fees: ({ users }) => users.fees(address),
  tickers: ({ coin }) => coin.tickers(['bitcoin', 'solana', 'purr']),
  'older tickers': ({ coin }) => coin.olderTickers(['solana']),
  'sudden changes': ({ signal }) => signal.changes({ type: '11', currency: 'usd' }),
  strategies: ({ signal }) => signal.strategyPage({ coinType: 'bitcoin', key: 'depth_win_one' }),
  'strategies by accounts': ({ signal }) =>
    signal.strategyPage({ coinType: 'bitcoin', key: 'lsur_one' }),
  'liquidations of a day': ({ mix }) => mix.liquidations({ currency: 'usd' }),
  stocks: ({ mix }) => mix.stocks(),
  'estimated liquidations': ({ futures }) =>
    futures.estimatedLiquidations({ symbol: 'btcswapusdt:okex', limit: 3, cycle: '24h' }),
  'open interest': ({ openInterest }) =>
    openInterest.history({ coin: 'BTC', windowMs: 30 * 86_400_000 }),
  insights: ({ content }) => content.insights(['bitcoin', 'solana'], 'en'),
  portfolio: ({ users }) => users.portfolio(trader),
  'book summaries': ({ orderFlow }) =>
    orderFlow.bookSummaries({ coin: 'BTC', windowMs: 3_600_000 }),
  flashes: ({ content }) => content.industryFlashes({ language: 'en' }),
  news: ({ content }) => content.news({ page: 2, pageSize: 3 }),
}

test('sliced answers taken in turns equal those given at once', () => {
  const facts = factsOf(one)(moment)
  const atOnce = Object.entries(REQUESTED).map(([name, ask]) => [name, runToEnd(ask(facts))])
  const inTurns = answeredInTurns(Object.entries(REQUESTED), factsOf(other)(moment))
  for (const [name, answer] of atOnce)
    expect([name, inTurns.get(name as string)]).toEqual([name, answer])
})

/** Takes one slice of each in turn. */
function answeredInTurns(requested: [string, Fetched][], facts: Facts): Map<string, unknown> {
  const answers = new Map<string, unknown>()
  const waiting = requested.map(([name, ask]) => ({ name, work: ask(facts), slices: 0 }))
  while (waiting.length > 0)
    for (const task of [...waiting]) {
      const step = task.work.next()
      task.slices++
      if (!step.done) continue
      answers.set(task.name, step.value)
      waiting.splice(waiting.indexOf(task), 1)
      expect([task.name, task.slices > 1]).toEqual([task.name, true])
    }
  return answers
}

test('a span of the past sums up alike from hours, from minutes and from cut minutes', () => {
  const of = one.byCoin.get('BTC') as InstrumentRow
  const { historyStartMs } = one.meta
  const facts = ({
    n,
    open,
    high,
    low,
    close,
    size,
    buyN,
    buySize,
    amount,
    buyAmount,
  }: TradeTally) => [n, open, high, low, close, size, buyN, buySize, amount, buyAmount]
  for (const hour of [1, 100, 719]) {
    const fromMs = later(historyStartMs, hour * 3_600_000)
    const whole = new TradeTally()
    minuteBarsOf(one).appendTo(whole, of, fromMs, later(fromMs, 3_600_000))
    for (const stepMs of [60_000, 7_001, 900_000]) {
      const joined = new TradeTally()
      for (let at = 0; at < 3_600_000; at += stepMs) {
        const part = new TradeTally()
        const toMs = later(fromMs, Math.min(at + stepMs, 3_600_000))
        minuteBarsOf(one).appendTo(part, of, later(fromMs, at), toMs)
        joined.append(part)
      }
      expect(facts(joined)).toEqual(facts(whole))
    }
  }
})

test('data read ahead sums up like other data', () => {
  const of = one.byCoin.get('SOL') as InstrumentRow
  const [fromMs, toMs] = [later(one.startMs, -2 * 86_400_000 - 4_321), one.endMs]
  const hours = tradeHoursOf(other)
  runToEnd(hours.read(of.id, fromMs, toMs))
  const [ahead, plain] = [
    hours.tally(of.id, fromMs, toMs),
    tradeHoursOf(one).tally(of.id, fromMs, toMs),
  ]
  expect([ahead.n, ahead.amount, ahead.high]).toEqual([plain.n, plain.amount, plain.high])
  expect(ahead.n).toBeGreaterThan(0)
})
