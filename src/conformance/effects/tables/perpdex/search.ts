import type { Parameter } from '../../../../contract/parameters.ts'
import { assertAtLeast, assertSame } from '../../../assertions.ts'
import { type AskedOperation, rowsIn } from '../../../derived/asked-operation.ts'
import { timeOf } from '../../../derived/row-times.ts'
import { isJsonObject } from '../../../parsed-json.ts'
import { retryUntilHeld } from '../../../response-reading.ts'
import { columnSum } from '../../../value-checks.ts'
import { coinSets, nothingElseHeld, total } from '../../coin-sets.ts'
import type { Effect, EffectEntry, EffectTable } from '../../effect.ts'
import { nameOf, recordsIn } from '../../effect.ts'
import { manyTraders, someTags, twoBatches } from '../../known-values.ts'
import { pages, sorts } from '../../pages.ts'
import { both, names, switches } from '../../selection.ts'
import { widens } from '../../spans.ts'
import { languagesOfLists } from '../../wording.ts'

/** Every row has the tag that is asked for. */
const tagged: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  const tags = (await someTags(asked.probe)).slice(0, 2)
  if (tags.length === 0) asked.probe.skip('the target has no tags')
  for (const tag of tags) {
    const one = asked.with({ body: { loadTags: true, selects: ['tags'] } })
    const rows = await one.withValue(parameter, [tag]).objects()
    const wrong = rows.find((row) => !rowsIn(row.tags).includes(tag))
    asked.probe.assert(!wrong, `${nameOf(asked, parameter, tag)} has that tag everywhere`, wrong)
    assertAtLeast(asked.probe, rows.length, 1, `${nameOf(asked, parameter, tag)} finds who has it`)
  }
  await taggedTwice(asked, parameter, tags)
}

/** Of two tags the second counts as the first does: they find others than one alone. */
async function taggedTwice(asked: AskedOperation, parameter: Parameter, tags: readonly string[]) {
  const [one, other] = tags
  if (one === undefined || other === undefined) return
  await retryUntilHeld(asked.probe, async () => {
    const found = (of: readonly string[]) =>
      total(asked.with({ body: { countOnly: true } }).withValue(parameter, of))
    const [first, second, both] = [await found([one]), await found([other]), await found(tags)]
    const [least, most] = [Math.min(first, second), Math.max(first, second)]
    const swapped = await found([other, one])
    if (swapped !== both) return `${parameter.name} are the same in any order`
    // Who has both, or who has either: in both ways a second tag makes no other number than these.
    return both <= least || (both >= most && both <= first + second)
      ? null
      : `${parameter.name}=${tags} finds ${both}, one alone ${first} and ${second}`
  })
}

/** Rows have the columns that are selected, and the address. */
const selected: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  for (const columns of [['winRate'], ['totalPnl', 'positionCount']]) {
    const rows = await asked.withValue(parameter, columns).objects()
    if (rows.length === 0) asked.probe.skip('there are no rows')
    const right = ['address', 'time', ...columns]
    for (const row of rows) {
      const isWhole = columns.every((name) => name in row)
      const isBare = Object.keys(row).every((name) => right.includes(name))
      asked.probe.assert(
        isWhole && isBare,
        `${nameOf(asked, parameter, columns)} has these columns`,
        row,
      )
    }
  }
}

/** Only how many there are. */
const countOnly: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  const data = await asked.withValue(parameter, true).data()
  const usual = await asked.withValue(parameter, undefined).data()
  const list = isJsonObject(data) ? rowsIn(data.list) : []
  assertSame(asked.probe, list, [], `${nameOf(asked, parameter, true)} has no rows`)
  if (recordsIn(usual).length === 0) asked.probe.skip('there are no rows to leave out')
}

/** Every row has what the filter says. */
const filtered: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  const one = asked.with({ body: { selects: ['winRate'] } })
  for (const [op, holds] of [
    ['>', (value: number) => value > 0.5],
    ['<', (value: number) => value < 0.5],
  ] as const) {
    const rows = await one.withValue(parameter, [{ field: 'winRate', op, val: 0.5 }]).objects()
    const wrong = rows.find((row) => !holds(Number(row.winRate)))
    asked.probe.assert(
      !wrong,
      `${asked.operation.id} with winRate ${op} 0.5 has such rows only`,
      wrong,
    )
  }
  const both = [
    { field: 'winRate', op: '>', val: 0.5 },
    { field: 'positionCount', op: '>', val: 3 },
  ]
  for (const all of [both, [...both].reverse()]) {
    const selects = ['winRate', 'positionCount']
    const rows = await asked.with({ body: { selects } }).withValue(parameter, all).objects()
    const wrong = rows.find((row) => Number(row.winRate) <= 0.5 || Number(row.positionCount) <= 3)
    asked.probe.assert(!wrong, `each of two filters of ${asked.operation.id} holds`, wrong)
  }
}

/** The longer the period, the more positions some traders have closed; 0 is all time. */
const closedWithin: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  const addrs = await manyTraders(asked.probe)
  const one = asked.with({ body: { addrs, selects: ['positionCount'], pageSize: addrs.length } })
  const closed = (data: unknown) => columnSum(recordsIn(data), 'positionCount')
  await widens(closed, [1, 30, 0])(one, parameter)
}

/** The search is of the instant that is asked for. */
const asOf: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  const usual = await asked.objects()
  const now = timeOf({ time: usual[0]?.time })
  if (now === null) asked.probe.skip('there are no rows')
  const before = now - 86_400_000
  const rows = await asked.withValue(parameter, before).objects()
  const wrong = rows.find((row) => timeOf({ time: row.time }) !== before)
  asked.probe.assert(!wrong, `${nameOf(asked, parameter, before)} is of that instant`, wrong)
}

const search: Record<string, EffectEntry> = {
  pageNum: { effect: pages('address') },
  pageSize: { counted: true },
  period: { effect: closedWithin },
  sort: { effect: sorts(['winRate', 'positionCount']) },
  tags: { effect: tagged },
  coins: { effect: coinSets },
  anyCoins: { effect: coinSets },
  noCoins: { effect: coinSets },
  allCoins: { effect: both(coinSets, nothingElseHeld) },
  selects: { effect: selected },
  loadPnls: { effect: switches('pnlList') },
  loadTags: { effect: switches('tags') },
  countOnly: { effect: countOnly },
  lang: { listed: languagesOfLists('tags', { loadTags: true, selects: ['tags'] }) },
  filters: { effect: filtered },
  addrs: { effect: names('address', twoBatches) },
}

export const SEARCH_EFFECTS: EffectTable = {
  'perpdex.tradersDiscover': search,
  'perpdex.tradersDiscoverHistory': {
    ...search,
    time: { effect: asOf },
    startTime: { effect: asOf },
  },
}
