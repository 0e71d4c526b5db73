import { runToEnd } from '../../../src/clock/turns.ts'
import type { Facts } from '../../../src/contract/facts.ts'
import type { LiquidationCell } from '../../../src/contract/records/futures-history.ts'
import { otherPairOf } from './pairs.ts'

const DAY_S = 86_400

/** Directly read figures. */
export function quotedOf(facts: Facts, coin: string): Map<string, number> {
  const dominance = runToEnd(facts.marketIndex.list()).find(
    ({ key }) => key === 'i:btcdominance:index',
  )
  const [ticker] = runToEnd(facts.coin.tickers(['bitcoin']))
  const quoted = new Map([
    ['dominance', Number(dominance?.price)],
    ['coinVolume', Number(ticker?.vol_24h)],
  ])
  const symbol = otherPairOf(facts, coin)
  if (symbol !== null) quoted.set('estimatedMap', estimatedOverOpenInterest(facts, symbol))
  return quoted
}

/** The estimated liquidation map of a pair relative to its open interest. */
function estimatedOverOpenInterest(facts: Facts, symbol: string): number {
  const map = runToEnd(facts.futures.estimatedLiquidations({ symbol, cycle: '24h', limit: 1 }))?.at(
    -1,
  )
  const cells = Object.values(map?.data_map ?? {}).flatMap(({ long, short }) => [...long, ...short])
  const total = cells.reduce((sum, [, , turnover]: LiquidationCell) => sum + Number(turnover), 0)
  const day = { periodS: DAY_S, size: 1, openHour: 0, symbol } as const
  const open = Number(runToEnd(facts.indicator.records({ key: 'position', ...day }))?.at(-1)?.close)
  const price = Number(runToEnd(facts.indicator.klines(day))?.at(-1)?.[4])
  return total / (open * price)
}
