/** K-lines and indicators of pairs (spec, Indicator keys). */

import type { TapeMs } from '../../../clock/instant.ts'
import type { IndicatorQuery, KlineQuery } from '../../../contract/facts/indicators.ts'
import type { Facts, Moment } from '../../../contract/facts.ts'
import {
  INDICATORS,
  type IndicatorKey,
  type IndicatorRecord,
} from '../../../contract/records/indicator.ts'
import type { World } from '../../world.ts'
import { assetOf } from '../assets.ts'
import { type Pair, pairsOf } from '../pairs.ts'
import { tradeHoursOf } from '../trade-hours.ts'
import { klinesOf } from './klines.ts'
import { largeTrades } from './large-orders.ts'
import { hasIndicator, SERIES } from './series.ts'
import { Clock, edgesOf, reachOf } from './spans.ts'

type Asked = Facts['indicators']

export class Indicators implements Asked {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  records(query: IndicatorQuery): IndicatorRecord[] | null {
    const { world, moment } = this
    const symbol = query.symbol.toLowerCase()
    const pair = pairsOf(world).get(symbol)
    if (!pair || !hasIndicator(pair, query.key)) return null
    const clock = new Clock(moment, query)
    const reach = reachOf(clock, moment, query.sinceS)
    const of = { world, moment, clock, pair, symbol }
    if (query.key === 'aiaggtrade') return largeTrades(of, reach, query.size)
    const firstMs = tradeHoursOf(world).firstMs(pair.instrument.id)
    const edges = edgesOf(clock, reach, { size: query.size, firstMs, atMs: moment.atMs })
    if (edges.length === 0) return []
    const [time] = INDICATORS[query.key].filter((name) => name === 'time' || name === 'timestamp')
    return SERIES[query.key]({ ...of, edges }).flatMap((columns, at) =>
      columns === null ? [] : { [time as string]: clock.seconds(edges[at] as TapeMs), ...columns },
    )
  }

  klines(query: KlineQuery) {
    const pair = pairsOf(this.world).get(query.symbol.toLowerCase())
    if (!pair) return null
    const clock = new Clock(this.moment, query)
    const reach = reachOf(clock, this.moment, query.sinceS)
    const { atMs } = this.moment
    return klinesOf(this.world, pair, clock, { reach, size: query.size, atMs })
  }

  pairs(coinType: string, key: IndicatorKey): { symbol: string; name: string }[] {
    const word = coinType.trim().toLowerCase()
    return [...pairsOf(this.world)]
      .filter(([, pair]) => hasIndicator(pair, key) && isOf(pair, word))
      .map(([symbol, pair]) => ({ symbol, name: nameOf(pair) }))
  }
}

/** Of another exchange's pairs all are quoted in USDT. */
const quoteOf = ({ instrument, exchange }: Pair) => (exchange ? 'USDT' : instrument.quote)

function isOf(pair: Pair, word: string): boolean {
  const { base } = pair.instrument
  return [base, assetOf(base).key, quoteOf(pair)].some((name) => name.toLowerCase() === word)
}

function nameOf(pair: Pair): string {
  const name = `${pair.instrument.base}/${quoteOf(pair)}`
  return `${name} ${pair.market} on ${pair.exchange?.key ?? 'hl'}`
}
