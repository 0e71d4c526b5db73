import { DAY_MS } from '../../../clock/durations.ts'
import type { Parameter } from '../../../contract/parameters.ts'
import type { AskedOperation } from '../../derived/asked-operation.ts'
import { rowsIn } from '../../derived/asked-operation.ts'
import { timeOf } from '../../derived/row-times.ts'
import type { Effect, EffectEntry, EffectTable } from '../effect.ts'
import { twoPairs } from '../known-values.ts'
import { differs } from '../selection.ts'
import { type Span, steps } from '../spans.ts'
import { cursor } from '../time-bounds.ts'

/** Rows by columns or one by one (open), without their times. */
const values = (data: unknown) =>
  JSON.parse(JSON.stringify(data, (name, value) => (/time/i.test(name) ? 0 : value)))

const PERIODS: readonly Span[] = [60, 900, 3600].map((s) => [s, s * 1000])

/** Days that begin at 8 begin eight hours later than days that begin at 0. */
const dayOpens: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  const begins: number[] = []
  for (const hour of [0, 8]) {
    const one = asked.with({ query: { period: '86400', size: '3' } }).withValue(parameter, hour)
    const time = timeOf(rowsIn(await one.data())[0])
    if (time === null) asked.probe.skip('the target has no days')
    begins.push(time % DAY_MS)
  }
  const [zero = 0, eight = 0] = begins
  const apart = (eight - zero + DAY_MS) % DAY_MS
  asked.probe.assert(apart === DAY_MS / 3, 'days of open_time 0 and 8 begin 8 hours apart', begins)
}

const kline: Record<string, EffectEntry> = {
  symbol: { effect: differs(twoPairs, values) },
  period: { effect: steps(PERIODS, { isDense: false }) },
  size: { counted: true },
  open_time: { effect: dayOpens, checks: ['indicator.records.openTime'] },
  since: { effect: cursor() },
}

const KEYS = ['fundflow', 'mlr', 'basis', 'fr', 'aili', 'tvolume']

export const INDICATOR_EFFECTS: EffectTable = {
  'indicator.klines': kline,
  'indicator.records': { ...kline, indicator_key: { caseId: 'indicator.forms' } },
  'indicator.tradingPairs': {
    coinType: { effect: differs(['bitcoin', 'ethereum']) },
    indicator_key: { effect: differs(KEYS) },
  },
}
