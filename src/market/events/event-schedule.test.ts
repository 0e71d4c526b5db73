import { expect, test } from 'bun:test'
import { FieldFlaw, flawText } from '../../contract/fields/field-check.ts'
import type { LiquiditySnapshot } from './event-kind.ts'
import { eventFor, readEvent, readPlotYaml } from './event-schedule.ts'
import { EVENT_KINDS, eventEndMs } from './market-event.ts'

const perp = (coin: string, dayVolumeUsd: number): LiquiditySnapshot => ({
  coin,
  kind: 'perp',
  openInterestUsd: 100e6,
  bidUsd: 5e6,
  askUsd: 4e6,
  dayVolumeUsd,
})

const STANDINGS: readonly LiquiditySnapshot[] = [
  perp('ETH', 400e6),
  perp('BTC', 900e6),
  { ...perp('PURR/USDC', 1e9), kind: 'spot', openInterestUsd: 0 },
]

/** Message for a given event; `fine` when there is none. */
function errorText(given: unknown): string {
  try {
    eventFor(readEvent(given), STANDINGS)
    return 'fine'
  } catch (flaw) {
    if (flaw instanceof FieldFlaw) return flawText(flaw, 'the event')
    throw flaw
  }
}

test('the examples of all kinds are valid and have a duration', () => {
  for (const { example } of EVENT_KINDS) {
    const timed = { event: readEvent(example), fromMs: 1_000 }
    expect(eventEndMs(timed)).toBeGreaterThanOrEqual(1_000)
  }
})

test('impossible events are refused with a hint', () => {
  const move = { kind: 'move', coin: 'BTC', pct: -5, overS: 120 }
  expect(errorText(move)).toBe('fine')
  expect(errorText({ ...move, pct: -100 })).toBe(
    'pct is wrong: expected number to be greater than -100, not -100 ' +
      '(size of the move in percent of the price; more than -100)',
  )
  expect(errorText({ ...move, pct: 0 })).toBe('pct is 0: that is no move')
  expect(errorText({ ...move, pct: -50, overS: 5 })).toBe(
    'overS is 5: a move by -50 % takes 14 s at least',
  )
  expect(errorText({ ...move, colour: 1 })).toBe(
    'colour is wrong: there is no "colour"; use coin, pct, overS, revertPct',
  )
  expect(errorText({ kind: 'move', coin: 'BTC' })).toStartWith('pct is missing (size of the move')
  expect(errorText({ ...move, coin: 'BTCC' })).toBe(
    'coin names no coin "BTCC" (did you mean BTC?); the market has ETH, BTC, PURR/USDC',
  )
  expect(errorText({ ...move, kind: 'mvoe' })).toBe(
    'kind is wrong: there is no kind of market event "mvoe", did you mean "move"?',
  )
  expect(errorText({ kind: 'listing', coin: 'NEW' })).toStartWith('px is missing: NEW is none')
  expect(errorText(7)).toStartWith(
    'the event must be a market event, {kind, …}: move, liquidations,',
  )
})

test("an event never exceeds its market's liquidity", () => {
  const cascade = { kind: 'liquidations', coin: 'BTC', side: 'long', usd: 30e6 }
  expect(errorText(cascade)).toBe('fine')
  expect(errorText({ ...cascade, usd: 31e6 })).toBe(
    'usd is 31000000: of BTC positions of 100000000 dollars are open, of which at most 30 % ' +
      '(30000000) can be liquidated at once',
  )
  expect(errorText({ ...cascade, coin: 'PURR/USDC' })).toBe(
    'coin is PURR/USDC, a spot pair, in which there are no positions',
  )
  const { usd: _, ...some } = cascade
  const part = readEvent({ ...some, interestPct: 2 })
  expect(eventFor(part, STANDINGS)).toEqual({ ...cascade, usd: 2e6 } as never)
  expect(errorText(some)).toBe('usd or interestPct says how much: give one of the two')
  const order = { kind: 'whale', coin: 'ETH', side: 'buy', usd: 3e6 }
  expect(errorText(order)).toStartWith(
    'usd is 3000000: the asks in the book of ETH are worth 4000000 dollars',
  )
  expect(errorText({ ...order, overS: 600 })).toBe('fine')
  expect(errorText({ ...order, usd: 500e6, overS: 600 })).toStartWith(
    'usd is 500000000: of ETH 4000',
  )
})

test('the busiest coin is a perpetual', () => {
  const halt = readEvent({ kind: 'halt', coin: 'busiest', forS: 60 })
  expect(eventFor(halt, STANDINGS)).toEqual({ kind: 'halt', coin: 'BTC', forS: 60 })
})

/** Message for a plot. */
function plotError(lines: string): string {
  try {
    const text = `market:\n${lines}`
    return JSON.stringify(
      readPlotYaml('mine.yaml', text, { standings: STANDINGS, lengthMs: 600_000 }),
    )
  } catch (error) {
    return (error as Error).message
  }
}

test("a plot's error names file, line and field", () => {
  const halt = '  - at: 30s\n    event: {kind: halt, coin: BTC, forS: 60}\n'
  expect(JSON.parse(plotError(halt))).toEqual([
    { afterMs: 30_000, event: { kind: 'halt', coin: 'BTC', forS: 60 } },
  ])
  expect(plotError('  - at: soon\n')).toStartWith('mine.yaml:2: market.0.event is missing')
  expect(plotError('  - at: 30s\n    event: {kind: halt, coin: DOGE, forS: 60}\n')).toStartWith(
    'mine.yaml:3: market.0.event.coin names no coin "DOGE"',
  )
  expect(plotError('  - at: 9m\n    event: {kind: halt, forS: 61}\n')).toBe(
    'mine.yaml:2: market.0 acts until 601 s after the beginning, and the tape ends after 600 s: ' +
      'let it begin earlier, make it shorter, or the tape longer',
  )
})

test('all errors of a plot are reported at once', () => {
  const event = (at: string, scheduled: string) => `  - at: ${at}\n    event: ${scheduled}\n`
  const unread = plotError(
    event('1s', '{kind: halt, coin: BTC, forS: 0}') +
      event('2s', '{kind: rain}') +
      event('3s', '{kind: halt, forS: 60}') +
      event('4s', '{kind: halt, forS: 60}'),
  )
  expect(unread.split('\n').map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'mine.yaml:3: market.0.event.forS',
    'mine.yaml:5: market.1.event.kind',
    'mine.yaml:8: market.3',
  ])
  const unfit = plotError(
    event('1s', '{kind: halt, coin: DOGE, forS: 60}') +
      event('2s', '{kind: whale, coin: ETH, side: buy, usd: 3000000}'),
  )
  expect(unfit.split('\n').map((line) => line.split(' ')[1])).toEqual([
    'market.0.event.coin',
    'market.1.event.usd',
  ])
  const late =
    event('9m', '{kind: halt, forS: 90}') + event('9m', '{kind: volume, factor: 2, forS: 90}')
  expect(plotError(late).split('\n')).toHaveLength(2)
})

test('events that contradict one another are both named', () => {
  const halt = '  - at: 30s\n    event: {kind: halt, coin: busiest, forS: 60}\n'
  const during = (event: string) => plotError(`${halt}  - at: 1m\n    event: ${event}\n`)
  expect(during('{kind: move, coin: BTC, pct: 2, overS: 10}')).toBe(
    'mine.yaml:4: market.1 (move of BTC) overlaps market.0 (halt of BTC), ' +
      'which acts from 30 s to 90 s: a coin that is halted does not move',
  )
  expect(during('{kind: move, coin: ETH, pct: 2, overS: 10}')).toStartWith('[{')
  expect(during('{kind: halt, forS: 10}')).toContain('it is halted already')
  expect(during('{kind: depth, factor: 2, forS: 10}')).toStartWith('[{')
  const cascade = (pct: number) =>
    plotError(
      '  - at: 1s\n    event: {kind: liquidations, coin: BTC, side: long, usd: 1000000}\n' +
        `  - at: 10s\n    event: {kind: move, coin: BTC, pct: ${pct}, overS: 60}\n`,
    )
  expect(cascade(-3)).toStartWith('[{')
  expect(cascade(3)).toContain('longs are liquidated when the price falls')
})

test.each([
  ['- at: 1m', 'the plot must be an object with title, market'],
  ['market: 7', 'market must be a list (market events with their times)'],
  ['market: [7]', 'market.0 must be an object with at, event'],
])('a plot of another form, %s, is refused with a description', (text, message) => {
  const read = () => readPlotYaml('mine.yaml', text, { standings: STANDINGS, lengthMs: 600_000 })
  expect(read).toThrow(`mine.yaml:1: ${message}`)
})
