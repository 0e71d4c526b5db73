import { format, type Px, pow10, raw, type Sz } from '../../decimal/quantity.ts'
import { UserError } from '../../platform/user-error.ts'
import { MOST_EXACT } from '../world/money-decimals.ts'
import type { TwapProgram } from './agents/twap-programs.ts'
import type { FeeDays } from './ledger/settlement.ts'
import type { Holding, MarketState, PriceAlarm, SubAccount } from './market/market-state.ts'
import type { LiveOrder } from './matching/order-manager.ts'
import type { InputInstrument } from './tape-input.ts'

/** An order intent of a trader. */
export interface Wish {
  holding: Holding
  side: 'B' | 'A'
  sz: Sz
  /** Only reduces a position. */
  reduceOnly: boolean
  /** Limit price at which it waits and is filled; null for a market order. */
  limitPx: Px | null
  /** The resting order, where it has been placed already. */
  order?: LiveOrder
  /** Its TWAP, if it is a slice. */
  program?: TwapProgram
}

/** A maker's quotes at one instant. */
export interface Quotes {
  holding: Holding
  bid: { px: Px; sz: Sz }
  ask: { px: Px; sz: Sz }
}

/**
 * Executes traders' orders. Traders do not depend on the implementation: before the tape the crowd
 * is the counterparty at the price of the minute, during the tape its trades are.
 */
export interface Venue {
  /** Updates a market's price to an instant. */
  updatePrice(market: MarketState, timeMs: number): void
  /** Executes an order, at once or when a trade fits it. */
  submit(wish: Wish, timeMs: number): void
  /** Offers a maker's quotes to the crowd. */
  quote(quotes: Quotes, timeMs: number): void
  /** Arms an alarm on its price. */
  arm(market: MarketState, alarm: PriceAlarm, timeMs: number): void
  /** Multiple of the maintenance margin below which equity is too little. */
  readonly marginFloor: number
  /** Whether resting stops and targets fire; else their owners cancel them. */
  readonly firesTriggers: boolean
  /** Liquidates an account, or one isolated position of it, with too little margin. */
  enforceMargin(account: SubAccount, isolated: Holding | null, timeMs: number): void
}

/** The venue before trading: agents cannot act yet. */
export const CLOSED_VENUE: Venue = {
  marginFloor: 1,
  firesTriggers: false,
  updatePrice: () => {},
  submit: closed,
  quote: closed,
  arm: closed,
  enforceMargin: closed,
}

function closed(): never {
  throw new Error('agents cannot act before the venue is open')
}

/** Context of agents that act at scheduled instants. */
export interface Acting {
  readonly tasks: { put(timeMs: number, run: (context: unknown, timeMs: number) => void): void }
  readonly venue: Venue
  readonly feeDays: FeeDays
}

/** Dollars of one coin; beyond that, sums over exchanges and days are no longer exact cents. */
const MOST_USD = 10e12

/** Refuses an open interest of a larger value than can be cast. */
export function checkOpenInterest(of: InputInstrument, sz: Sz, px: Px): void {
  const { coin, pxDecimals, szDecimals } = of
  const usd = (raw(sz) / pow10(szDecimals)) * (raw(px) / pow10(pxDecimals))
  if (usd <= MOST_USD) return
  const [size, price] = [format(raw(sz), szDecimals), format(raw(px), pxDecimals)]
  throw new UserError(
    `the tape reports an open interest of ${size} ${coin}, worth ${billions(usd)} at ${price}: ` +
      `at most ${billions(MOST_USD)} of a coin can be cast`,
  )
}

/** Why a trade is worth more than can be cast; null for others. Decimal strings. */
export function tradeFlaw(coin: string, px: string, sz: string): string | null {
  const worth = Number(px) * Number(sz)
  if (!(worth > MOST_EXACT)) return null
  return (
    `a trade of ${sz} ${coin} at ${px} is worth ${grouped(worth)}, and at most ` +
    `${grouped(MOST_EXACT)} is exact: if sizes are contracts, import with --contract`
  )
}

const grouped = (amount: number) => Math.floor(amount).toLocaleString('en-US')
const billions = (usd: number) => `${Math.round(usd / 1e9).toLocaleString('en-US')} billion dollars`
