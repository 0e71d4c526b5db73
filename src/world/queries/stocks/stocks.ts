/** Crypto-related stocks (spec, Crypto stock). Their trading never rests. */
import type { Facts, Moment } from '../../../contract/facts.ts'
import type { Company, Gainer, StockQuote } from '../../../contract/records/stock.ts'
import { share } from '../../../decimal/scaled.ts'
import type { World } from '../../world.ts'
import { bucketOf } from '../bucket.ts'
import { MINUTE_MS, minuteOf } from '../indexes/minutes.ts'
import { LISTINGS, type Listing, listingOf, tickerOf } from './listings.ts'
import { onTick, PRICE_UNIT, stockPricesOf } from './prices.ts'
import { sharesTraded } from './volumes.ts'

type Asked = Facts['stocks']

export class Stocks implements Asked {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  quotes(tickers: string[]): StockQuote[] {
    return tickers.flatMap((ticker) => {
      const listing = listingOf(ticker)
      return listing ? this.quote(listing) : []
    })
  }

  company(ticker: string): Company | null {
    const listing = listingOf(ticker)
    if (!listing) return null
    const { name, market, country, description, announcement, price } = listing
    const { last } = this.day(listing)
    const { storyStartMs } = this.world.meta
    const known = stockPricesOf(this.world).range(
      listing,
      minuteOf(storyStartMs) + MINUTE_MS,
      minuteOf(this.moment.atMs),
    )
    const ofYear = (percent: number) => onTick(listing, (price * percent) / 100)
    return {
      company_name: name,
      ticker: this.ticker(listing),
      market: market.toUpperCase(),
      country_region: country,
      description,
      announcement,
      fdv: worth(last, listing.dilutedShares),
      market_cap: worth(last, listing.shares),
      annual_high: Math.max(known.high, ofYear(listing.yearHigh)) / PRICE_UNIT,
      annual_low: Math.min(known.low, ofYear(listing.yearLow)) / PRICE_UNIT,
    }
  }

  gainers({ us, hk, limit }: Parameters<Asked['gainers']>[0]): Gainer[] {
    const isAll = !us && !hk && this.moment.answers['stock-no-market'] === 'all'
    return LISTINGS.filter(({ isIndex }) => !isIndex)
      .filter(({ region }) => isAll || (region === 'US' ? us : hk))
      .map((listing) => ({ listing, day: this.day(listing) }))
      .map((one) => ({ ...one, rate: rateOf(one.day) }))
      .sort((a, b) => b.rate - a.rate)
      .slice(0, limit)
      .map(({ listing, day, rate }) => this.gainer(listing, day, rate))
  }

  private quote(listing: Listing): StockQuote {
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
      volume: sharesTraded(this.world)(listing, startMs, nowMs),
      market_cap: worth(last, listing.shares),
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

  private gainer(listing: Listing, { last, previous, startMs, nowMs }: Day, rate: number): Gainer {
    const isFraction = this.moment.answers['stock-change-rate'] === 'fraction'
    return {
      symbol: listing.symbol.toUpperCase(),
      name: listing.name,
      price: last / PRICE_UNIT,
      change: (last - previous) / PRICE_UNIT,
      change_rate: isFraction ? rate / 10_000 : rate / 100,
      volume: sharesTraded(this.world)(listing, startMs, nowMs),
      market_cap: worth(last, listing.shares),
      market: listing.region,
      currency: listing.region === 'US' ? 'USD' : 'HKD',
      update_time: this.time(nowMs),
    }
  }

  /** The day that clients are shown, in tape time. */
  private day(listing: Listing): Day {
    const { atMs, shiftMs } = this.moment
    const nowMs = minuteOf(atMs)
    const shown = bucketOf('1d', nowMs + shiftMs) as { startMs: number; endMs: number }
    const [startMs, endMs] = [shown.startMs - shiftMs, shown.endMs - shiftMs]
    const fromMs = minuteOf(startMs + MINUTE_MS - 1)
    const prices = stockPricesOf(this.world)
    return {
      startMs,
      endMs,
      fromMs,
      nowMs,
      last: prices.at(listing, nowMs),
      previous: prices.at(listing, fromMs - MINUTE_MS),
    }
  }

  private ticker(listing: Listing): string {
    return this.moment.answers['stock-ticker-form'] === 'key'
      ? tickerOf(listing)
      : listing.symbol.toUpperCase()
  }

  /** In the unit that the question `stock-times` says, such that it becomes whole when shown. */
  private time(timeMs: number): number {
    const { shiftMs, answers } = this.moment
    if (answers['stock-times'] === 'ms') return timeMs
    return Math.floor((timeMs + shiftMs) / 1000) - Math.round(shiftMs / 1000)
  }
}

/** A day of a stock. Instants are tape time, prices thousandths. */
interface Day {
  startMs: number
  endMs: number
  /** Its first full minute, and the last one there is. */
  fromMs: number
  nowMs: number
  last: number
  /** Last price of the day before. */
  previous: number
}

/** Change in hundredths of a percent. */
const rateOf = ({ last, previous }: Day) => share(last - previous, 10_000, previous)

/** In whole units of the currency. */
const worth = (price: number, shares: number) => share(price, shares, PRICE_UNIT)
