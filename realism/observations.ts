/** What can be seen of a market, as numbers: what the figures are reckoned from. */
import type { Bar } from './bars.ts'

/** A value that stood at an instant. */
export interface Reading {
  timeMs: number
  value: number
}

/** Forced closings of an interval, dollars. */
export interface Closings {
  timeMs: number
  long: number
  short: number
}

export interface OpenPosition {
  coin: string
  isLong: boolean
  /** Dollars. */
  value: number
  /** The price at which it is liquidated over the mark price; null where there is none. */
  liquidationRatio: number | null
}

export interface Account {
  address: string
  /** Of all time, dollars. */
  pnl: number
  /** Dollars. */
  value: number
  /** Positions closed in 30 days, and the part of them that gained. */
  closed: number
  winRate: number
  /** null where it cannot be reckoned. */
  sharpe: number | null
  /** PnL since thirty days ago, dollars. */
  curve: Reading[]
}

/** A taker's trade. */
export interface Print {
  timeMs: number
  px: number
  sz: number
  isBuy: boolean
}

/** The top of a book at one of its updates. */
export interface BookTop {
  timeMs: number
  bid: number
  ask: number
}

/** A market on another exchange: the pair of the coin that is traded most. */
export interface OtherMarket {
  bars: Bar[]
  funding: Reading[]
  closings: Closings[]
}

/**
 * A market as it was seen. What was not seen is empty, and figures of it are left open.
 *
 * Lists are oldest first; maps are by coin, the one that is traded most first.
 */
export interface Observations {
  /** The detailed part. */
  startMs: number
  endMs: number
  /** Minutes of thirty days. */
  minutes: ReadonlyMap<string, Bar[]>
  /** Coins whose price is that of a stock. */
  stocks: ReadonlySet<string>
  /** Hourly rates. */
  funding: ReadonlyMap<string, Reading[]>
  /** Hourly, in the coin. */
  interest: ReadonlyMap<string, Reading[]>
  /** By half hours. */
  closings: ReadonlyMap<string, Closings[]>
  /** Value of each position that was liquidated, dollars. */
  closingSizes: readonly number[]
  positions: readonly OpenPosition[]
  accounts: readonly Account[]
  /** Seconds between slices of a TWAP. */
  sliceGapsS: readonly number[]
  prints: ReadonlyMap<string, Print[]>
  tops: ReadonlyMap<string, BookTop[]>
  /** Value of both sides of the book within 2 basis points of its middle, dollars. */
  near: ReadonlyMap<string, Reading[]>
  elsewhere: OtherMarket | null
  /** Figures that are read as they are: by name. */
  quoted: ReadonlyMap<string, number>
}

/** Where nothing was seen. */
export const NOTHING: Observations = {
  startMs: 0,
  endMs: 0,
  minutes: new Map(),
  stocks: new Set(),
  funding: new Map(),
  interest: new Map(),
  closings: new Map(),
  closingSizes: [],
  positions: [],
  accounts: [],
  sliceGapsS: [],
  prints: new Map(),
  tops: new Map(),
  near: new Map(),
  elsewhere: null,
  quoted: new Map(),
}
