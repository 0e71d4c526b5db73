/** Market signals, and the requirements of the whole group. */

import type { Parameter } from '../../../contract/parameters.ts'
import { rowsIn, type TestedOperation } from '../../derived/tested-operation.ts'
import { type Effect, type EffectTable, nameOf, recordsIn } from '../../effects/effect.ts'
import { apart, differs, languages } from '../../effects/selection.ts'
import type { Case, Probe } from '../../probe.ts'
import type { Observers } from '../../requirement.ts'
import { byAnswers, byValues, type Requirement, requirementsOfSection } from '../../requirement.ts'
import {
  assertAtMost,
  assertSame,
  assertUnique,
  column,
  isJsonObject,
  isNonDecreasing,
  isSameJson,
  isSuccess,
  type JsonObject,
  objectOf,
  objectsOf,
} from '../../responses.ts'

/** Change signals and strategy signals (the service's documentation, Feature and signal data). */
export const MARKET_SIGNAL_CASES: readonly Case[] = [
  {
    id: 'signal.changes.currency',
    title: 'change signals are in usd by default and in cny on request',
    checks: ['signal.changes.currency'],
    run: async (probe: Probe) => {
      const found = new Set<string>()
      for (const type of ['8', '5', '3', '1', '17', '23']) {
        if (found.size >= TYPES_ENOUGH) break
        for (const [query, right] of CURRENCIES) {
          const request = { path: '/signal/changeSignal', query: { type, ...query } }
          const rows = await objectsOf(probe, request, 'list')
          for (const { currency_str } of rows)
            assertSame(probe, currency_str, right, `currency_str is ${right}`)
          for (const row of rows) found.add(String(row.type))
          for (const row of rows)
            assertSame(probe, String(row.type), type, `all are of type ${type}`)
        }
      }
      if (found.size === 0) probe.skip('there are no change signals now')
    },
  },
  {
    id: 'signal.strategies.mapping',
    title: 'strategy signals have ten texts in the order of their mapping',
    checks: ['record.strategySignal', 'record.strategySignal.mapping'],
    run: async (probe: Probe) => {
      const page = await strategies(probe, {})
      probe.assert(
        isSameJson(page.mapping, MAPPING),
        'mapping has the ten names in order',
        page.mapping,
      )
      for (const row of page.list)
        probe.assert(
          row.length === MAPPING.length && row.every((cell) => typeof cell === 'string'),
          'a row is as many texts as the mapping has names',
          row,
        )
    },
  },
  {
    id: 'signal.strategies.pages',
    title: 'pages of 100 strategy signals follow one another by latest_time, none twice',
    checks: [...['signal.strategies.latest', 'signal.strategies.after', 'signal.strategies.next']],
    run: async (probe: Probe) => {
      const rows: unknown[][] = []
      const { list } = await strategies(probe, {})
      let latest_time = '0'
      for (let pages = 0; pages < PAGES_MAX; pages++) {
        const page = await strategies(probe, { latest_time })
        assertAtMost(probe, page.list.length, 100, 'a page has at most 100')
        const times = page.list.map(([, time]) => Number(time))
        const early = times.filter((time) => time <= Number(latest_time))
        assertSame(probe, early, [], 'every signal of a page is after latest_time')
        probe.assert(
          isNonDecreasing(times) || isNonDecreasing([...times].reverse()),
          'a page is in order of time',
          times,
        )
        rows.push(...page.list)
        if (page.list.length < 100) break
        probe.assert(Number(page.latest_time) > Number(latest_time), 'latest_time advances', page)
        latest_time = String(page.latest_time)
      }
      const seen = rows.sort(([, a], [, b]) => Number(a) - Number(b)).map(([id]) => String(id))
      assertUnique(probe, seen, 'no signal stands on two pages')
      assertAtMost(probe, list.length, 100, 'at most 100 are answered without latest_time')
      // Later signals are excluded.
      const ids = list.map(([id]) => String(id))
      const until = seen.findLastIndex((id) => ids.includes(id)) + 1
      const latest = seen.slice(Math.max(0, until - list.length), until)
      const isLatest = isSameJson([...ids].sort(), [...latest].sort())
      if (seen.length < PAGES_MAX * 100)
        probe.assert(
          isLatest && seen.length - until <= FRESH_MAX,
          'without it the latest are answered',
          { expected: latest, found: ids },
        )
    },
  },
]

/** Enough types with signals: `effects.signal.changes.type` checks all. */
const TYPES_ENOUGH = 2

const CURRENCIES = [
  [{}, 'usd'],
  [{ currency: 'usd' }, 'usd'],
  [{ currency: 'cny' }, 'cny'],
] as const

const PAGES_MAX = 20

/** Signals that may arrive while pages are read. */
const FRESH_MAX = 10

const MAPPING = [
  ...['id', 'signal_time', 'signal_type', 'side', 'capital_rate', 'history_win_rate'],
  ...['advise_win_rate', 'advise_loss_rate', 'state', 'price'],
]

interface StrategyPage {
  mapping: unknown
  list: unknown[][]
  latest_time: unknown
}

async function strategies(probe: Probe, more: { latest_time?: string }): Promise<StrategyPage> {
  // A more volatile coin has more signals: bitcoin's may be less than a page a month.
  const query = { coin_type: 'ethereum', signal_key: 'order_buy_one', ...more }
  const page = await objectOf(probe, { path: '/signal/strategySignal', query })
  const isList = Array.isArray(page.list) && page.list.every(Array.isArray)
  probe.assert(isList, 'list is a list of lists', {
    expected: 'a list of lists',
    found: page.list ?? null,
  })
  return page as unknown as StrategyPage
}

/** Every listed type is served, with its own signals only. */
const ofType: Effect = async (requested: TestedOperation, parameter: Parameter) => {
  let seen = 0
  for (const type of parameter.schema.enum as string[]) {
    const rows = recordsIn(await requested.withValue(parameter, type).data())
    const wrong = rows.find((row) => String(row.type) !== type)
    requested.probe.assert(
      !wrong,
      `${nameOf(requested, parameter, type)} has that type only`,
      wrong,
    )
    seen += rows.length
  }
  if (seen === 0) requested.probe.skip('there are no change signals of any type now')
}

/** The signals of a page. */
const signals = (data: unknown) => (isJsonObject(data) ? rowsIn(data.list) : [])

const STRATEGIES = [
  ...['depth_win_one', 'depth_win_two', 'depth_buy_one'],
  ...['order_buy_one', 'td_buy_one', 'lsur_one'],
]

const text = ({ label, name }: Record<string, unknown>) => `${label} ${name}`

/** Effects of signal and alert parameters, by operation and parameter. */
export const SIGNAL_EFFECTS: EffectTable = {
  'signal.addAlert': {
    subType: { caseId: 'signal.alerts' },
    symbol: { caseId: 'signal.alerts' },
    remark: { reason: 'no answer shows it' },
  },
  'signal.alertConfig': { lan: { listed: languages({ cn: 'cn', en: 'en' }, text) } },
  'signal.changes': {
    type: { listed: ofType },
    currency: { caseId: 'signal.changes.currency' },
  },
  'signal.deleteAlert': { id: { caseId: 'signal.alerts' } },
  'signal.strategies': {
    coin_type: { effect: differs(['bitcoin', 'ethereum'], signals) },
    signal_key: { listed: apart(STRATEGIES, signals) },
    latest_time: { caseId: 'signal.strategies.pages' },
  },
}

/** Observers of the open questions about signals and alerts. */
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

/** An unused alert id. */
const UNUSED = 2_147_483_647

/** Observers of the open questions about signals and alerts that need time to pass. */
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
 * Whether an alert fires again. A single listing is no evidence until it is true again, so the same
 * alert is set a second time: when that one fires, the first has come true again as well. Null
 * where it has not, or where both are listed at one time only, which fits either way.
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

/** An alert on a bar that closes once a minute. */
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

/** Firing times of that alert, s, the latest first, once there are enough; else empty. */
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

/** Requirements of the contract on signals and alerts. */
export const SIGNAL_REQUIREMENTS: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Feature and signal data', {
    'operation.signal.addAlert':
      'GET /signal/addSignalAlert sets an alert of indicator, period, trigger and ' + 'parameters.',
    'operation.signal.deleteAlert': 'GET /signal/delSignalAlert removes the alert with an id.',
    'signal.strategies.keys': byValues('signal_key is one of six strategies.', 'signal.strategies'),
    'signal.strategies.latest':
      'Without latest_time, the answer has the latest 100 strategy signals.',
    'signal.strategies.after':
      'With latest_time, the answer has the 100 strategy signals after it.',
    'signal.strategies.next': 'The latest_time of an answer can be used in the next call.',
    'signal.changes.types': byValues(
      'type of change signals is one of sixteen numbers.',
      'signal.changes',
    ),
    'signal.changes.currency': 'currency of change signals is cny or usd, and usd by default.',
  }),
  ...requirementsOfSection('Resources: Signals', {
    'record.alert': byAnswers(
      'A signal alert has tp_key, sub_type, side (buy or sell), ews_price and ews_time as ' +
        'text.',
      'signal.alerts',
    ),
    'record.alertSetting': byAnswers(
      'An alert that is set has id, tpKey, setPrice, subType and setTime as text.',
      'signal.alertSettings',
    ),
    'record.alertSetting.count': 'count of the alerts that are set is their number, as text.',
    'record.changeSignal': byAnswers('A change signal has nine texts.', 'signal.changes'),
    'record.strategySignal':
      'A row of strategy signals is a list of texts, as many as the mapping has names.',
    'record.strategySignal.mapping':
      'The mapping of strategy signals has its ten names in the documented order.',
  }),
  ...requirementsOfSection('States and transitions', {
    'state.alert.added': 'An added alert is listed, and result is the text "true" or "false".',
    'state.alert.deleted':
      'A deleted alert is no longer listed, and result is the text "true" or "false".',
  }),
]
