/**
 * A small part of `bun run realism --days`: a market that grows is measured beside its own past,
 * hours instead of weeks, by what minutes show of it.
 */
import { afterAll, expect, test } from 'bun:test'
import { realOf, type SpanValues, spansOfWorld } from '../../bench/realism/continuity.ts'
import { SPAN_FIGURES } from '../../bench/realism/figures/span-figures.ts'
import { smallLine } from '../fixtures/small-line.ts'

const { line, remove } = await smallLine()
afterAll(remove)
/** Two hours. */
const DAYS = 1 / 12
const UNKNOWN: SpanValues = { past: [], tape: null, future: null }
const { coins } = await spansOfWorld({ name: 'small', mood: null, recording: null }, line, DAYS)
const CRYPTO = ['BTC', 'SOL']

/** What two hours may be of the mean of those before them. */
const ALIKE = {
  turnover: [0.25, 4],
  volatility: [0.25, 4],
  'minute-volume': [0.5, 1.6],
  opens: [0.75, 1.35],
  'interest-drift': [0.95, 1.05],
} as const

test.each(Object.entries(ALIKE))('%s continues from before the tape', (id, [least, most]) => {
  for (const coin of CRYPTO) {
    const { past, future } = coins[coin]?.[id] ?? UNKNOWN
    const before = past.reduce<number>((sum, one) => sum + (one ?? Number.NaN), 0) / past.length
    const ratio = (future ?? Number.NaN) / before
    expect(ratio, `${id} of ${coin}`).toBeWithin(least, most)
  }
})

test('minutes of BTC are shaped like real ones, before and after', () => {
  for (const id of ['opens', 'minute-kurtosis']) {
    const figure = SPAN_FIGURES.find((one) => one.id === id)
    const { min = 0, max = 0 } = (figure && realOf(figure, 'BTC')) ?? {}
    const { past, future } = coins.BTC?.[id] ?? UNKNOWN
    // Some hours are quieter than each of the real days.
    for (const value of [...past, future]) expect(value).toBeWithin(0.5 * min, 1.3 * max)
  }
})
