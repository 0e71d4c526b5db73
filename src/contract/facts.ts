/**
 * The questions that operations and channels put to the world, as of one moment.
 *
 * Owned by the contract, answered by src/world. Instants are tape time in ms, in both directions:
 * parameters are shifted before they get here and answers after they left (see rebase.ts).
 * Prices, sizes and money are decimal strings.
 */
import type { AccountsFacts } from './facts/accounts.ts'
import type { BooksFacts } from './facts/books.ts'
import type { CandlesFacts } from './facts/candles.ts'
import type { CoinsFacts } from './facts/coins.ts'
import type { DepthFacts } from './facts/depth.ts'
import type { DerivativesFacts } from './facts/derivatives.ts'
import type { FillsFacts } from './facts/fills.ts'
import type { MarketFacts } from './facts/market.ts'
import type { OrdersFacts } from './facts/orders.ts'
import type { VenueFacts } from './facts/venue.ts'
import type { Answers } from './questions.ts'
import type { Bbo } from './records/book.ts'
import type { AddressFill, Trade, UserFill } from './records/fill.ts'
import type { LedgerUpdate } from './records/ledger.ts'
import type { FilledOrder } from './records/order.ts'

/** Where the market stands. */
export interface Moment {
  /** The playhead, tape time. Only rows with time <= atMs are true. */
  atMs: number
  /** What is added to a tape time to get the time that clients are shown. */
  shiftMs: number
  /** The answers to the open questions that are in force. */
  answers: Answers
}

/** Everything that can be asked: a facet for each group of questions, one file each in facts/. */
export interface Facts {
  readonly moment: Moment
  coins: CoinsFacts
  depth: DepthFacts
  derivatives: DerivativesFacts
  market: MarketFacts
  books: BooksFacts
  candles: CandlesFacts
  fills: FillsFacts
  orders: OrdersFacts
  accounts: AccountsFacts
  venue: VenueFacts
}

/** What can come true at an instant; each wakes the subscriptions of its topics. */
export type Happening =
  | { kind: 'trade'; timeMs: number; coin: string; trades: Trade[] }
  | { kind: 'book'; timeMs: number; coin: string }
  | { kind: 'bbo'; timeMs: number; coin: string; bbo: Bbo }
  | { kind: 'mark'; timeMs: number; coin: string }
  | { kind: 'fill'; timeMs: number; address: string; fill: AddressFill; native: UserFill }
  | {
      kind: 'order'
      timeMs: number
      address: string
      dex: string
      ended: FilledOrder | null
      /** Of several happenings of one account, dex and instant, this is the first. */
      first: boolean
    }
  | { kind: 'ledger'; timeMs: number; address: string; update: LedgerUpdate }
