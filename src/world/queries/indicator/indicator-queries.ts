/** K-lines and indicators of pairs (the service's documentation, Indicator keys). */

import type { TapeMs } from '../../../clock/instant.ts'
import type {
  IndicatorFacts,
  IndicatorQuery,
  PairKlineQuery,
} from '../../../contract/facts/indicator.ts'
import type { Moment } from '../../../contract/facts.ts'
import {
  INDICATORS,
  type IndicatorKey,
  type IndicatorRecord,
} from '../../../contract/records/indicator.ts'
import { type Pair, pairsOf } from '../../exchanges/pairs.ts'
import { assetOf } from '../../rows/assets.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import type { World } from '../../world.ts'
import { hasIndicator, SERIES } from './indicator-series.ts'
import { KlineClock, klineAnchor, klineEdges } from './kline-clock.ts'
import { largeTrades } from './large-orders.ts'
import { pairKlines } from './pair-klines.ts'

export class IndicatorQueries implements IndicatorFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  records(query: IndicatorQuery): IndicatorRecord[] | null {
    const { world, moment } = this
    const symbol = query.symbol.toLowerCase()
    const pair = pairsOf(world).get(symbol)
    if (!pair || !hasIndicator(pair, query.key)) return null
    const clock = new KlineClock(moment, query)
    const reach = klineAnchor(clock, moment, query.sinceS)
    const of = { world, moment, clock, pair, symbol }
    if (query.key === 'aiaggtrade') return largeTrades(of, reach, query.size)
    const firstMs = tradeHoursOf(world).firstMs(pair.instrument.id)
    const edges = klineEdges(clock, reach, { size: query.size, firstMs, atMs: moment.atMs })
    if (edges.length === 0) return []
    const [time] = INDICATORS[query.key].filter((name) => name === 'time' || name === 'timestamp')
    return SERIES[query.key]({ ...of, edges }).flatMap((columns, at) =>
      columns === null ? [] : { [time as string]: clock.seconds(edges[at] as TapeMs), ...columns },
    )
  }

  klines(query: PairKlineQuery) {
    const pair = pairsOf(this.world).get(query.symbol.toLowerCase())
    if (!pair) return null
    const clock = new KlineClock(this.moment, query)
    const reach = klineAnchor(clock, this.moment, query.sinceS)
    const { atMs } = this.moment
    return pairKlines(this.world, pair, clock, { reach, size: query.size, atMs })
  }

  pairs(coinType: string, key: IndicatorKey): { symbol: string; name: string }[] {
    const word = coinType.trim().toLowerCase()
    return [...pairsOf(this.world)]
      .filter(([, pair]) => hasIndicator(pair, key) && matchesPair(pair, word))
      .map(([symbol, pair]) => ({ symbol, name: pairName(pair) }))
  }
}

/** Of another exchange's pairs all are quoted in USDT. */
const quoteOf = ({ instrument, exchange }: Pair) => (exchange ? 'USDT' : instrument.quote)

function matchesPair(pair: Pair, word: string): boolean {
  const { base } = pair.instrument
  return [base, assetOf(base).key, quoteOf(pair)].some((name) => name.toLowerCase() === word)
}

function pairName(pair: Pair): string {
  const name = `${pair.instrument.base}/${quoteOf(pair)}`
  return `${name} ${pair.market} on ${pair.exchange?.key ?? 'hl'}`
}
