/**
 * What casting reads of candles that a user has for the time before the tape.
 *
 * Declared here because the world does not import the tape's readers: any candles that were read
 * fit by their shape.
 */

/** All candles for the time before a tape. */
export interface RecordedHistory {
  histories: readonly HistoryInput[]
  /** Changes when any of them does; part of what names the cached world. Empty without any. */
  digest: string
}

/** The model makes everything. */
export const NO_HISTORY: RecordedHistory = { histories: [], digest: '' }

/** Candles of one instrument and one length, oldest first, without a gap. */
export interface HistoryInput {
  coin: string
  /** For messages. */
  file: string
  lengthMs: number
  candles: readonly InputCandle[]
}

/** A candle as it was written, decimal text. */
export interface InputCandle {
  /** Line of the file, counted from 1. */
  line: number
  /** Beginning, at a full minute. */
  timeMs: number
  open: string
  high: string
  low: string
  close: string
  /** In the coin. */
  volume: string
}
