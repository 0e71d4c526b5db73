/**
 * The questions that operations and channels put to the world, as of one moment.
 *
 * Owned by the contract, answered by src/world. Instants are tape time in ms, in both directions:
 * parameters are shifted before they get here and answers after they left (see rebase.ts).
 * Prices, sizes and money are decimal strings.
 */
import type { TapeMs } from '../clock/instant.ts'
import type { AccountsFacts } from './facts/accounts.ts'
import type { BooksFacts } from './facts/books.ts'
import type { CandlesFacts } from './facts/candles.ts'
import type { CoinsFacts } from './facts/coins.ts'
import type { ContentFacts } from './facts/content.ts'
import type { ContextsFacts } from './facts/contexts.ts'
import type { CurvesFacts } from './facts/curves.ts'
import type { DepthFacts } from './facts/depth.ts'
import type { DerivativesFacts } from './facts/derivatives.ts'
import type { FillsFacts } from './facts/fills.ts'
import type { FlowFacts } from './facts/flow.ts'
import type { IndexesFacts } from './facts/indexes.ts'
import type { IndicatorsFacts } from './facts/indicators.ts'
import type { InterestFacts } from './facts/interest.ts'
import type { LiquidationsFacts } from './facts/liquidations.ts'
import type { MarketFacts } from './facts/market.ts'
import type { MixFacts } from './facts/mix.ts'
import type { OrdersFacts } from './facts/orders.ts'
import type { PositionsFacts } from './facts/positions.ts'
import type { RoundsFacts } from './facts/rounds.ts'
import type { SignalsFacts } from './facts/signals.ts'
import type { StocksFacts } from './facts/stocks.ts'
import type { TradersFacts } from './facts/traders.ts'
import type { TwapsFacts } from './facts/twaps.ts'
import type { UsersFacts } from './facts/users.ts'
import type { VenueFacts } from './facts/venue.ts'
import type { WhalesFacts } from './facts/whales.ts'
import type { Answers } from './questions.ts'
import type { Bbo } from './records/book.ts'
import type { AddressFill, Trade, UserFill } from './records/fill.ts'
import type { LedgerUpdate } from './records/ledger.ts'
import type { FilledOrder } from './records/order.ts'

/** Where the market stands. */
export interface Moment {
  /** The playhead, tape time. Only rows with time <= atMs are true. */
  atMs: TapeMs
  /** What is added to a tape time to get the time that clients are shown. */
  shiftMs: number
  /** The answers to the open questions that are in force. */
  answers: Answers
}

/** Everything that can be asked: a facet for each group of questions, one file each in facts/. */
export interface Facts {
  readonly moment: Moment
  coins: CoinsFacts
  content: ContentFacts
  depth: DepthFacts
  derivatives: DerivativesFacts
  market: MarketFacts
  mix: MixFacts
  books: BooksFacts
  candles: CandlesFacts
  fills: FillsFacts
  flow: FlowFacts
  indexes: IndexesFacts
  indicators: IndicatorsFacts
  interest: InterestFacts
  orders: OrdersFacts
  signals: SignalsFacts
  stocks: StocksFacts
  accounts: AccountsFacts
  rounds: RoundsFacts
  positions: PositionsFacts
  venue: VenueFacts
  whales: WhalesFacts
  liquidations: LiquidationsFacts
  twaps: TwapsFacts
  curves: CurvesFacts
  traders: TradersFacts
  users: UsersFacts
  contexts: ContextsFacts
}

/** What can come true at an instant; each wakes the subscriptions of its topics. */
export type Happening =
  | { kind: 'trade'; timeMs: TapeMs; coin: string; trades: Trade[] }
  | { kind: 'book'; timeMs: TapeMs; coin: string }
  | { kind: 'bbo'; timeMs: TapeMs; coin: string; bbo: Bbo }
  | { kind: 'mark'; timeMs: TapeMs; coin: string }
  | { kind: 'fill'; timeMs: TapeMs; address: string; fill: AddressFill; native: UserFill }
  | {
      kind: 'order'
      timeMs: TapeMs
      address: string
      dex: string
      ended: FilledOrder | null
      /** Of several happenings of one account, dex and instant, this is the first. */
      first: boolean
    }
  | { kind: 'ledger'; timeMs: TapeMs; address: string; update: LedgerUpdate }
