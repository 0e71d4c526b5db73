import { subscribe } from './processes.ts'

const COINS = ['BTC', 'ETH', 'SOL', 'HYPE', 'XRP', 'DOGE', 'LINK', 'kPEPE', 'xyz:TSLA']

/** Messages that subscribe to the trades and best prices of nine coins. */
export const TRADES_AND_BBO: string[] = COINS.flatMap((coin) => [
  subscribe({ type: 'bbo', coin }),
  subscribe({ type: 'trades', coin }),
])
