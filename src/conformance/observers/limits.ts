/** Limits of requests and of time ranges. */

import type { AnswerTo } from '../../contract/questions.ts'
import { levelWith, OWN_LEVEL } from '../cases/distributor/level-requests.ts'
import { isJsonObject, type JsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'
import type { ProbeExchange, ProbeRequest } from '../probe-request.ts'
import { isSuccess, objectsOf } from '../response-reading.ts'
import type { TargetKey } from '../target.ts'
import { someCoin } from '../target-lookups.ts'
import { column } from '../value-checks.ts'
import { withOwnLevel, withSubKeyLevel } from './level-changes.ts'
import { among, dataFrom, type Observers } from './observer.ts'

const TICKERS = { path: '/hl/tickers' }

export const LIMITS_OBSERVERS: Observers = {
  'over-rate': (probe: Probe) =>
    withSubKeyLevel(probe, async (put) => {
      await put(levelWith(['HL_TICKERS'], { request_rate_limit: 2 }))
      // A minute may end in between: of six calls at least one falls over a limit of two.
      return firstRefusal(probe, 'sub', 6)
    }),
  'over-quota': async (probe: Probe) => {
    const { subKey } = probe.target.control ?? {}
    if (!subKey) probe.skip('no sub key can be made')
    return withOwnLevel(probe, { max_request: 1 }, async () => {
      const { key, remove } = await subKey(OWN_LEVEL)
      return firstRefusal(probe, key, 3).finally(remove)
    })
  },
  'over-time-range': async (probe: Probe) => {
    const path = `/hl/klines-with-taker-vol/${encodeURIComponent(await someCoin(probe))}/15m`
    const times = column(await objectsOf(probe, { path, query: { limit: 20 } }), 'openTime')
    const [startTime, endTime] = [Math.min(...times), Math.max(...times)]
    if (!(endTime - startTime > 7_200_000)) probe.skip('there are too few candles')
    return withSubKeyLevel(probe, async (put) => {
      await put(levelWith(['HL_KLINES_WITH_TAKER_VOL'], { max_time_range: 3_600 }))
      const exchange = await probe.request({ path, query: { startTime, endTime }, signedBy: 'sub' })
      if (!isSuccess(exchange)) return exchange.status === 400 ? 'refuse' : null
      return lengthOf(rowsIn(exchange)) <= 3_600_000 ? 'cut' : null
    })
  },
  'default-time-range': async (probe: Probe) => {
    const path = `/hl/klines-with-taker-vol/${encodeURIComponent(await someCoin(probe))}/15m`
    if (lengthOf(await objectsOf(probe, { path })) <= 7_200_000)
      probe.skip('there are too few candles')
    return withSubKeyLevel(probe, async (put) => {
      await put(levelWith(['HL_KLINES_WITH_TAKER_VOL'], { max_time_range: 3_600 }))
      const exchange = await probe.request({ path, signedBy: 'sub' })
      if (!isSuccess(exchange)) return exchange.status === 400 ? 'counts' : null
      return lengthOf(rowsIn(exchange)) <= 3_600_000 ? 'cut' : 'free'
    })
  },
}

function rowsIn(exchange: ProbeExchange): JsonObject[] {
  const found = dataFrom(exchange)
  return (Array.isArray(found) ? found : []) as JsonObject[]
}

/** From the first candle to the last, ms. */
function lengthOf(candles: JsonObject[]): number {
  const times = column(candles, 'openTime')
  return Math.max(...times) - Math.min(...times)
}

/** How the first of some calls is refused. */
async function firstRefusal(probe: Probe, signedBy: 'sub' | TargetKey, calls: number) {
  const request: ProbeRequest = { ...TICKERS, signedBy: signedBy, allowRateLimit: true }
  for (let count = 0; count < calls; count++) {
    const exchange = await probe.request(request)
    if (!isSuccess(exchange)) return limitTold(exchange)
  }
  return null
}

/** In which of its forms a limit is told. */
function limitTold({ status, retryAfter, json }: ProbeExchange): AnswerTo<'over-rate'> | null {
  if (status === 429) return retryAfter === undefined ? '429' : 'retry-after'
  const isTold = isJsonObject(json) && ['403', '429'].includes(String(json.code))
  return isTold ? among(status, ['403', '200']) : null
}
