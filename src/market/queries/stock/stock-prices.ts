/**
 * What stocks cost while their exchange trades: their first price, moved by a multiple of what
 * bitcoin did since and by a motion of their own. What happens while it rests is in the next
 * opening. A stock whose token is traded on the tape costs what the token does.
 */
import { shownAt, type TapeMs } from '../../../clock/instant.ts'
import { ratio, raw } from '../../../decimal/quantity.ts'
import { pow10 } from '../../../decimal/scaled.ts'
import { randomSource } from '../../../random/random-source.ts'
import { coinsOfTape } from '../../rows/coins.ts'
import { fullMinute, minutePricesOf } from '../../rows/minute-prices.ts'
import { Cache } from '../../world/cache.ts'
import { perWorld } from '../../world/per-world.ts'
import type { World } from '../../world/world.ts'
import { weekdayOf } from './exchange-holidays.ts'
import type { StockListing } from './stock-listings.ts'
import { StockMotion } from './stock-motion.ts'
import { type MinuteSource, StockSession } from './stock-session.ts'
import { lastTradingDay, type TradingDay } from './trading-days.ts'

/** Prices are counted in thousandths. */
export const PRICE_UNIT = 1000

export const stockPricesOf = perWorld((world) => new StockPrices(world))

/** Trading days of a stock kept in memory, six kilobytes each. */
const CACHE_LIMIT = 800

/** Standard deviation of a day's own motion: of each stock, and of all on an exchange together. */
const OWN_MOTION = 0.024
const EXCHANGE_MOTION = 0.01
/** An index hardly has a motion of its own. */
const INDEX_MOTION = 0.003
/** Part of the own motion's variance that falls into the session. */
const IN_SESSION = 0.9
/** How much faster trade goes at the opening and at the close than on average. */
const AT_THE_ENDS = 0.5
/** Standard deviation of the logarithm of a day's volume. */
const VOLUME_SPREAD = 0.3

export class StockPrices {
  private readonly sessions = new Cache<string, StockSession>(CACHE_LIMIT)
  private readonly motion: StockMotion

  constructor(private readonly world: World) {
    this.motion = new StockMotion((name, count) => {
      const random = randomSource(world.meta.seed, `stock ${name}`)
      return Float64Array.from({ length: count }, () => random.normal())
    })
  }

  /** A trading day as those see it to whom tape time is shown so much later. */
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

  /** The price in the currency at a full minute and its place in trading time. */
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

  /** Logarithm of the factor by which a stock moves besides what it follows. */
  private ownMotion({ symbol, region, isIndex }: StockListing): (place: number) => number {
    const [shared, own] = [this.motion.of(region), this.motion.of(symbol)]
    const size = isIndex ? INDEX_MOTION : OWN_MOTION
    return (place) => EXCHANGE_MOTION * shared(place) + size * own(place)
  }

  /** Where the tape begins in trading time. */
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

/** Below this a price has three decimals, else two. */
const LOW_PRICE = 10

/** In the currency: that of the perpetual of a builder dex on the stock; null without one. */
function tokenPrice(world: World, { symbol }: StockListing): ((minuteMs: TapeMs) => number) | null {
  const token = world.instruments.find(
    ({ dex, base }) => dex !== '' && base.toLowerCase() === symbol,
  )
  const first = token?.firstPx ?? null
  if (!token || first === null) return null
  const prices = minutePricesOf(world)
  return (minuteMs) => raw(prices.at(token.id, minuteMs) ?? first) / pow10(token.pxDecimals)
}

/** Bitcoin's price over that when the tape begins; 1 where there is none. */
function leaderReturn(world: World): (minuteMs: TapeMs) => number {
  const coins = [...coinsOfTape(world).values()]
  const leader = coins.find(({ asset }) => asset.key === 'bitcoin') ?? coins[0]
  if (!leader) return () => 1
  const { id } = leader.instrument
  const prices = minutePricesOf(world)
  const first = prices.at(id, fullMinute(world.startMs))
  return (minuteMs) => (first ? ratio(prices.at(id, minuteMs) ?? first, first) : 1)
}
