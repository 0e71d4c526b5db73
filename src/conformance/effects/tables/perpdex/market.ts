import type { Parameter } from '../../../../contract/parameters.ts'
import { assertSame } from '../../../assertions.ts'
import { type AskedOperation, rowsIn } from '../../../derived/asked-operation.ts'
import { isJsonObject } from '../../../parsed-json.ts'
import {
  type Effect,
  type EffectEntry,
  type EffectTable,
  nameOf,
  type Pick,
  picked,
} from '../../effect.ts'
import { twoCoins } from '../../known-values.ts'
import { ordersBy } from '../../pages.ts'
import { differs, names, part, selects } from '../../selection.ts'
import { span, spans, steps, widens } from '../../spans.ts'
import { bounded } from '../../time-bounds.ts'

// Parameters that choose by the sign of a number.

/**
 * Rows of a value have a number of its sign, and none of the other's; null where the contract does
 * not say which sign it is (open), but one it is.
 */
const bySign =
  (pick: Pick, values: Readonly<Record<string, 1 | -1 | null>>): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const taken: number[] = []
    for (const [value, sign] of Object.entries(values)) {
      const rows = await asked.withValue(parameter, value).objects()
      const signs = new Set(rows.map((row) => Math.sign(Number(picked(pick, row)))))
      signs.delete(0)
      const question = nameOf(asked, parameter, value)
      const found = [...signs]
      asked.probe.assert(
        found.length <= 1,
        `${question} has rows of one sign only`,
        rows.slice(0, 3),
      )
      if (found.length === 0) continue
      asked.probe.assert(
        sign === null || found[0] === sign,
        `${question} has the sign ${sign}`,
        rows[0],
      )
      asked.probe.assert(
        !taken.includes(found[0] as number),
        `${question} has another sign`,
        rows[0],
      )
      taken.push(found[0] as number)
    }
    if (taken.length === 0) asked.probe.skip('there are no rows of any sign')
  }

const named: EffectEntry = { effect: names('coin', twoCoins) }

const sumOf =
  (...columns: string[]) =>
  (data: unknown) =>
    (Array.isArray(data) ? data : [data])
      .filter(isJsonObject)
      .flatMap((row) => columns.map((name) => Number(row[name] ?? 0)))
      .reduce((sum, one) => sum + one, 0)

const filled = sumOf('totalFilled')

/** Those of the coin that is asked for, in the record itself. */
const wallOf: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  for (const coin of await twoCoins(asked.probe)) {
    const data = await asked.withValue(parameter, coin).data()
    const found = isJsonObject(data) ? data.coin : undefined
    assertSame(asked.probe, found, coin, `the wall is of ${coin}, not of ${found}`)
  }
}

const whales = sumOf('longCount', 'shortCount')

export const MARKET_EFFECTS: EffectTable = {
  'perpdex.accumulatedTakerDelta': {
    coin: { effect: differs(twoCoins) },
    interval: { effect: differs(['1m', '1d', '7d']) },
  },
  'perpdex.klinesWithTakerVol': {
    coin: { effect: differs(twoCoins, (data) => rowsIn(data).at(-1)) },
    interval: { effect: steps([span('1m'), span('15m'), span('1h')]) },
    startTime: { effect: bounded('start') },
    endTime: { effect: bounded('end') },
    limit: { counted: true },
  },
  'perpdex.liquidationsEstimatedHeatmap': {
    coin: named,
    interval: { effect: widens(sumOf('longTotal', 'shortTotal'), ['15m', '1d', '60d']) },
  },
  'perpdex.liquidationsHistory': {
    coin: { effect: part(filled, twoCoins), checks: ['perpdex.coin'] },
    interval: { effect: steps([span('5m'), span('1h'), span('1d')], { isDense: false }) },
    limit: { counted: true },
  },
  'perpdex.liquidationsMarketHeatmap': {
    coin: named,
    interval: { effect: spans([span('1h'), span('1d'), span('7d')]) },
  },
  'perpdex.liquidationsStat': {
    coin: { effect: part(filled, twoCoins), checks: ['perpdex.coin'] },
    interval: { effect: widens(filled, ['1s', '1d', '60d']) },
  },
  'perpdex.liquidationsStatByCoin': { interval: { effect: widens(filled, ['1s', '1d', '60d']) } },
  'perpdex.liquidationsTopPositions': {
    interval: { effect: spans([span('1h'), span('1d'), span('60d')]) },
    coin: named,
    limit: { counted: true },
  },
  'perpdex.openInterestHistory': {
    coin: named,
    interval: { effect: spans([span('1d'), span('7d'), span('30d')]) },
  },
  'perpdex.openInterestTopCoins': {
    limit: { counted: true },
    interval: { reason: 'what it does is open: top-coins-window' },
  },
  'perpdex.orderbookSummaries': {
    coin: named,
    interval: { effect: spans([span('1h'), span('1d'), span('7d')]) },
  },
  'perpdex.ticker': { coin: named },
  'perpdex.twapsExecutionWall': {
    coin: { effect: wallOf },
    interval: { effect: steps([span('1m'), span('5m'), span('1h')], { isDense: false }) },
  },
  'perpdex.whaleDirections': { coin: { effect: part(whales, twoCoins), checks: ['perpdex.coin'] } },
  'perpdex.whaleEvents': {
    limit: { counted: true },
    coin: { reason: 'whether it counts is open: whale-event-coin' },
  },
  'perpdex.whaleLongRatios': {
    interval: { listed: steps([span('10m'), span('1h'), span('4h'), span('1d')]) },
    limit: { counted: true },
  },
  'perpdex.whalePositions': {
    coin: { effect: selects('symbol') },
    dir: { listed: bySign('positionSize', { long: 1, short: -1 }) },
    npnlSide: { listed: bySign('unrealizedPnL', { profit: 1, loss: -1 }) },
    frSide: { listed: bySign('fundingFee', { profit: null, loss: null }) },
    topBy: {
      listed: ordersBy({
        'position-value': 'positionValueUsd',
        'margin-balance': 'marginBalance',
        'create-time': 'createTime',
        profit: 'unrealizedPnL',
        loss: ({ unrealizedPnL }) => -Number(unrealizedPnL),
      }),
    },
    take: { counted: true },
  },
}
