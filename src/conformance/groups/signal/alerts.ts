/** Alerts of a client: settings and firings. */

import { signalAlertSettings } from '../../../contract/operations/signal/alert-settings.ts'
import { signalAlerts } from '../../../contract/operations/signal/alerts.ts'
import { schemaMismatch } from '../../declared-violations.ts'
import { rowsIn } from '../../derived/tested-operation.ts'
import type { Case, Probe } from '../../probe.ts'
import {
  assertList,
  assertObject,
  assertSame,
  isJsonObject,
  isSameJson,
  isSuccess,
  type JsonObject,
  objectOf,
  objectsOf,
} from '../../responses.ts'

/** Alerts (the service's documentation, Feature and signal data; States). */
export const ALERT_CASES: readonly Case[] = [
  {
    id: 'signal.alerts',
    title: 'an alert that is added is listed, and one that is deleted is gone',
    checks: [
      ...['state.alert.added', 'state.alert.deleted', 'record.alertSetting.count'],
      ...['operation.signal.addAlert', 'operation.signal.deleteAlert'],
      ...['operation.signal.alertSettings', 'record.alertSetting'],
    ],
    exclusive: true,
    run: async (probe: Probe) => {
      const subType = await someAlert(probe)
      await leavingNone(probe, async (before) => {
        const known = new Set(before)
        const own: string[] = []
        for (const symbol of PAIRS.slice(0, 2)) {
          const query = { subType, symbol }
          const added = await objectOf(probe, { path: '/signal/addSignalAlert', query })
          const fresh = (await settings(probe)).filter(({ id }) => !known.has(String(id)))
          probe.assert(added.result === 'true', 'result is the text "true"', added)
          probe.assert(fresh.length === 1, 'exactly one alert is new', fresh)
          probe.assert(fresh[0]?.subType === subType, 'subType is what was set', fresh)
          probe.assert(fresh[0]?.tpKey === symbol, 'tpKey is the pair that was set', fresh)
          for (const { id } of fresh) own.push(String(id))
          for (const id of own) known.add(id)
        }
        for (const id of own) {
          await objectOf(probe, { path: '/signal/delSignalAlert', query: { id } })
          known.delete(id)
          const left = ids(await settings(probe))
          probe.assert(isSameJson(left, sorted(known)), `the alert ${id} alone is gone`, left)
        }
      })
    },
  },
  {
    id: 'signal.alerts.required',
    title: 'an alert is not set without its indicator or pair, nor removed without its id',
    checks: ['error.missing', 'operation.signal.addAlert', 'operation.signal.deleteAlert'],
    exclusive: true,
    run: async (probe: Probe) => {
      const subType = await someAlert(probe)
      await leavingNone(probe, async (before) => {
        for (const [path, query, name] of [
          ['/signal/addSignalAlert', { symbol: PAIRS[0] }, 'subType'],
          ['/signal/addSignalAlert', { subType }, 'symbol'],
          ['/signal/delSignalAlert', {}, 'id'],
        ] as const) {
          const answer = await probe.request({
            path,
            query: { ...query } as Record<string, string>,
          })
          probe.assert(!isSuccess(answer), `${path} is refused without ${name}`, answer)
          probe.assert(answer.text.includes(name), `the refusal of ${path} names ${name}`, answer)
          assertSame(probe, ids(await settings(probe)), before, 'nothing has changed')
        }
      })
    },
  },
  {
    id: 'signal.alerts.offered',
    title: 'every offered trigger can be set without parameters',
    checks: ['operation.signal.addAlert', 'operation.signal.alertConfig'],
    exclusive: true,
    run: async (probe: Probe) => {
      await leavingNone(probe, async () => {
        for (const subType of await offered(probe)) {
          const query = { subType, symbol: PAIRS[0] as string }
          const { result } = await objectOf(probe, { path: '/signal/addSignalAlert', query })
          assertSame(probe, result, 'true', `${subType} is set`)
        }
      })
    },
  },
  {
    id: 'signal.alerts.fired',
    title: 'a fired alert is listed with its pair and side',
    checks: ['operation.signal.alerts', 'record.alert'],
    exclusive: true,
    run: async (probe: Probe) => {
      await leavingNone(probe, async () => {
        for (const subType of await offered(probe))
          for (const symbol of PAIRS) {
            const query = { subType, symbol }
            await probe.lookup.request({ path: '/signal/addSignalAlert', query })
          }
        await probe.letTimePass(WAIT_MS)
        const list = await objectsOf(probe, { path: '/signal/signalAlert' }, 'list')
        const flaw = schemaMismatch(signalAlerts.data, { list })
        assertSame(probe, flaw, null, `a fired alert: ${flaw}`)
        if (list.length === 0) probe.skip('none of the alerts has fired')
        for (const { tp_key, side } of list) {
          probe.assert(PAIRS.includes(String(tp_key)), 'it is of a pair that was set', tp_key)
          probe.assert(side === 'sell' || side === 'buy', 'side is sell or buy', side)
        }
      })
    },
  },
  {
    id: 'signal.alerts.failure',
    title: 'an alert that cannot be set or removed is refused and changes nothing',
    checks: ['state.alert.added', 'state.alert.deleted'],
    exclusive: true,
    run: async (probe: Probe) => {
      const before = await settings(probe)
      const nonsense = { subType: 'nosuch:1:thing', symbol: 'btcswapusdt:binance' }
      for (const [path, query] of [
        ['/signal/addSignalAlert', nonsense],
        ['/signal/delSignalAlert', { id: 999_999_999 }],
      ] as const) {
        const { json } = await probe.request({ path, query })
        const data = isJsonObject(json) && isJsonObject(json.data) ? json.data : {}
        const isReported = data.result === 'false' || (isJsonObject(json) && json.success === false)
        probe.assert(isReported, `${path} reports its failure`, {
          expected: { result: 'false' },
          found: data,
        })
      }
      assertSame(probe, ids(await settings(probe)), ids(before), 'the alerts are as before')
    },
  },
]

/** Prices that move independently. */
const PAIRS = ['btcswapusdt:binance', 'ethswapusdt:binance', 'solswapusdt:binance']

/** Long enough for prices to move, and too short to age signatures. */
const WAIT_MS = 20_000

/** A parameterless alert of the target. */
async function someAlert(probe: Probe): Promise<string> {
  const all = await offered(probe)
  return all.find((subType) => subType.startsWith('macd:')) ?? (all.at(-1) as string)
}

/** All parameterless triggers of the target. */
async function offered(probe: Probe): Promise<string[]> {
  const query = { lan: 'en' }
  const { alertConfig, period } = await objectOf(probe, { path: '/signal/signalAlertConf', query })
  const groups = Array.isArray(alertConfig) ? alertConfig.filter(isJsonObject) : []
  const [minutes] = Array.isArray(period) ? period : []
  const all = groups.flatMap(({ indicatorKey, config }) =>
    (Array.isArray(config) ? config.filter(isJsonObject) : []).map(
      ({ triggerKey }) => `${indicatorKey}:${minutes}:${triggerKey}`,
    ),
  )
  if (all.length === 0) probe.skip('no alert is offered')
  return all
}

// Existing alerts, and clean-up after a case.

/** The existing alerts; their number is checked. */
async function settings(probe: Probe): Promise<JsonObject[]> {
  const data = await objectOf(probe, { path: '/signal/getSignalAlertSetList' })
  assertList(probe, data.list, 'list is a list of alerts')
  for (const one of data.list) assertObject(probe, one, 'an alert is an object')
  const flaw = schemaMismatch(signalAlertSettings.data, data)
  assertSame(probe, flaw, null, `the alerts that are set: ${flaw}`)
  assertSame(probe, data.count, String(data.list.length), 'count is the number of alerts, as text')
  return data.list as JsonObject[]
}

/** Removes new alerts at the end, whatever happens; errors there are ignored. */
async function leavingNone(
  probe: Probe,
  use: (before: readonly string[]) => Promise<void>,
): Promise<void> {
  const before = ids(await settings(probe))
  try {
    await use(before)
  } finally {
    const { lookup } = probe
    for (const id of await listedIds(lookup))
      if (!before.includes(id))
        await lookup.request({ path: '/signal/delSignalAlert', query: { id } })
  }
}

/** Ids as listed, whatever the list's flaws: an error here must not hide the result. */
async function listedIds(lookup: Probe): Promise<string[]> {
  const { json } = await lookup.request({ path: '/signal/getSignalAlertSetList' })
  return isJsonObject(json)
    ? rowsIn(json.data)
        .filter(isJsonObject)
        .map(({ id }) => String(id))
    : []
}

/** Ids in order of their numbers. */
const sorted = (names: Iterable<string>) => [...names].sort((a, b) => Number(a) - Number(b))

/** Their ids, in order. */
const ids = (rows: readonly JsonObject[]) => sorted(rows.map(({ id }) => String(id)))
