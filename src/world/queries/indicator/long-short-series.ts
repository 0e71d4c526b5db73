/** Indicators of positioning: long and short accounts and positions. */
import { later, type TapeMs } from '../../../clock/instant.ts'
import { raw } from '../../../decimal/quantity.ts'
import { format, mulDiv } from '../../../decimal/scaled.ts'
import { randomSource } from '../../../random/random-source.ts'
import type { Pair } from '../../exchanges/pairs.ts'
import { perWorld } from '../../per-world.ts'
import { type LongShortPositions, longShortAt } from '../../rows/long-short-positions.ts'
import type { IndicatorSeries, SeriesContext } from './series-context.ts'

const accounts: IndicatorSeries = (of) =>
  longShortRecords(of, 'accounts', ({ longs, shorts }, shift) => {
    const long = shift(longs.accounts, shorts.accounts)
    const ratios = isShifted(of.pair)
      ? [long, PART_SCALE - long]
      : [longs.accounts, shorts.accounts]
    return {
      sellAccount: partText(PART_SCALE - long),
      buyAccount: partText(long),
      ratios: ratioText(ratios[0] as number, ratios[1] as number),
    }
  })

const topAccounts: IndicatorSeries = (of) =>
  longShortRecords(of, 'top accounts', ({ topLongs, topShorts }, shift) => {
    const long = shift(topLongs.accounts, topShorts.accounts)
    return { buyAccount: partText(long), sellAccount: partText(PART_SCALE - long) }
  })

const topPositions: IndicatorSeries = (of) =>
  longShortRecords(of, 'top positions', ({ topLongs, topShorts }, shift) => {
    const long = shift(raw(topLongs.sz), raw(topShorts.sz))
    return { buyInterest: partText(long), sellInterest: partText(PART_SCALE - long) }
  })

const borrowed: IndicatorSeries = (of) =>
  longShortRecords(of, 'borrowed', ({ longs, shorts }, shift) => {
    const [lent, sold] = [raw(longs.borrowed), raw(shorts.borrowed)]
    if (!isShifted(of.pair)) return { ratios: ratioText(lent, sold) }
    const long = shift(lent, sold)
    return { ratios: ratioText(long, PART_SCALE - long) }
  })

/** By key. */
export const longShortSeries = {
  lsur: accounts,
  ttsi: topAccounts,
  ttmu: topPositions,
  mlr: borrowed,
}

/** Parts are counted in ten-thousandths. */
const PART_DECIMALS = 4
const PART_SCALE = 10 ** PART_DECIMALS

const partText = (value: number) => format(value, PART_DECIMALS, PART_DECIMALS)

/** Long over short; 0 when there is no short. */
const ratioText = (long: number, short: number) =>
  format(short === 0 ? 0 : mulDiv(long, PART_SCALE, short), PART_DECIMALS, PART_DECIMALS)

const isShifted = ({ exchange }: Pair) => exchange !== null

/** The long share, in ten-thousandths, as it is on the pair's exchange. */
type ExchangeShift = (long: number, short: number) => number

function longShortRecords(
  { world, pair, edges }: SeriesContext,
  name: string,
  columns: (
    positions: LongShortPositions,
    shift: ExchangeShift,
  ) => ReturnType<IndicatorSeries>[number],
) {
  const { instrument, exchange } = pair
  const ends = edges.slice(1)
  return longShortAt(world, instrument, ends).map((positions, at) => {
    if (positions.longs.accounts === 0) return null
    const own = exchange && shiftsOf(world)
    const lastMs = later(ends[at] as TapeMs, -1)
    const moved = own ? own(`${name} of ${instrument.coin} on ${exchange.key}`, lastMs) : 0
    return columns(positions, (long, short) => {
      const exact = long + short === 0 ? PART_SCALE / 2 : mulDiv(long, PART_SCALE, long + short)
      return exchange === null
        ? exact
        : Math.min(Math.max(exact + moved, LEAST_PART), PART_SCALE - LEAST_PART)
    })
  })
}

/** On other exchanges no side is ever empty. */
const LEAST_PART = 200

const HOUR_MS = 3_600_000

/** What an exchange adds of its own to the long share; another one each hour. */
const shiftsOf = perWorld(({ meta: { seed } }) => {
  const known = new Map<string, number>()
  const draw = (name: string, most: number) => {
    const before = known.get(name)
    if (before !== undefined) return before
    const value = randomSource(seed, name).between(-most, most)
    known.set(name, value)
    return value
  }
  return (name: string, timeMs: TapeMs) =>
    draw(name, 300) + draw(`${name} in hour ${Math.floor(timeMs / HOUR_MS)}`, 100)
})
