/**
 * What casting reads: the part of an opened tape that it needs.
 *
 * The kinds and their data are those of docs/tape-format.md. They are declared again here because
 * the world does not import the tape: any tape that is opened fits by its shape.
 */

export interface TapeInput {
  header: InputHeader
  /** Changes when any byte of the tape's contents does; names the cached world. */
  digest: string
  /**
   * From the first event each time it is called, in batches. With `only`, events of other kinds may
   * be left out.
   */
  events(only?: readonly InputEvent['kind'][]): AsyncIterable<readonly InputEvent[]>
}

export interface InputInstrument {
  coin: string
  kind: 'perp' | 'spot'
  dex: string
  base: string
  quote: string
  pxDecimals: number
  szDecimals: number
  maxLeverage: number
}

export interface InputHeader {
  source: string
  instruments: readonly InputInstrument[]
  startMs: number
  endMs: number
  counts: Readonly<Partial<Record<string, number>>>
}

export type InputSide = 'B' | 'A'
export type InputLevel = readonly [px: string, sz: string, n: number]

export interface InputTrade {
  side: InputSide
  px: string
  sz: string
  tid?: number
  hash?: string
  /** Buyer and seller; null for one that is not known. */
  users?: readonly [string | null, string | null]
}

export interface InputBook {
  bids: readonly InputLevel[]
  asks: readonly InputLevel[]
}

export interface InputLiquidation {
  position: 'long' | 'short'
  sz: string
  markPx: string
  tids: readonly number[]
}

/** A part of what is known of an account; the parts are those of a tape. */
export interface InputAccount {
  address: string
  dex: string
  cash?: string | undefined
  positions?: readonly InputPosition[] | undefined
  orders?: readonly InputOrder[] | undefined
  balances?: readonly { token: string; total: string }[] | undefined
  transfers?: readonly { timeMs: number; type: 'deposit' | 'withdraw'; usd: string }[] | undefined
}

export interface InputPosition {
  coin: string
  szi: string
  entryPx: string
  leverage: number
  isolated: boolean
}

export interface InputOrder {
  coin: string
  side: InputSide
  limitPx: string
  sz: string
  placedMs: number
  orderType: string
  tif: string | null
  reduceOnly: boolean
  triggerPx: string | null
  triggerCondition: string
}

interface InputEventData {
  trade: InputTrade
  book: InputBook
  delta: InputBook
  bbo: { bid: InputLevel | null; ask: InputLevel | null }
  funding: { rate: string; premium?: string }
  mark: { mark: string; oracle: string }
  interest: { openInterest: string }
  liquidation: InputLiquidation
  account: InputAccount
  exchange: unknown
  frame: unknown
  connection: unknown
  gap: { fromMs: number; why: string }
}

export type InputEvent = {
  [K in keyof InputEventData]: {
    time: number
    seq: number
    kind: K
    coin: string
    data: InputEventData[K]
  }
}[keyof InputEventData]
