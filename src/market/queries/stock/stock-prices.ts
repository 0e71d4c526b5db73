/**
 * Prices of stocks while their exchange trades: the first price, moved by a multiple of bitcoin's
 * return since and by an own motion. Moves outside of hours are in the next opening. A stock with a
 * token on the tape has the token's price.
 */
import { shownAt, type TapeMs } from '../../../clock/instant.ts'
import { pow10, ratio, raw } from '../../../decimal/quantity.ts'
import { randomSource } from '../../../random/random-source.ts'
import { coinsOfTape } from '../../rows/coins.ts'
import { fullMinute, minutePricesOf } from '../../rows/mark-prices.ts'
import { Cache, perWorld } from '../../world/cache.ts'
import type { World } from '../../world/world.ts'
import type { StockListing } from './stock-listings.ts'
import {
  lastTradingDay,
  type MinuteSource,
  StockSession,
  type TradingDay,
  weekdayOf,
} from './stock-session.ts'

// Random motion over trading time, as a function of the instant, without accumulation.

/** Knot distances in trading days; each path is linear between its knots. */
const SPACINGS = [16, 4, 1, 1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 512]
/** Normalises the standard deviation over a day to one. */
const SCALE = 0.69
/** Drawn together, for speed. */
const BLOCK = 16
/** Blocks kept in memory. */
const BLOCKS_MAX = 5_000

class StockMotion {
  private readonly blocks = new Cache<string, Float64Array>(BLOCKS_MAX)

  /** @param draw normal numbers for a name */
  constructor(private readonly draw: (name: string, count: number) => Float64Array) {}

  /** Motion of a name: at a position in trading time, days; its deviation over a day is one. */
  of(name: string): (place: number) => number {
    const waves = SPACINGS.map((spacing) => {
      const knot = this.knotsOf(`${name}, ${1 / spacing} a day`)
      return (place: number) => {
        const first = Math.floor(place / spacing)
        const left = knot(first)
        return Math.sqrt(spacing) * (left + (knot(first + 1) - left) * (place / spacing - first))
      }
    })
    return (place) => SCALE * waves.reduce((sum, wave) => sum + wave(place), 0)
  }

  private knotsOf(name: string): (knot: number) => number {
    let block = Number.NaN
    let values: Float64Array = NOTHING
    return (knot) => {
      const wanted = Math.floor(knot / BLOCK)
      if (wanted !== block) {
        const key = `${name}, ${wanted}`
        values = this.blocks.get(key, () => this.draw(key, BLOCK))
        block = wanted
      }
      return values[knot - BLOCK * wanted] as number
    }
  }
}

const NOTHING = new Float64Array(0)

/** Prices are counted in thousandths. */
export const PRICE_UNIT = 1000

export const stockPricesOf = perWorld((world) => new StockPrices(world))

/** Trading days of a stock kept in memory, six kilobytes each. */
const CACHE_LIMIT = 800

/** Standard deviation of a day's own motion: of each stock, and the part common to an exchange. */
const OWN_MOTION = 0.024
const EXCHANGE_MOTION = 0.01
/** An index has nearly no own motion. */
const INDEX_MOTION = 0.003
/** Share of the own motion's variance in the session. */
const IN_SESSION = 0.9
/** Extra pace of trading at the open and the close relative to the mean. */
const AT_THE_ENDS = 0.5
/** Standard deviation of the logarithm of a day's volume. */
const VOLUME_SPREAD = 0.3

class StockPrices {
  private readonly sessions = new Cache<string, StockSession>(CACHE_LIMIT)
  private readonly motion: StockMotion

  constructor(private readonly world: World) {
    this.motion = new StockMotion((name, count) => {
      const random = randomSource(world.meta.seed, `stock ${name}`)
      return Float64Array.from({ length: count }, () => random.normal())
    })
  }

  /** A trading day at a given shift of shown time. */
  session(listing: StockListing, day: TradingDay, shiftMs: number): StockSession {
    const key = `${listing.symbol}/${day.number}/${shiftMs}`
    return this.sessions.get(key, () => {
      return new StockSession(day, shiftMs, this.source(listing, day, shiftMs))
    })
  }

  private source(listing: StockListing, day: TradingDay, shiftMs: number): MinuteSource {
    const value = this.valueOf(listing, shiftMs)
    const { seed } = this.world.meta
    const ofDay = randomSource(seed, `stock volume ${listing.symbol}, day ${day.number}`).normal()
    const usual = (listing.shares * listing.turnover) / 10_000
    const level = usual * Math.exp(VOLUME_SPREAD * ofDay - VOLUME_SPREAD ** 2 / 2)
    return {
      price: (minuteMs, part) => onTick(listing, value(minuteMs, tradingPlace(day, part))),
      volume: (part, minutes, from, to) => {
        const usualMove = (from * OWN_MOTION) / Math.sqrt(minutes)
        const move = Math.min(Math.abs(to - from) / usualMove, 6)
        return (level / minutes) * pace(part) * (0.6 + 0.4 * move)
      },
    }
  }

  /** Price in the currency at a full minute and its position in trading time. */
  private valueOf(listing: StockListing, shiftMs: number) {
    const { world } = this
    const token = tokenPrice(world, listing)
    if (token) return token
    const leader = leaderReturn(world)
    const moved = this.ownMotion(listing)
    const before = moved(this.startPlace(listing, shiftMs))
    return (minuteMs: TapeMs, place: number) => {
      const followed = leader(minuteMs) ** (listing.beta / 100)
      return listing.price * followed * Math.exp(moved(place) - before)
    }
  }

  /** Logarithm of a stock's own motion factor. */
  private ownMotion({ symbol, region, isIndex }: StockListing): (place: number) => number {
    const [shared, own] = [this.motion.of(region), this.motion.of(symbol)]
    const size = isIndex ? INDEX_MOTION : OWN_MOTION
    return (place) => EXCHANGE_MOTION * shared(place) + size * own(place)
  }

  /** Position of the tape's start in trading time. */
  private startPlace({ region }: StockListing, shiftMs: number): number {
    const shown = shownAt(this.world.startMs, shiftMs)
    const day = lastTradingDay(region, shown)
    const part = (shown - day.openMs) / (day.closeMs - day.openMs)
    return tradingPlace(day, Math.min(part, 1))
  }
}

/** Weekdays since 1970; most of one passes in the session, faster at both its ends. */
function tradingPlace({ number }: TradingDay, part: number): number {
  const week = Math.floor((number + 3) / 7)
  const passed = part + (AT_THE_ENDS * Math.sin(2 * Math.PI * part)) / (2 * Math.PI)
  return 5 * week + Math.min(weekdayOf(number), 4) + 1 - IN_SESSION * (1 - passed)
}

const pace = (part: number) => 1 + AT_THE_ENDS * Math.cos(2 * Math.PI * part)

/** An amount of the currency as a price of the stock, thousandths. */
export function onTick({ price }: StockListing, value: number): number {
  const step = price < LOW_PRICE ? 1 : 10
  return Math.max(1, Math.round((value * PRICE_UNIT) / step)) * step
}

/** Prices below this have three decimals, others two. */
const LOW_PRICE = 10

/** In the currency: price of a builder dex's perpetual on the stock; null without one. */
function tokenPrice(world: World, { symbol }: StockListing): ((minuteMs: TapeMs) => number) | null {
  const token = world.instruments.find(
    ({ dex, base }) => dex !== '' && base.toLowerCase() === symbol,
  )
  const first = token?.firstPx ?? null
  if (!token || first === null) return null
  const prices = minutePricesOf(world)
  return (minuteMs) => raw(prices.at(token.id, minuteMs) ?? first) / pow10(token.pxDecimals)
}

/** Bitcoin's price relative to the start of the tape; 1 without one. */
function leaderReturn(world: World): (minuteMs: TapeMs) => number {
  const coins = [...coinsOfTape(world).values()]
  const leader = coins.find(({ asset }) => asset.key === 'bitcoin') ?? coins[0]
  if (!leader) return () => 1
  const { id } = leader.instrument
  const prices = minutePricesOf(world)
  const first = prices.at(id, fullMinute(world.startMs))
  return (minuteMs) => (first ? ratio(prices.at(id, minuteMs) ?? first, first) : 1)
}
