/**
 * The queries that operations and channels make of the world, as of one moment.
 *
 * Owned by the contract, answered by src/world. Instants are tape time in ms, in both directions:
 * parameters are shifted before they get here and answers after they left (see rebase.ts).
 * Prices, sizes and money are decimal strings.
 */
import type { TapeMs } from '../clock/instant.ts'
import type { CoinFacts } from './facts/coin.ts'
import type { ContentFacts } from './facts/content.ts'
import type { FuturesFacts } from './facts/futures.ts'
import type { IndicatorFacts } from './facts/indicator.ts'
import type { MarketIndexFacts } from './facts/market-index.ts'
import type { MixFacts } from './facts/mix.ts'
import type { AccountsFacts } from './facts/perpdex/accounts.ts'
import type { AssetContextsFacts } from './facts/perpdex/asset-contexts.ts'
import type { BooksFacts } from './facts/perpdex/books.ts'
import type { CandlesFacts } from './facts/perpdex/candles.ts'
import type { CompletedTradesFacts } from './facts/perpdex/completed-trades.ts'
import type { FillsFacts } from './facts/perpdex/fills.ts'
import type { LiquidationsFacts } from './facts/perpdex/liquidations.ts'
import type { MarketFacts } from './facts/perpdex/market.ts'
import type { OpenInterestFacts } from './facts/perpdex/open-interest.ts'
import type { OrderFlowFacts } from './facts/perpdex/order-flow.ts'
import type { OrdersFacts } from './facts/perpdex/orders.ts'
import type { PnlCurvesFacts } from './facts/perpdex/pnl-curves.ts'
import type { PositionsFacts } from './facts/perpdex/positions.ts'
import type { TradersFacts } from './facts/perpdex/traders.ts'
import type { TwapsFacts } from './facts/perpdex/twaps.ts'
import type { UsersFacts } from './facts/perpdex/users.ts'
import type { VenueFacts } from './facts/perpdex/venue.ts'
import type { WhalesFacts } from './facts/perpdex/whales.ts'
import type { SignalFacts } from './facts/signal.ts'
import type { StockFacts } from './facts/stock.ts'
import type { Answers } from './questions.ts'

/** A place of the playhead, at which queries are answered. */
export interface Moment {
  /** The playhead, tape time. Only rows with time <= atMs have happened. */
  atMs: TapeMs
  /** What is added to a tape time to get the time that clients are shown. */
  shiftMs: number
  /** How often the tape was begun anew; 0 when it is left out. */
  lap?: number
  /** The answers to the open questions that are in force. */
  answers: Answers
}

/**
 * Everything that the world can answer: a facet for each group of queries, one file each in facts/.
 */
export interface Facts {
  readonly moment: Moment
  coin: CoinFacts
  content: ContentFacts
  futures: FuturesFacts
  market: MarketFacts
  mix: MixFacts
  books: BooksFacts
  candles: CandlesFacts
  fills: FillsFacts
  orderFlow: OrderFlowFacts
  marketIndex: MarketIndexFacts
  indicator: IndicatorFacts
  openInterest: OpenInterestFacts
  orders: OrdersFacts
  signal: SignalFacts
  stock: StockFacts
  accounts: AccountsFacts
  completedTrades: CompletedTradesFacts
  positions: PositionsFacts
  venue: VenueFacts
  whales: WhalesFacts
  liquidations: LiquidationsFacts
  twaps: TwapsFacts
  pnlCurves: PnlCurvesFacts
  traders: TradersFacts
  users: UsersFacts
  assetContexts: AssetContextsFacts
}
