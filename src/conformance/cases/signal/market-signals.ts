import { assertAtMost, assertSame, assertUnique } from '../../assertions.ts'
import type { Case } from '../../case.ts'
import type { Probe } from '../../probe.ts'
import { objectOf, objectsOf } from '../../response-reading.ts'
import { isNonDecreasing, isSameJson } from '../../value-checks.ts'

/** Change signals and strategy signals (the service's documentation, Feature and signal data). */
export const MARKET_SIGNAL_CASES: readonly Case[] = [
  {
    id: 'signal.changes.currency',
    title: 'change signals are in usd unless cny is asked for',
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
      // Those that have come since it was read are not of it.
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

/** Types with signals that are enough: `effects.signal.changes.type` looks at all. */
const TYPES_ENOUGH = 2

const CURRENCIES = [
  [{}, 'usd'],
  [{ currency: 'usd' }, 'usd'],
  [{ currency: 'cny' }, 'cny'],
] as const

const PAGES_MAX = 20

/** Signals that may come while pages are read. */
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
  // Of what moves more there are more signals: of bitcoin's a month may make less than a page.
  const query = { coin_type: 'ethereum', signal_key: 'order_buy_one', ...more }
  const page = await objectOf(probe, { path: '/signal/strategySignal', query })
  const isList = Array.isArray(page.list) && page.list.every(Array.isArray)
  probe.assert(isList, 'list is a list of lists', {
    expected: 'a list of lists',
    found: page.list ?? null,
  })
  return page as unknown as StrategyPage
}
