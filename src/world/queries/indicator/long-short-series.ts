/** Indicators of positioning: long and short accounts and positions. */
import { later } from '../../../clock/instant.ts'
import { raw } from '../../../decimal/quantity.ts'
import { format, mulDiv } from '../../../decimal/scaled.ts'
import { type LongPartKind, longPart } from '../../exchanges/long-short-parts.ts'
import { isDerived } from '../../exchanges/pair-tallies.ts'
import { type LongShortPositions, longShortAt } from '../../rows/long-short-positions.ts'
import type { IndicatorSeries, SeriesContext } from './series-context.ts'

const accounts: IndicatorSeries = (of) =>
  longShorts(of, 'accounts', ({ longs, shorts }) => [longs.accounts, shorts.accounts]).map(
    (sides) =>
      sides && {
        sellAccount: partText(PART_SCALE - sides.part),
        buyAccount: partText(sides.part),
        ratios: ratioText(sides),
      },
  )

const topAccounts: IndicatorSeries = (of) =>
  longShorts(of, 'top accounts', ({ topLongs, topShorts }) => [
    topLongs.accounts,
    topShorts.accounts,
  ]).map(
    (sides) =>
      sides && { buyAccount: partText(sides.part), sellAccount: partText(PART_SCALE - sides.part) },
  )

const topPositions: IndicatorSeries = (of) =>
  longShorts(of, 'top positions', ({ topLongs, topShorts }) => [
    raw(topLongs.sz),
    raw(topShorts.sz),
  ]).map(
    (sides) =>
      sides && {
        buyInterest: partText(sides.part),
        sellInterest: partText(PART_SCALE - sides.part),
      },
  )

const borrowed: IndicatorSeries = (of) =>
  longShorts(of, 'borrowed', ({ longs, shorts }) => [
    raw(longs.borrowed),
    raw(shorts.borrowed),
  ]).map((sides) => sides && { ratios: ratioText(sides) })

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
const ratioText = ({ long, short }: LongShort) =>
  format(short === 0 ? 0 : mulDiv(long, PART_SCALE, short), PART_DECIMALS, PART_DECIMALS)

interface LongShort {
  long: number
  short: number
  /** The long part, in ten-thousandths. */
  part: number
}

/** Both sides when each interval ended; null while nobody holds anything. */
function longShorts(
  { world, pair, edges }: SeriesContext,
  kind: LongPartKind,
  count: (positions: LongShortPositions) => [long: number, short: number],
): (LongShort | null)[] {
  const ends = edges.slice(1)
  if (isDerived(pair))
    return ends.map((endMs) => {
      const part = Math.round(PART_SCALE * longPart(world, pair, kind, later(endMs, -1)))
      return { long: part, short: PART_SCALE - part, part }
    })
  return longShortAt(world, pair.instrument, ends).map((positions) => {
    const [long, short] = count(positions)
    if (positions.longs.accounts === 0) return null
    const part = long + short === 0 ? PART_SCALE / 2 : mulDiv(long, PART_SCALE, long + short)
    return { long, short, part }
  })
}
