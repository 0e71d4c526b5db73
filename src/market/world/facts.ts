/** The world's facts: one facet per group of queries, created lazily. */

import type { TapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import type { MarketFacts } from '../../contract/facts/perpdex/traders.ts'
import type { Facts, MixFacts, Moment } from '../../contract/facts.ts'
import type { Trade } from '../../contract/records/fill.ts'
import type { NavItem, StockMarketItem, TrustCoin } from '../../contract/records/mix.ts'
import type { StockQuote } from '../../contract/records/stock.ts'
import { format, mulDiv } from '../../decimal/quantity.ts'
import { accountOfOrder, accountWorld, crowdHeld } from '../crowd/account-world.ts'
import { CoinQueries } from '../queries/coin/coin-queries.ts'
import { ContentQueries } from '../queries/content/content-queries.ts'
import { FuturesQueries } from '../queries/futures/futures-queries.ts'
import { IndicatorQueries } from '../queries/indicator/indicator-queries.ts'
import { MarketIndexQueries } from '../queries/market-index/market-index-queries.ts'
import { scalesOf, trustOf } from '../queries/mix/fund-trusts.ts'
import { liquidationDetail } from '../queries/mix/liquidation-detail.ts'
import { longShortRatio } from '../queries/mix/long-short-ratio.ts'
import { navigationOf } from '../queries/mix/navigation.ts'
import { AccountQueries } from '../queries/perpdex/accounts/account-queries.ts'
import { AssetContextQueries } from '../queries/perpdex/asset-contexts/context-queries.ts'
import { BookQueries } from '../queries/perpdex/books/book-queries.ts'
import { CandleQueries } from '../queries/perpdex/candles/candle-queries.ts'
import { CompletedTradeQueries } from '../queries/perpdex/completed-trades/trade-queries.ts'
import { FillQueries } from '../queries/perpdex/fills/fill-queries.ts'
import { LiquidationQueries } from '../queries/perpdex/liquidations/liquidation-queries.ts'
import { OpenInterestQueries } from '../queries/perpdex/open-interest/open-interest-queries.ts'
import { OrderFlowQueries } from '../queries/perpdex/order-flow/order-flow-queries.ts'
import { OrderQueries } from '../queries/perpdex/orders/order-queries.ts'
import { PnlCurveQueries } from '../queries/perpdex/pnl-curves/pnl-curve.ts'
import { PositionQueries } from '../queries/perpdex/positions/position-queries.ts'
import { TraderQueries } from '../queries/perpdex/traders/trader-queries.ts'
import { TwapQueries } from '../queries/perpdex/twaps/twap-queries.ts'
import { UserQueries } from '../queries/perpdex/users/user-queries.ts'
import { VenueQueries } from '../queries/perpdex/venue/venue-queries.ts'
import { WhaleQueries } from '../queries/perpdex/whales/whale-queries.ts'
import { SignalQueries } from '../queries/signal/signal-queries.ts'
import { STOCK_LISTINGS, type StockListing, tickerOf } from '../queries/stock/stock-listings.ts'
import { PRICE_UNIT } from '../queries/stock/stock-prices.ts'
import { StockQueries } from '../queries/stock/stock-queries.ts'
import { markPx } from '../rows/mark-prices.ts'
import { lastPx, TRADES, tradeRecords } from '../rows/trade-rows.ts'
import { type InstrumentRow, pxText } from '../schema/schema.ts'
import { perWorld } from './cache.ts'
import { worldAsOf } from './market-standing.ts'
import type { World } from './world.ts'

/** A query that may name a crowd account by its address. */
type Query = (...given: unknown[]) => unknown

/**
 * Redirects queries to crowd accounts. A query whose first argument is a crowd address, or contains
 * one, is answered from that account's world; for a list of addresses each is answered separately.
 *
 * @param ofOrders queries by order number: redirected where no trader has such an order
 */
function byAddress<Q extends object>(
  market: World,
  queriesOf: (world: World) => Q,
  ofOrders: readonly (keyof Q)[] = [],
): Q {
  const own = queriesOf(market)
  return new Proxy(own, {
    get(queries, name) {
      const requested = Reflect.get(queries, name, queries)
      if (typeof requested !== 'function') return requested
      if (ofOrders.includes(name as keyof Q))
        return (oid: unknown) => ofOrder(market, queriesOf, requested.bind(queries), name, oid)
      return (...given: unknown[]) => answer(market, queriesOf, own, name, given)
    },
  })
}

function ofOrder<Q extends object>(
  market: World,
  queriesOf: (world: World) => Q,
  own: Query,
  name: string | symbol,
  oid: unknown,
): unknown {
  const known = own(oid)
  if (known !== null && !(Array.isArray(known) && known.length === 0)) return known
  const account = accountOfOrder(market, Number(oid))
  if (account === null) return known
  const queries = queriesOf(account)
  return (Reflect.get(queries, name, queries) as Query).call(queries, oid)
}

function answer<Q extends object>(
  market: World,
  queriesOf: (world: World) => Q,
  own: Q,
  name: string | symbol,
  given: unknown[],
): unknown {
  const ask = (queries: Q, ...with_: unknown[]) =>
    (Reflect.get(queries, name, queries) as Query).apply(queries, with_)
  const [first, ...others] = given
  if (!Array.isArray(first)) {
    const account = accountOf(market, first)
    return ask(account ? queriesOf(account) : own, ...given)
  }
  const accounts = first.map((one) => accountOf(market, one))
  if (accounts.every((account) => account === null)) return ask(own, ...given)
  return first.flatMap((one, at) => {
    const account = accounts[at]
    return ask(account ? queriesOf(account) : own, [one], ...others) as unknown[]
  })
}

function accountOf(market: World, requested: unknown): World | null {
  const address =
    typeof requested === 'string' ? requested : (requested as { address?: unknown } | null)?.address
  return typeof address === 'string' ? accountWorld(market, address) : null
}

/** Last prices and public trades. */
class MarketQueries implements MarketFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  tickers(): { coin: string; price: string }[] {
    return this.world.listed.flatMap((instrument) => this.last(instrument) ?? [])
  }

  ticker(coin: string): { coin: string; price: string } | null {
    const instrument = this.world.byCoin.get(coin)
    return instrument ? this.last(instrument) : null
  }

  recentTrades(coin: string, limit: number): Trade[] {
    const instrument = this.world.byCoin.get(coin)
    if (!instrument) return []
    const rows = recentTrades(this.world).all(instrument.id, this.moment.atMs, limit)
    return rows.map(tradeRecords(this.world).write)
  }

  isCoin(coin: string): boolean {
    return this.world.byCoin.has(coin)
  }

  private last(instrument: InstrumentRow): { coin: string; price: string } | null {
    const { world, moment } = this
    // Price-only coins have marks and no trades.
    const px = lastPx(world, instrument, moment.atMs) ?? markPx(world, instrument, moment.atMs)
    return px === null ? null : { coin: instrument.coin, price: pxText(instrument, px) }
  }
}

const recentTrades = perWorld(({ db }) =>
  TRADES.prepare<[instrument: number, atMs: TapeMs, limit: number]>(
    db,
    `from trade where instrument = ? and timeMs <= ? order by timeMs desc, id desc limit ?`,
  ),
)

/** Facts of a world, as of any moment. Instants are in tape time on both sides. */
export function factsOf(world: World): (moment: Moment) => Facts {
  return (moment) => new WorldFacts(worldAsOf(world, moment.atMs), moment)
}

/** Small, because one is created for every request and every pushed frame. */
class WorldFacts implements Facts {
  constructor(
    private readonly world: World,
    readonly moment: Moment,
  ) {}

  get coin() {
    return new CoinQueries(this.world, this.moment)
  }

  get content() {
    return new ContentQueries(this.world, this.moment)
  }

  get futures() {
    return new FuturesQueries(this.world, this.moment)
  }

  get market() {
    return new MarketQueries(this.world, this.moment)
  }

  get mix() {
    return new MixQueries(this.world, this.moment)
  }

  get books() {
    return new BookQueries(this.world, this.moment)
  }

  get candles() {
    return new CandleQueries(this.world, this.moment)
  }

  get fills() {
    return this.byAddress(
      (world) => new FillQueries(world, this.moment, (trade) => crowdHeld(this.world, trade)),
      ['ofOrder'],
    )
  }

  get orderFlow() {
    return new OrderFlowQueries(this.world, this.moment)
  }

  get marketIndex() {
    return new MarketIndexQueries(this.world, this.moment)
  }

  get indicator() {
    return new IndicatorQueries(this.world, this.moment)
  }

  get openInterest() {
    return new OpenInterestQueries(this.world, this.moment)
  }

  get whales() {
    return new WhaleQueries(this.world, this.moment)
  }

  get orders() {
    return this.byAddress(
      (world) => new OrderQueries(world, this.moment, this.world),
      ['byId', 'filledById'],
    )
  }

  get accounts() {
    return this.byAddress((world) => new AccountQueries(world, this.moment))
  }

  get liquidations() {
    return new LiquidationQueries(this.world, this.moment)
  }

  get signal() {
    return new SignalQueries(this.world, this.moment)
  }

  get stock() {
    return new StockQueries(this.world, this.moment)
  }

  get twaps() {
    return this.byAddress((world) => new TwapQueries(world, this.moment))
  }

  get pnlCurves() {
    return this.byAddress((world) => new PnlCurveQueries(world, this.moment))
  }

  get traders() {
    return this.byAddress((world) => new TraderQueries(world, this.moment))
  }

  get users() {
    return this.byAddress((world) => new UserQueries(world, this.moment, this.world))
  }

  get assetContexts() {
    return new AssetContextQueries(this.world, this.moment)
  }

  get completedTrades() {
    return this.byAddress((world) => new CompletedTradeQueries(world, this.moment))
  }

  get positions() {
    return this.byAddress((world) => new PositionQueries(world, this.moment))
  }

  get venue() {
    return new VenueQueries(this.world, this.moment)
  }

  private byAddress<Q extends object>(
    queriesOf: (world: World) => Q,
    ofOrders?: readonly (keyof Q)[],
  ): Q {
    return byAddress(this.world, queriesOf, ofOrders)
  }
}

/** Features of the market as a whole (the service's documentation, Feature and signal data). */
class MixQueries implements MixFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  longShortRatio() {
    return longShortRatio(this.world, this.moment)
  }

  navigation(language: 'cn' | 'en'): Slices<NavItem[]> {
    return navigationOf(this.world, this.moment, language)
  }

  trust() {
    return trustOf(this.world, this.moment)
  }

  scales(coins: readonly TrustCoin[]) {
    return scalesOf(this.world, this.moment, coins)
  }

  liquidations(query: Parameters<MixFacts['liquidations']>[0]) {
    return liquidationDetail(this.world, this.moment, query)
  }

  stocks(): Slices<StockMarketItem[]> {
    return stockMarketOf(this.world, this.moment)
  }
}

// Stock indexes and stocks, in the form of the stock endpoints.

/** `last` is the last price, `degree` the change since the day before, in percent. */
function* stockMarketOf(world: World, moment: Moment): Slices<StockMarketItem[]> {
  const { answers } = moment
  const form = { 'stock-ticker-form': 'key', 'stock-quote-close': 'previous' } as const
  const stocks = new StockQueries(world, { ...moment, answers: { ...answers, ...form } })
  const tickers = [...STOCK_LISTINGS].sort((a, b) => rank(a) - rank(b)).map(tickerOf)
  const items: StockMarketItem[] = []
  for (const one of tickers) {
    yield
    items.push(...stocks.quotes([one]).map(stockItem))
  }
  return items
}

function stockItem(quote: StockQuote): StockMarketItem {
  const { ticker: key, company_name: name } = quote
  const last = Math.round(quote.last_price * PRICE_UNIT)
  const before = Math.round(quote.close * PRICE_UNIT)
  const degree = format(mulDiv(last - before, 10_000, before), 2, 2)
  return { key, name, last: format(last, PRICE_DECIMALS), degree }
}

/** Prices are counted in thousandths. */
const PRICE_DECIMALS = Math.log10(PRICE_UNIT)

/** Indexes come first. */
const rank = ({ isIndex }: StockListing) => (isIndex ? 0 : 1)
