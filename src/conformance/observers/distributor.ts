/** Levels, and what becomes of sub keys that go too far. Levels are left as they were found. */
import type { AnswerTo } from '../../contract/questions.ts'
import {
  changed,
  deleteLevel,
  levelNames,
  levelOfSub,
  levelWith,
  OWN_LEVEL,
  putLevel,
} from '../cases/distributor/level-requests.ts'
import type { Probe, ProbeExchange, ProbeRequest } from '../probe.ts'
import { isJsonObject, isSuccess, type JsonObject, objectsOf } from '../response-reading.ts'
import type { TargetKey } from '../target.ts'
import { someCoin } from '../target-lookups.ts'
import { column } from '../value-checks.ts'
import { among, dataFrom, type Observers } from './observer.ts'

const TICKERS = { path: '/hl/tickers' }

export const DISTRIBUTOR_OBSERVERS: Observers = {
  'level-delete-answer': async (probe: Probe) => {
    const names = await withOwnLevel(probe, {}, async () => {
      const { json } = await deleteLevel(probe, OWN_LEVEL)
      return Object.keys(isJsonObject(json) ? json : {}).sort()
    })
    return DELETE_ANSWERS[names.join()] ?? null
  },
  'distributor-refusal': async (probe: Probe) => {
    const { request_limits: limits } = levelWith([])
    const told = async (permissions: unknown) => {
      const level = { request_limits: limits, permissions }
      const { json } = await putLevel(probe, OWN_LEVEL, level)
      return isJsonObject(json) && 'msg' in json
        ? 'B'
        : isJsonObject(json) && 'error' in json
          ? 'C'
          : '?'
    }
    if ((await levelNames(probe)).includes(OWN_LEVEL))
      probe.skip(`the level ${OWN_LEVEL} is there already`)
    const [missing, wrong] = [await told(undefined), await told('all')]
    await deleteLevel(probe, OWN_LEVEL)
    return REFUSED_IN[missing + wrong] ?? null
  },
  'sub-key-open-endpoints': async (probe: Probe) => {
    const exchange = await probe.request({ path: '/coin', signedBy: 'sub' })
    return isSuccess(exchange) ? 'granted' : exchange.status === 403 ? 'never' : null
  },
  'sub-key-paths': async (probe: Probe) => {
    const exchange = await probe.request({ path: '/distributor/sub-keys', signedBy: 'partner' })
    return isSuccess(exchange) ? 'mirrored' : exchange.status === 404 ? 'control' : null
  },
  'over-rate': (probe: Probe) =>
    ofSub(probe, async (put) => {
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
    return ofSub(probe, async (put) => {
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
    return ofSub(probe, async (put) => {
      await put(levelWith(['HL_KLINES_WITH_TAKER_VOL'], { max_time_range: 3_600 }))
      const exchange = await probe.request({ path, signedBy: 'sub' })
      if (!isSuccess(exchange)) return exchange.status === 400 ? 'counts' : null
      return lengthOf(rowsIn(exchange)) <= 3_600_000 ? 'cut' : 'free'
    })
  },
  'revoked-sockets': (probe: Probe) =>
    ofSub(probe, async (put) => {
      await put(levelWith(['HL_WS_NODE']))
      const socket = await probe.connect({ path: '/hl/ws', signedBy: 'sub' })
      await put(levelWith(['HL_TICKERS']))
      return (await socket.closed(1_000)) === null ? 'kept' : 'closed'
    }),
}

const REFUSED_IN: Record<string, AnswerTo<'distributor-refusal'>> = {
  BB: 'B',
  CC: 'C',
  BC: 'by-flaw',
}

const DELETE_ANSWERS: Record<string, AnswerTo<'level-delete-answer'>> = {
  'message,success': 'message',
  success: 'bare',
  'data,message,success': 'data',
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

/** Looks while the level of the sub key may be changed. */
async function ofSub<const A extends string>(
  probe: Probe,
  look: (put: (body: unknown) => Promise<void>) => Promise<A | null>,
): Promise<A | null> {
  let seen: A | null = null
  await changed(probe, await levelOfSub(probe), async (put) => {
    seen = await look(put)
  })
  return seen
}

/** Looks while there is a level of our own. */
async function withOwnLevel<T>(
  probe: Probe,
  limits: JsonObject,
  look: () => Promise<T>,
): Promise<T> {
  if ((await levelNames(probe)).includes(OWN_LEVEL))
    probe.skip(`the level ${OWN_LEVEL} is there already`)
  const made = await putLevel(probe, OWN_LEVEL, levelWith(['HL_TICKERS'], limits))
  probe.assert(isSuccess(made), 'a level is made')
  return look().finally(() => deleteLevel(probe, OWN_LEVEL))
}

/** How the first of some calls is refused. */
async function firstRefusal(probe: Probe, by: 'sub' | TargetKey, calls: number) {
  const asked: ProbeRequest = { ...TICKERS, signedBy: by, allowRateLimit: true }
  for (let count = 0; count < calls; count++) {
    const exchange = await probe.request(asked)
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
