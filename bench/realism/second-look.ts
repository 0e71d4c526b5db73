/** What a careful second look at a market found wrong at first, beside what is served now. */
import type { Column } from './column.ts'
import { comparisonsOf, type WorldSpans } from './continuity.ts'
import { FALL_FIGURES } from './crash.ts'
import { LEADER } from './figures/candle-figures.ts'
import { type Figure, isWithin, type Range } from './figures/figure.ts'

/** What was measured last. */
export interface Measured {
  /** The default world. */
  world: Column | undefined
  spans: readonly WorldSpans[]
  crash: Readonly<Record<string, number | null>>
}

/** One row: what was seen at first, what real markets do, and what is served now. */
export interface SecondLook {
  title: string
  first: string
  real: Range
  form: Figure['form']
  /** null where nothing was measured. */
  now: number | null
  /** Why it is outside of the real range; null for inside. */
  reason: string | null
}

type Finding = Pick<SecondLook, 'title' | 'first' | 'real' | 'form'> & {
  of: (measured: Measured) => number | null
  /** What is known of a value outside of the real range. */
  reason?: string
}

const ONE_DAY = 'one day after the tape is short, and each of its hours weighs'

const FINDINGS: readonly Finding[] = [
  {
    title: 'after a tape: kurtosis of hourly returns',
    first: '4.1',
    real: { min: 6.6, max: 17 },
    form: 'number',
    of: after('kurtosis'),
    reason: 'a kurtosis of 24 hours is at most some 20, and hardly ever so much',
  },
  {
    title: 'after a tape: autocorrelation of absolute hourly returns, lag 1',
    first: '0.03',
    real: { min: 0.08, max: 0.36 },
    form: 'number',
    of: after('persistence'),
    reason: 'it is estimated from 24 hours, with an error of 0.2',
  },
  {
    title: 'after a tape: correlation of absolute hourly return and logarithm of volume',
    first: '0.13',
    real: { min: 0.5, max: 0.6 },
    form: 'number',
    of: after('volume-move'),
    reason: 'within one day hours differ less, or one hour makes all of it',
  },
  {
    title: 'after a tape: hours funded at the base rate',
    first: '100 %',
    real: { min: 0.17, max: 0.85 },
    form: 'percent',
    of: after('base-funding'),
    reason: 'the premium of the tape lasts for its half-life of twelve hours',
  },
  {
    title: 'after a tape: deviation of the change of open interest in an hour',
    first: '0.47 %',
    real: { min: 0.003, max: 0.015 },
    form: 'percent',
    of: after('interest-moves'),
    reason: 'a day without a fall of some percent has small changes',
  },
  {
    title: 'turnover after the tape over that before it',
    first: '0.6 to 0.92',
    real: { min: 0.65, max: 1.5 },
    form: 'number',
    of: ({ spans }) => {
      const of = comparisonOf(spans, 'turnover')
      return of?.past && of.future ? of.future[1] / of.past[1] : null
    },
    reason: 'days differ by as much',
  },
  {
    title: 'after a tape: deviation of the logarithm of a minute’s volume',
    first: '1.15',
    real: { min: 1.1, max: 1.6 },
    form: 'number',
    of: after('minute-volume'),
    reason: 'volume after the tape is that of single orders, of which blocks are a third',
  },
  {
    title: 'after a tape: kurtosis of returns of a minute',
    first: '62 to 83',
    real: { min: 5, max: 30 },
    form: 'number',
    of: after('minute-kurtosis'),
    reason: ONE_DAY,
  },
  {
    title: 'after a tape: exponent of the tail of returns of a minute',
    first: '2.4 to 2.6',
    real: { min: 3, max: 5.5 },
    form: 'number',
    of: after('minute-tail'),
    reason: 'the largest hundredth of a day is fourteen minutes',
  },
  {
    title: 'after a tape: minutes that open at another price than the last close',
    first: '0 %',
    real: { min: 0.55, max: 0.87 },
    form: 'percent',
    of: after('opens'),
    reason: ONE_DAY,
  },
  {
    title: 'before a tape: turnover of the busiest hour of the day over that of the quietest',
    first: '2',
    real: { min: 3, max: 6.4 },
    form: 'number',
    of: inWorld('day-shape'),
    reason: 'a month of a seed has a few busy hours more, or fewer',
  },
  {
    title: 'before a tape: correlation of hourly returns, BTC and ETH',
    first: '0.52 to 0.61',
    real: { min: 0.75, max: 0.9 },
    form: 'number',
    of: inWorld('btc-eth'),
    reason: 'months of a real market differ by as much',
  },
  {
    title: 'before a tape: minutes of twenty times the usual volume without a range',
    first: '0.1 %',
    real: { max: 0.0001 },
    form: 'percent',
    of: inWorld('still-bursts'),
    reason: 'a liquidation of a large account is one order',
  },
  {
    title: 'positions on isolated margin',
    first: '92 %',
    real: { min: 0.1, max: 0.5 },
    form: 'percent',
    of: inWorld('isolated'),
    reason: 'large accounts prefer cross margin',
  },
  {
    title: 'holders of several coins who hold the most frequent set of them',
    first: '29 %',
    real: { max: 0.15 },
    form: 'percent',
    of: inWorld('same-coins'),
    reason: 'a tape of few coins has few sets of them',
  },
  {
    title: 'value of a position, median of tracked accounts',
    first: '2.8 M$',
    real: { max: 1_000_000 },
    form: 'dollars',
    of: inWorld('median-position'),
    reason: 'tracked accounts are the upper end of a venue, and about a third are whales',
  },
  ...FALL_FIGURES.map(({ title, first, real, form, reason }) => ({
    title,
    first,
    real,
    form,
    reason,
    of: ({ crash }: Measured) => crash[title] ?? null,
  })),
]

/** The rows of the table. */
export const secondLookOf = (measured: Measured): SecondLook[] =>
  FINDINGS.map(({ of, reason, ...row }) => {
    const now = of(measured)
    const isOutside = now !== null && !isWithin(now, row.real)
    return { ...row, now, reason: isOutside ? (reason ?? null) : null }
  })

/** The middle of the futures of the leader, over all worlds without a mood. */
function after(id: string) {
  return ({ spans }: Measured): number | null => comparisonOf(spans, id)?.future?.[1] ?? null
}

const comparisonOf = (spans: readonly WorldSpans[], id: string) =>
  comparisonsOf(spans).find(
    ({ recording, coin, figure }) => recording === null && coin === LEADER && figure.id === id,
  )

function inWorld(id: string) {
  return ({ world }: Measured): number | null => world?.values[id] ?? null
}
