/**
 * What a caster reads: an opened tape, seen through the few words that it needs.
 *
 * The kinds and their data are those of docs/tape-format.md. They are said again here because the
 * world does not import the tape: any tape that is opened fits by its shape.
 */

export interface TapeInput {
  header: TapeHeader
  /** Changes when any byte of the tape's contents does; names the cached world. */
  digest: string
  /**
   * From the first event each time it is called, in batches. Who names kinds looks at no others:
   * these may be left out.
   */
  events(only?: readonly TapeEvent['kind'][]): AsyncIterable<readonly TapeEvent[]>
}

export interface TapeInstrument {
  coin: string
  kind: 'perp' | 'spot'
  dex: string
  base: string
  quote: string
  pxDecimals: number
  szDecimals: number
  maxLeverage: number
}

export interface TapeHeader {
  source: string
  instruments: readonly TapeInstrument[]
  startMs: number
  endMs: number
  counts: Readonly<Partial<Record<string, number>>>
}

export type TapeSide = 'B' | 'A'
export type TapeLevel = readonly [px: string, sz: string, n: number]

export interface TapeTrade {
  side: TapeSide
  px: string
  sz: string
  tid?: number
  hash?: string
  users?: readonly [string, string]
}

export interface TapeBook {
  bids: readonly TapeLevel[]
  asks: readonly TapeLevel[]
}

export interface TapeLiquidation {
  position: 'long' | 'short'
  sz: string
  markPx: string
  tids: readonly number[]
}

interface Data {
  trade: TapeTrade
  book: TapeBook
  delta: TapeBook
  bbo: { bid: TapeLevel | null; ask: TapeLevel | null }
  funding: { rate: string; premium?: string }
  mark: { mark: string; oracle: string }
  interest: { openInterest: string }
  liquidation: TapeLiquidation
  exchange: unknown
  frame: unknown
}

export type TapeEvent = {
  [K in keyof Data]: { time: number; seq: number; kind: K; coin: string; data: Data[K] }
}[keyof Data]
