/** Lengths of candles that can be looked at. */

export interface CandleInterval {
  name: string
  seconds: number
  /** Whether the channel has it; candles of another length are asked for again and again. */
  isPushed: boolean
}

export const CANDLE_INTERVALS = [
  { name: '1s', seconds: 1, isPushed: true },
  { name: '5s', seconds: 5, isPushed: true },
  { name: '15s', seconds: 15, isPushed: true },
  { name: '1m', seconds: 60, isPushed: true },
  { name: '5m', seconds: 300, isPushed: false },
  { name: '15m', seconds: 900, isPushed: true },
  { name: '1h', seconds: 3600, isPushed: true },
  { name: '4h', seconds: 14_400, isPushed: true },
  { name: '1d', seconds: 86_400, isPushed: false },
] as const satisfies readonly CandleInterval[]

/** The one of a name, or of a minute. */
export const candleInterval = (name: string | undefined): CandleInterval =>
  CANDLE_INTERVALS.find((one) => one.name === name) ?? CANDLE_INTERVALS[3]
