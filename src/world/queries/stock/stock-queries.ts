/** Crypto-related stocks (the service's documentation, Crypto stock). Their trading never rests. */
import { later, type ShownMs, shownAt, type TapeMs, tapeAt } from '../../../clock/instant.ts'
import type { StockFacts } from '../../../contract/facts/stock.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { Company, Gainer, StockQuote } from '../../../contract/records/stock.ts'
import { mulDiv } from '../../../decimal/scaled.ts'
import { fullMinute, MINUTE_MS } from '../../rows/minute-prices.ts'
import { bucketOf, type TimeBucket } from '../../shown-time/time-bucket.ts'
import type { World } from '../../world.ts'
import { sharesTradedOf } from './share-volumes.ts'
import { STOCK_LISTINGS, type StockListing, stockListing, tickerOf } from './stock-listings.ts'
import { onTick, PRICE_UNIT, stockPricesOf } from './stock-prices.ts'

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

  company(ticker: string): Company | null {
    const listing = stockListing(ticker)
    if (!listing) return null
    const { name, market, country, description, announcement, price } = listing
    const { last } = this.day(listing)
    const { historyStartMs } = this.world.meta
    const known = stockPricesOf(this.world).range(
      listing,
      later(fullMinute(historyStartMs), MINUTE_MS),
      fullMinute(this.moment.atMs),
    )
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

  gainers({ us, hk, limit }: Parameters<StockFacts['gainers']>[0]): Gainer[] {
    const isAll = !us && !hk && this.moment.answers['stock-no-market'] === 'all'
    return STOCK_LISTINGS.filter(({ isIndex }) => !isIndex)
      .filter(({ region }) => isAll || (region === 'US' ? us : hk))
      .map((listing) => ({ listing, day: this.day(listing) }))
      .map((one) => ({ ...one, rate: changeRate(one.day) }))
      .sort((a, b) => b.rate - a.rate)
      .slice(0, limit)
      .map(({ listing, day, rate }) => this.gainer(listing, day, rate))
  }

  private quote(listing: StockListing): StockQuote {
    const { last, previous, fromMs, nowMs, startMs, endMs } = this.day(listing)
    const prices = stockPricesOf(this.world)
    const open = prices.at(listing, fromMs) / PRICE_UNIT
    const { high, low } = prices.range(listing, fromMs, nowMs)
    const { answers } = this.moment
    const quote = {
      ticker: this.ticker(listing),
      company_name: listing.name,
      last_price: last / PRICE_UNIT,
      open,
      close: (answers['stock-quote-close'] === 'present' ? last : previous) / PRICE_UNIT,
      high: high / PRICE_UNIT,
      low: low / PRICE_UNIT,
      volume: sharesTradedOf(this.world)(listing, startMs, nowMs),
      market_cap: marketValue(last, listing.shares),
      timestamp: this.time(nowMs),
    }
    if (answers['stock-quote-day'] === 'absent') return quote
    return {
      ...quote,
      open_today: open,
      start_ts: this.time(startMs),
      end_ts: this.time(endMs),
    }
  }

  private gainer(
    listing: StockListing,
    { last, previous, startMs, nowMs }: StockDay,
    rate: number,
  ): Gainer {
    const isFraction = this.moment.answers['stock-change-rate'] === 'fraction'
    return {
      symbol: listing.symbol.toUpperCase(),
      name: listing.name,
      price: last / PRICE_UNIT,
      change: (last - previous) / PRICE_UNIT,
      change_rate: isFraction ? rate / 10_000 : rate / 100,
      volume: sharesTradedOf(this.world)(listing, startMs, nowMs),
      market_cap: marketValue(last, listing.shares),
      market: listing.region,
      currency: listing.region === 'US' ? 'USD' : 'HKD',
      update_time: this.time(nowMs),
    }
  }

  /** The day that clients are shown, in tape time. */
  private day(listing: StockListing): StockDay {
    const { atMs, shiftMs } = this.moment
    const nowMs = fullMinute(atMs)
    const shown = bucketOf('1d', shownAt(nowMs, shiftMs)) as TimeBucket<ShownMs>
    const startMs = tapeAt(shown.startMs, shiftMs)
    const fromMs = fullMinute(later(startMs, MINUTE_MS - 1))
    const prices = stockPricesOf(this.world)
    return {
      startMs,
      endMs: tapeAt(shown.endMs, shiftMs),
      fromMs,
      nowMs,
      last: prices.at(listing, nowMs),
      previous: prices.at(listing, later(fromMs, -MINUTE_MS)),
    }
  }

  private ticker(listing: StockListing): string {
    return this.moment.answers['stock-ticker-form'] === 'key'
      ? tickerOf(listing)
      : listing.symbol.toUpperCase()
  }

  /** In the unit that the question `stock-times` says, such that it becomes whole when shown. */
  private time(timeMs: TapeMs): number {
    const { shiftMs, answers } = this.moment
    if (answers['stock-times'] === 'ms') return timeMs
    return Math.floor(shownAt(timeMs, shiftMs) / 1000) - Math.round(shiftMs / 1000)
  }
}

/** A day of a stock. Prices are thousandths. */
interface StockDay {
  startMs: TapeMs
  endMs: TapeMs
  /** Its first full minute, and the last one there is. */
  fromMs: TapeMs
  nowMs: TapeMs
  last: number
  /** Last price of the day before. */
  previous: number
}

/** Change in hundredths of a percent. */
const changeRate = ({ last, previous }: StockDay) => mulDiv(last - previous, 10_000, previous)

/** In whole units of the currency. */
const marketValue = (price: number, shares: number) => mulDiv(price, shares, PRICE_UNIT)
