/** Observations of a market, as numbers: the input of figures. */
import type { Bar } from './bars.ts'

/** A value at an instant. */
export interface Reading {
  timeMs: number
  value: number
}

/** Liquidations of an interval, dollars. */
export interface Closings {
  timeMs: number
  long: number
  short: number
}

export interface OpenPosition {
  address: string
  coin: string
  isLong: boolean
  isIsolated: boolean
  /** Dollars. */
  value: number
  /** Liquidation price over mark price; null for none. */
  liquidationRatio: number | null
}

export interface Account {
  address: string
  /** Over all time, dollars. */
  pnl: number
  /** Dollars. */
  value: number
  /** Positions closed in 30 days, and the winning fraction. */
  closed: number
  winRate: number
  /** null where it is undefined. */
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

/** A market on another exchange: the pair of the most traded coin. */
export interface OtherMarket {
  bars: Bar[]
  funding: Reading[]
  closings: Closings[]
}

/**
 * Observations of a market. Unobserved parts are empty, and their figures missing.
 *
 * Lists are oldest first; maps are by coin, the most traded first.
 */
export interface Observations {
  /** Start of the detailed part. */
  startMs: number
  endMs: number
  /** Minutes of thirty days. */
  minutes: ReadonlyMap<string, Bar[]>
  /** Coins whose price is that of a stock. */
  stocks: ReadonlySet<string>
  /** Hourly rates. */
  funding: ReadonlyMap<string, Reading[]>
  /** Hourly, in units of the coin. */
  interest: ReadonlyMap<string, Reading[]>
  /** By half hours. */
  closings: ReadonlyMap<string, Closings[]>
  /** Value of each liquidated position, dollars. */
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
  /** Directly read figures by name. */
  quoted: ReadonlyMap<string, number>
}

/** No observations. */
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
