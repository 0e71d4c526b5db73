/**
 * Crypto-related stocks (the service's documentation, Crypto stock). A day is a trading day of the
 * stock's exchange, on the shown calendar.
 */

import { shownAt, type TapeMs, tapeAt } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { Moment, StockFacts } from '../../../contract/facts.ts'
import type { Company, Gainer, StockQuote } from '../../../contract/records/stock.ts'
import { mulDiv } from '../../../decimal/quantity.ts'
import type { World } from '../../world/world.ts'
import { STOCK_LISTINGS, type StockListing, stockListing, tickerOf } from './stock-listings.ts'
import { onTick, PRICE_UNIT, stockPricesOf } from './stock-prices.ts'
import type { StockSession } from './stock-session.ts'
import { lastTradingDay, type TradingDay, tradingDayBefore } from './stock-session.ts'

export class StockQueries implements StockFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  quotes(tickers: string[]): StockQuote[] {
    return tickers.flatMap((ticker) => {
      const listing = stockListing(ticker)
      return listing ? this.quote(listing) : []
    })
  }

  *company(ticker: string): Slices<Company | null> {
    const listing = stockListing(ticker)
    if (!listing) return null
    const { name, market, country, description, announcement, price } = listing
    const { last } = this.day(listing)
    const known = yield* this.knownRange(listing)
    const ofYear = (percent: number) => onTick(listing, (price * percent) / 100)
    return {
      company_name: name,
      ticker: this.ticker(listing),
      market: market.toUpperCase(),
      country_region: country,
      description,
      announcement,
      fdv: marketValue(last, listing.dilutedShares),
      market_cap: marketValue(last, listing.shares),
      annual_high: Math.max(known.high, ofYear(listing.yearHigh)) / PRICE_UNIT,
      annual_low: Math.min(known.low, ofYear(listing.yearLow)) / PRICE_UNIT,
    }
  }

  *gainers({ us, hk, limit }: Parameters<StockFacts['gainers']>[0]): Slices<Gainer[]> {
    const isAll = !us && !hk && this.moment.answers['stock-no-market'] === 'all'
    const listed = STOCK_LISTINGS.filter(
      ({ isIndex, region }) => !isIndex && (isAll || (region === 'US' ? us : hk)),
    )
    const days: { listing: StockListing; day: StockDay; rate: number }[] = []
    for (const listing of listed) {
      const day = this.day(listing)
      days.push({ listing, day, rate: changeRate(day) })
      yield
    }
    const gainers: Gainer[] = []
    for (const { listing, day, rate } of days.sort((a, b) => b.rate - a.rate).slice(0, limit)) {
      gainers.push(this.gainer(listing, day, rate))
      yield
    }
    return gainers
  }

  private quote(listing: StockListing): StockQuote {
    const { session, last, previous, nowMs } = this.day(listing)
    const { day, firstMs } = session
    const open = session.priceAt(firstMs) / PRICE_UNIT
    const { high, low } = session.range(nowMs)
    const { answers, shiftMs } = this.moment
    const quote = {
      ticker: this.ticker(listing),
      company_name: listing.name,
      last_price: last / PRICE_UNIT,
      open,
      close: (answers['stock-quote-close'] === 'present' ? last : previous) / PRICE_UNIT,
      high: high / PRICE_UNIT,
      low: low / PRICE_UNIT,
      volume: session.volumeAt(nowMs),
      market_cap: marketValue(last, listing.shares),
      timestamp: this.time(nowMs),
    }
    if (answers['stock-quote-day'] === 'absent') return quote
    return {
      ...quote,
      open_today: open,
      start_ts: this.time(tapeAt(day.openMs, shiftMs)),
      end_ts: this.time(tapeAt(day.closeMs, shiftMs)),
    }
  }

  private gainer(
    listing: StockListing,
    { session, last, previous, nowMs }: StockDay,
    rate: number,
  ): Gainer {
    const isFraction = this.moment.answers['stock-change-rate'] === 'fraction'
    return {
      symbol: listing.symbol.toUpperCase(),
      name: listing.name,
      price: last / PRICE_UNIT,
      change: (last - previous) / PRICE_UNIT,
      change_rate: isFraction ? rate / 10_000 : rate / 100,
      volume: session.volumeAt(nowMs),
      market_cap: marketValue(last, listing.shares),
      market: listing.region,
      currency: listing.region === 'US' ? 'USD' : 'HKD',
      update_time: this.time(nowMs),
    }
  }

  /** The trading day in shown time, or the last one before it. */
  private day(listing: StockListing): StockDay {
    const { atMs, shiftMs } = this.moment
    const day = lastTradingDay(listing.region, shownAt(atMs, shiftMs))
    const before = this.session(listing, tradingDayBefore(listing.region, day))
    const opened = this.session(listing, day)
    // Its first full minute may be in the future.
    const session = opened.firstMs <= atMs ? opened : before
    const earlier = session === opened ? before : this.sessionBefore(listing, before)
    const nowMs = session.lastMs(atMs)
    return { session, nowMs, last: session.priceAt(nowMs), previous: earlier.priceAt(atMs) }
  }

  private session(listing: StockListing, day: TradingDay): StockSession {
    return stockPricesOf(this.world).session(listing, day, this.moment.shiftMs)
  }

  private sessionBefore(listing: StockListing, { day }: StockSession): StockSession {
    return this.session(listing, tradingDayBefore(listing.region, day))
  }

  /** Over all days since the history began. */
  private *knownRange(listing: StockListing): Slices<{ high: number; low: number }> {
    const { atMs } = this.moment
    let { session } = this.day(listing)
    let { high, low } = session.range(atMs)
    for (;;) {
      yield
      session = this.sessionBefore(listing, session)
      if (session.firstMs <= this.world.meta.historyStartMs) return { high, low }
      const range = session.range(atMs)
      high = Math.max(high, range.high)
      low = Math.min(low, range.low)
    }
  }

  private ticker(listing: StockListing): string {
    return this.moment.answers['stock-ticker-form'] === 'key'
      ? tickerOf(listing)
      : listing.symbol.toUpperCase()
  }

  /** In the unit of the question `stock-times`, chosen so that it is whole in shown time. */
  private time(timeMs: TapeMs): number {
    const { shiftMs, answers } = this.moment
    if (answers['stock-times'] === 'ms') return timeMs
    return Math.floor(shownAt(timeMs, shiftMs) / 1000) - Math.round(shiftMs / 1000)
  }
}

/** A trading day of a stock. Prices are thousandths. */
interface StockDay {
  session: StockSession
  /** The last full minute with trading. */
  nowMs: TapeMs
  last: number
  /** Last price of the day before. */
  previous: number
}

/** Change in hundredths of a percent. */
const changeRate = ({ last, previous }: StockDay) => mulDiv(last - previous, 10_000, previous)

/** In whole units of the currency. */
const marketValue = (price: number, shares: number) => mulDiv(price, shares, PRICE_UNIT)
