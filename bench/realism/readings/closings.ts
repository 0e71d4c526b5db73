import { runToEnd } from '../../../src/clock/turns.ts'
import type { Facts } from '../../../src/contract/facts.ts'
import { MINUTE_MS } from '../bars.ts'
import type { Closings, OpenPosition } from '../observations.ts'
import { ownPairOf } from './pairs.ts'

const HALF_HOUR_MS = 1_800_000
/** Intervals per response. */
const LIMIT = 1000
const POSITIONS = 1000

/** Liquidations of a coin by half hours since an instant. */
export function closingsOf(facts: Facts, coin: string, fromMs: number): Closings[] {
  return closingsOfPair(facts, ownPairOf(facts, coin), fromMs)
}

/** The same for a pair of any exchange, and for other intervals. */
export function closingsOfPair(
  facts: Facts,
  symbol: string,
  fromMs: number,
  interval: '1m' | '30m' = '30m',
): Closings[] {
  const found: Closings[] = []
  const stepMs = LIMIT * (interval === '1m' ? MINUTE_MS : HALF_HOUR_MS)
  for (let startTimeMs = fromMs; startTimeMs < facts.moment.atMs; startTimeMs += stepMs) {
    const endTimeMs = Math.min(startTimeMs + stepMs - 1, facts.moment.atMs)
    const query = { symbol, interval, limit: LIMIT, startTimeMs, endTimeMs }
    for (const bucket of runToEnd(facts.futures.liquidations(query)) ?? [])
      if (bucket.time > (found.at(-1)?.timeMs ?? 0))
        found.push({
          timeMs: bucket.time,
          long: Number(bucket.long_liquidation_usd),
          short: Number(bucket.short_liquidation_usd),
        })
  }
  return found
}

/** Values of a coin's largest liquidations. */
export function closingSizesOf(facts: Facts, coin: string): number[] {
  return facts.liquidations
    .topPositions({ coin, interval: '60d', limit: POSITIONS })
    .map(({ liquidatedVal }) => Number(liquidatedVal))
}

/** The open positions of all accounts on the main dex. */
export function positionsOf(facts: Facts, addresses: readonly string[]): OpenPosition[] {
  const mids = facts.venue.allMids('')
  return facts.accounts.states([...addresses], '').flatMap(({ address, state }) =>
    state.assetPositions.map(({ position: { coin, szi, leverage, ...position } }) => ({
      address,
      coin,
      isLong: Number(szi) > 0,
      isIsolated: leverage.type === 'isolated',
      value: Math.abs(Number(position.positionValue)),
      liquidationRatio:
        position.liquidationPx === null
          ? null
          : Number(position.liquidationPx) / Number(mids[coin]),
    })),
  )
}
