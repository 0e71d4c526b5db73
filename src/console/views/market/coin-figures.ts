/** What the head of a coin's view says: its day, its funding and its open interest. */
import { type Asked, useAsked } from '../../session/asking.ts'
import type { Session } from '../../session/connection.ts'
import { era } from '../../session/era.ts'
import { isPerpetual, pairKey } from './coin-names.ts'

export interface CoinFigures {
  /** Of 24 hours. */
  open: number
  high: number
  low: number
  last: number
  turnoverUsd: number
  /** Rate of the hour, a fraction; null of spot. */
  funding: number | null
  /** Null of spot. */
  openInterestUsd: number | null
}

/** Asked every few seconds. */
export const useCoinFigures = (coin: string): Asked<CoinFigures> =>
  useAsked((session) => coinFigures(session, coin), { of: [coin, era.value], everyMs: 4000 })

/** Candles of five minutes: the newest has only begun, and 24 of an hour could lack most of one. */
const DAY = 24 * 12

async function coinFigures({ account }: Session, coin: string): Promise<CoinFigures> {
  const symbol = pairKey(coin)
  const [candles, funding, interest] = await Promise.all([
    account.perpdex.klinesWithTakerVol({ path: { coin, interval: '5m' }, query: { limit: DAY } }),
    symbol === null
      ? []
      : account.futures.fundingRateHistory({ query: { symbol, interval: '1h', limit: 1 } }),
    isPerpetual(coin) ? account.perpdex.openInterestTopCoins({ query: { limit: 100 } }) : [],
  ])
  return {
    open: Number(candles[0]?.open),
    high: Math.max(...candles.map(({ high }) => Number(high))),
    low: Math.min(...candles.map(({ low }) => Number(low))),
    last: Number(candles.at(-1)?.close),
    turnoverUsd: candles.reduce((sum, { amount }) => sum + Number(amount), 0),
    funding: funding[0] === undefined ? null : Number(funding[0].close),
    openInterestUsd: Number(interest.find((one) => one.coin === coin)?.totalPv ?? Number.NaN),
  }
}
