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

async function coinFigures({ account }: Session, coin: string): Promise<CoinFigures> {
  const symbol = pairKey(coin)
  const [hours, funding, interest] = await Promise.all([
    account.perpdex.klinesWithTakerVol({ path: { coin, interval: '1h' }, query: { limit: 24 } }),
    symbol === null
      ? []
      : account.futures.fundingRateHistory({ query: { symbol, interval: '1h', limit: 1 } }),
    isPerpetual(coin) ? account.perpdex.openInterestTopCoins({ query: { limit: 100 } }) : [],
  ])
  return {
    open: Number(hours[0]?.open),
    high: Math.max(...hours.map(({ high }) => Number(high))),
    low: Math.min(...hours.map(({ low }) => Number(low))),
    last: Number(hours.at(-1)?.close),
    turnoverUsd: hours.reduce((sum, { amount }) => sum + Number(amount), 0),
    funding: funding[0] === undefined ? null : Number(funding[0].close),
    openInterestUsd: Number(interest.find((one) => one.coin === coin)?.totalPv ?? Number.NaN),
  }
}
