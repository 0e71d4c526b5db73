import { isJsonObject, type JsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'
import { isSuccess, objectOf, objectsOf } from '../response-reading.ts'
import { column } from '../value-checks.ts'
import type { Observers } from './observer.ts'

export const SIGNAL_OBSERVERS: Observers = {
  'alert-failure': async (probe: Probe) => {
    const query = { id: UNUSED }
    const exchange = await probe.request({ path: '/signal/delSignalAlert', query })
    if (!isJsonObject(exchange.json)) return null
    const { data, success } = exchange.json
    if (isSuccess(exchange)) return isJsonObject(data) && data.result === 'false' ? 'result' : null
    return exchange.status === 200 && success === false ? 'error' : null
  },
  'strategy-signal-order': async (probe: Probe) => {
    for (const signal_key of ['order_buy_one', 'depth_win_one', 'td_buy_one', 'lsur_one']) {
      const query = { coin_type: 'bitcoin', signal_key }
      const { list } = await objectOf(probe, { path: '/signal/strategySignal', query })
      const rows = (Array.isArray(list) ? list : []).filter(Array.isArray)
      const times = column(
        rows.map(([, time]) => ({ time })),
        'time',
      )
      const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0]
      if (first !== last) return first < last ? 'oldest' : 'newest'
    }
    probe.skip('the target has too few strategy signals')
  },
}

/** An alert that nobody has set. */
const UNUSED = 2_147_483_647

/** What shows only as time passes. */
export const SIGNAL_TIMING_OBSERVERS: Observers = {
  'alert-repeats': async (probe: Probe) => {
    if (!probe.target.control) probe.skip('an alert has to fire twice, and time cannot be moved')
    if ((await firedAt(probe)).length > 0) probe.skip('such an alert has fired before')
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const answer = await firesAgain(probe)
      if (answer !== null) return answer
    }
    return probe.skip('the alert has not fired twice')
  },
}

/**
 * That an alert is listed once says nothing unless it has come true again. So the same alert is set
 * a second time: when that one fires, the first has come true again as well. Null where it has not,
 * or where both are listed at one time only, which would be so either way.
 */
async function firesAgain(probe: Probe): Promise<'once' | 'each' | null> {
  const set = [await setAlert(probe)]
  try {
    const alone = await firingTimes(probe, (times) => times.length > 0)
    if (alone.length > 1) return 'each'
    if (alone.length === 0) return null
    const second = await setAlert(probe)
    set.push(second)
    const both = await firingTimes(
      probe,
      ([late = 0, early]) => early !== undefined && late > second.setS,
    )
    if (both.length > 2) return 'each'
    return both.length === 2 && both[0] !== both[1] ? 'once' : null
  } finally {
    for (const { id } of set) await probe.request({ path: '/signal/delSignalAlert', query: { id } })
  }
}

/** Of a bar that closes once a minute. */
const ALERT = { subType: 'vol:1:rise:1', symbol: 'btcswapusdc:hl' }

const LONGEST_MINUTES = 20

const ATTEMPTS = 4

async function setAlert(probe: Probe): Promise<{ id: string; setS: number }> {
  const before = (await alertsSet(probe)).map(({ id }) => id)
  const { result } = await objectOf(probe, { path: '/signal/addSignalAlert', query: ALERT })
  const made = (await alertsSet(probe)).find(({ id }) => !before.includes(id))
  if (result !== 'true' || !made) probe.skip('no alert of volumes can be set twice')
  return { id: String(made.id), setS: Number(made.setTime) }
}

const alertsSet = (probe: Probe): Promise<JsonObject[]> =>
  objectsOf(probe, { path: '/signal/getSignalAlertSetList' }, 'list')

/** When that alert fired, s, the latest first, once it is enough; empty when it never is. */
async function firingTimes(
  probe: Probe,
  isEnough: (times: number[]) => boolean,
): Promise<number[]> {
  for (let minute = 0; minute < LONGEST_MINUTES; minute++) {
    await probe.letTimePass(60_000)
    const times = await firedAt(probe)
    if (isEnough(times)) return times
  }
  return []
}

async function firedAt(probe: Probe): Promise<number[]> {
  const rows = await objectsOf(probe, { path: '/signal/signalAlert' }, 'list')
  const times = rows.flatMap(({ sub_type, ews_time }) =>
    sub_type === ALERT.subType ? [Number(ews_time)] : [],
  )
  return times.toSorted((a, b) => b - a)
}
