/** Indicators of who stands where: long and short accounts and positions. */
import { later, type TapeMs } from '../../../clock/instant.ts'
import { raw } from '../../../decimal/quantity.ts'
import { format, share } from '../../../decimal/scaled.ts'
import { dice } from '../../../random/dice.ts'
import type { Pair } from '../pairs.ts'
import { perWorld } from '../per-world.ts'
import type { Context } from './context.ts'
import { type Crowd, crowdsAt } from './crowd.ts'
import type { Series } from './series.ts'

const accounts: Series = (of) =>
  crowds(of, 'accounts', ({ longs, shorts }, shift) => {
    const long = shift(longs.accounts, shorts.accounts)
    const ratios = isShifted(of.pair) ? [long, WHOLE - long] : [longs.accounts, shorts.accounts]
    return {
      sellAccount: part(WHOLE - long),
      buyAccount: part(long),
      ratios: ratio(ratios[0] as number, ratios[1] as number),
    }
  })

const topAccounts: Series = (of) =>
  crowds(of, 'top accounts', ({ topLongs, topShorts }, shift) => {
    const long = shift(topLongs.accounts, topShorts.accounts)
    return { buyAccount: part(long), sellAccount: part(WHOLE - long) }
  })

const topPositions: Series = (of) =>
  crowds(of, 'top positions', ({ topLongs, topShorts }, shift) => {
    const long = shift(raw(topLongs.sz), raw(topShorts.sz))
    return { buyInterest: part(long), sellInterest: part(WHOLE - long) }
  })

const borrowed: Series = (of) =>
  crowds(of, 'borrowed', ({ longs, shorts }, shift) => {
    const [lent, sold] = [raw(longs.borrowed), raw(shorts.borrowed)]
    if (!isShifted(of.pair)) return { ratios: ratio(lent, sold) }
    const long = shift(lent, sold)
    return { ratios: ratio(long, WHOLE - long) }
  })

/** By key. */
export const crowdSeries = { lsur: accounts, ttsi: topAccounts, ttmu: topPositions, mlr: borrowed }

/** Parts are counted in ten-thousandths. */
const PLACES = 4
const WHOLE = 10 ** PLACES

const part = (value: number) => format(value, PLACES, PLACES)

/** Long over short; 0 when there is no short. */
const ratio = (long: number, short: number) =>
  format(short === 0 ? 0 : share(long, WHOLE, short), PLACES, PLACES)

const isShifted = ({ exchange }: Pair) => exchange !== null

/** The part that is long, in ten-thousandths, as it is on the pair's exchange. */
type Shift = (long: number, short: number) => number

function crowds(
  { world, pair, edges }: Context,
  name: string,
  columns: (crowd: Crowd, shift: Shift) => ReturnType<Series>[number],
) {
  const { instrument, exchange } = pair
  const ends = edges.slice(1)
  return crowdsAt(world, instrument, ends).map((crowd, at) => {
    if (crowd.longs.accounts === 0) return null
    const own = exchange && offsets(world)
    const lastMs = later(ends[at] as TapeMs, -1)
    const moved = own ? own(`${name} of ${instrument.coin} on ${exchange.key}`, lastMs) : 0
    return columns(crowd, (long, short) => {
      const exact = long + short === 0 ? WHOLE / 2 : share(long, WHOLE, long + short)
      return exchange === null ? exact : Math.min(Math.max(exact + moved, LEAST), WHOLE - LEAST)
    })
  })
}

/** Nowhere else is everybody on one side. */
const LEAST = 200

const HOUR_MS = 3_600_000

/** What an exchange adds of its own to the part that is long; another one each hour. */
const offsets = perWorld(({ meta: { seed } }) => {
  const known = new Map<string, number>()
  const thrown = (name: string, most: number) => {
    const before = known.get(name)
    if (before !== undefined) return before
    const value = dice(seed, name).between(-most, most)
    known.set(name, value)
    return value
  }
  return (name: string, timeMs: TapeMs) =>
    thrown(name, 300) + thrown(`${name} in hour ${Math.floor(timeMs / HOUR_MS)}`, 100)
})
