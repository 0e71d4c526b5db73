/** Effects of parameters of searches for traders, trades and orders. */

import type { Parameter } from '../../../contract/parameters.ts'
import { timeOf } from '../../declared-violations.ts'
import { rowsIn, type TestedOperation } from '../../derived/tested-operation.ts'
import {
  type Effect,
  type EffectEntry,
  type EffectTable,
  manyTraders,
  nameOf,
  recordsIn,
  someTags,
  twoBatches,
  twoCoins,
} from '../../effects/effect.ts'
import { both, languagesOfLists, names, pages, sorts, switches } from '../../effects/selection.ts'
import { widens } from '../../effects/spans.ts'
import { busyTraders, someCoins } from '../../example-filler.ts'
import {
  assertAtLeast,
  assertSame,
  columnSum,
  isJsonObject,
  type JsonObject,
  objectsOf,
  retryUntilHeld,
} from '../../responses.ts'

// Sets of coins as search filters: held all, any, none, or no others.

/** Number of results. */
const total = async (requested: TestedOperation): Promise<number> => {
  const data = await requested.data()
  return isJsonObject(data) ? Number(data.total) : Number.NaN
}

/** Filters for all, any, none, and no other coins are consistent. */
const coinSets: Effect = async (requested: TestedOperation, parameter: Parameter) =>
  retryUntilHeld(requested.probe, () => flawOfCoinSets(requested, parameter))

/** A trader who held exactly these coins is found with all of them, and not with fewer. */
const nothingElseHeld: Effect = async (usual: TestedOperation, parameter: Parameter) => {
  const requested: TestedOperation = usual.with({ body: { period: DAYS } })
  const held = await heldByAnyAccount(requested)
  if (held === null) requested.probe.skip('no busy account has held just a few coins')
  const { address, coins } = held
  const found = (allCoins: readonly string[]) =>
    total(requested.with({ body: { addrs: [address], allCoins, countOnly: true } }))
  const { name } = parameter
  await retryUntilHeld(requested.probe, async () => {
    for (const all of [coins, [...coins].reverse()])
      if ((await found(all)) !== 1) return `${name}=${all} finds ${address}, who held nothing else`
    for (const left of coins)
      if ((await found(coins.filter((one) => one !== left))) !== 0)
        return `${name} without ${left} does not find ${address}, who held that, too`
    return null
  })
}

/** An account that has held at least two coins, by the search's own count. */
async function heldByAnyAccount(requested: TestedOperation) {
  const { probe } = requested
  for (const address of (await busyTraders(probe)).slice(0, ACCOUNTS_MAX)) {
    const found = (body: JsonObject) =>
      total(requested.with({ body: { ...body, addrs: [address], countOnly: true } }))
    const path = `/hl/traders/${address}/performance-by-coin`
    const rows = await objectsOf(probe.lookup, { path, query: { period: DAYS } })
    const coins = rows.map(({ coin }) => String(coin))
    if (coins.length < 2 || coins.length > FEW) continue
    const others = (await someCoins(probe)).filter((coin) => !coins.includes(coin))
    if ((await found({ anyCoins: others })) !== 0) continue
    const counts: number[] = []
    for (const coin of coins) counts.push(await found({ coins: [coin] }))
    if (counts.every((count) => count === 1)) return { address, coins }
  }
  return null
}

/** Maximum number of accounts, a small number of coins, and the days. */
const [ACCOUNTS_MAX, FEW, DAYS] = [10, 4, 30]

async function flawOfCoinSets(
  requested: TestedOperation,
  parameter: Parameter,
): Promise<string | null> {
  const [one, other] = await twoCoins(requested.probe)
  if (one === undefined || other === undefined) requested.probe.skip('the target has one coin only')
  const found = (body: JsonObject) => total(requested.with({ body: { ...body, countOnly: true } }))
  const all = await found({})
  const both = await found({ coins: [one, other] })
  const any = await found({ anyCoins: [one, other] })
  const none = await found({ noCoins: [one, other] })
  const nothingElse = await found({ allCoins: [one] })
  const held = await found({ coins: [one] })
  const heldOther = await found({ coins: [other] })
  const [alone, otherAlone] = await heldAlone(
    requested,
    [other, ...(await someCoins(requested.probe))],
    found,
  )
  const noOther = await found({ allCoins: [one, alone] })
  const counts = { all, both, any, none, held, heldOther, nothingElse, otherAlone, noOther }
  if (all === 0 || any === 0) requested.probe.skip('no account has held any of these coins')
  const rules: Record<string, [holds: boolean, words: string]> = {
    coins: [
      both <= held && held <= any && held < all && any === held + heldOther - both,
      `coins=${one},${other} are held by fewer`,
    ],
    anyCoins: [
      any < all && any === held + heldOther - both,
      `anyCoins=${one},${other} leaves the others out`,
    ],
    noCoins: [any + none === all, 'those who held any and those who held none are all'],
    allCoins: [
      nothingElse < any && nothingElse <= held && noOther >= nothingElse && noOther >= otherAlone,
      `allCoins=${one} finds accounts that held nothing else`,
    ],
  }
  const [holds, words] = rules[parameter.name] ?? [true, '']
  return holds ? null : `${words}: ${JSON.stringify(counts)}`
}

/** A coin held alone by some accounts, and their number; else the first coin. */
async function heldAlone(
  requested: TestedOperation,
  coins: readonly string[],
  found: (body: JsonObject) => Promise<number>,
): Promise<[coin: string, count: number]> {
  const [first = '', ...others] = [...new Set(coins)].slice(0, COINS_MAX)
  const [one] = await twoCoins(requested.probe)
  for (const coin of [first, ...others]) {
    const count = coin === one ? 0 : await found({ allCoins: [coin] })
    if (count > 0) return [coin, count]
  }
  return [first, 0]
}

/** Maximum number of coins searched for that. */
const COINS_MAX = 8

/** Every row has the requested tag. */
const tagged: Effect = async (requested: TestedOperation, parameter: Parameter) => {
  const tags = (await someTags(requested.probe)).slice(0, 2)
  if (tags.length === 0) requested.probe.skip('the target has no tags')
  for (const tag of tags) {
    const one = requested.with({ body: { loadTags: true, selects: ['tags'] } })
    const rows = await one.withValue(parameter, [tag]).objects()
    const wrong = rows.find((row) => !rowsIn(row.tags).includes(tag))
    requested.probe.assert(
      !wrong,
      `${nameOf(requested, parameter, tag)} has that tag everywhere`,
      wrong,
    )
    assertAtLeast(
      requested.probe,
      rows.length,
      1,
      `${nameOf(requested, parameter, tag)} finds accounts that have it`,
    )
  }
  await taggedTwice(requested, parameter, tags)
}

/** A second tag counts like the first: both together find others than one alone. */
async function taggedTwice(
  requested: TestedOperation,
  parameter: Parameter,
  tags: readonly string[],
) {
  const [one, other] = tags
  if (one === undefined || other === undefined) return
  await retryUntilHeld(requested.probe, async () => {
    const found = (of: readonly string[]) =>
      total(requested.with({ body: { countOnly: true } }).withValue(parameter, of))
    const [first, second, both] = [await found([one]), await found([other]), await found(tags)]
    const [least, most] = [Math.min(first, second), Math.max(first, second)]
    const swapped = await found([other, one])
    if (swapped !== both) return `${parameter.name} are the same in any order`
    // Both tags, or either: a second tag cannot give any other number.
    return both <= least || (both >= most && both <= first + second)
      ? null
      : `${parameter.name}=${tags} finds ${both}, one alone ${first} and ${second}`
  })
}

/** Rows have the selected columns, and the address. */
const selected: Effect = async (requested: TestedOperation, parameter: Parameter) => {
  for (const columns of [['winRate'], ['totalPnl', 'positionCount']]) {
    const rows = await requested.withValue(parameter, columns).objects()
    if (rows.length === 0) requested.probe.skip('there are no rows')
    const right = ['address', 'time', ...columns]
    for (const row of rows) {
      const isWhole = columns.every((name) => name in row)
      const isBare = Object.keys(row).every((name) => right.includes(name))
      requested.probe.assert(
        isWhole && isBare,
        `${nameOf(requested, parameter, columns)} has these columns`,
        row,
      )
    }
  }
}

/** Returns only the number. */
const countOnly: Effect = async (requested: TestedOperation, parameter: Parameter) => {
  const data = await requested.withValue(parameter, true).data()
  const usual = await requested.withValue(parameter, undefined).data()
  const list = isJsonObject(data) ? rowsIn(data.list) : []
  assertSame(requested.probe, list, [], `${nameOf(requested, parameter, true)} has no rows`)
  if (recordsIn(usual).length === 0) requested.probe.skip('there are no rows to leave out')
}

/** Every row matches the filter. */
const filtered: Effect = async (requested: TestedOperation, parameter: Parameter) => {
  const one = requested.with({ body: { selects: ['winRate'] } })
  for (const [op, holds] of [
    ['>', (value: number) => value > 0.5],
    ['<', (value: number) => value < 0.5],
  ] as const) {
    const rows = await one.withValue(parameter, [{ field: 'winRate', op, val: 0.5 }]).objects()
    const wrong = rows.find((row) => !holds(Number(row.winRate)))
    requested.probe.assert(
      !wrong,
      `${requested.operation.id} with winRate ${op} 0.5 has such rows only`,
      wrong,
    )
  }
  const both = [
    { field: 'winRate', op: '>', val: 0.5 },
    { field: 'positionCount', op: '>', val: 3 },
  ]
  for (const all of [both, [...both].reverse()]) {
    const selects = ['winRate', 'positionCount']
    const rows = await requested.with({ body: { selects } }).withValue(parameter, all).objects()
    const wrong = rows.find((row) => Number(row.winRate) <= 0.5 || Number(row.positionCount) <= 3)
    requested.probe.assert(!wrong, `each of two filters of ${requested.operation.id} holds`, wrong)
  }
}

/** Over a longer period, some traders have closed more positions; 0 is all time. */
const closedWithin: Effect = async (requested: TestedOperation, parameter: Parameter) => {
  const addrs = await manyTraders(requested.probe)
  const one = requested.with({
    body: { addrs, selects: ['positionCount'], pageSize: addrs.length },
  })
  const closed = (data: unknown) => columnSum(recordsIn(data), 'positionCount')
  await widens(closed, [1, 30, 0])(one, parameter)
}

/** The search is as of the requested instant. */
const asOf: Effect = async (requested: TestedOperation, parameter: Parameter) => {
  const usual = await requested.objects()
  const now = timeOf({ time: usual[0]?.time })
  if (now === null) requested.probe.skip('there are no rows')
  const before = now - 86_400_000
  const rows = await requested.withValue(parameter, before).objects()
  const wrong = rows.find((row) => timeOf({ time: row.time }) !== before)
  requested.probe.assert(
    !wrong,
    `${nameOf(requested, parameter, before)} is of that instant`,
    wrong,
  )
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

/** Effects of search parameters, by operation and parameter. */
export const SEARCH_EFFECTS: EffectTable = {
  'perpdex.tradersDiscover': search,
  'perpdex.tradersDiscoverHistory': {
    ...search,
    time: { effect: asOf },
    startTime: { effect: asOf },
  },
}
