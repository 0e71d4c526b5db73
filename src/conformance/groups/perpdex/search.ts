/** What the parameters of searches for traders, trades and orders change. */

import type { Parameter } from '../../../contract/parameters.ts'
import { timeOf } from '../../declared-flaws.ts'
import { type AskedOperation, rowsIn } from '../../derived/asked-operation.ts'
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

// Sets of coins by which a search chooses: held all of them, any, none, or nothing else.

/** How many are found. */
const total = async (asked: AskedOperation): Promise<number> => {
  const data = await asked.data()
  return isJsonObject(data) ? Number(data.total) : Number.NaN
}

/** Sets by coins held: all of them, any, none, and nothing else fit together. */
const coinSets: Effect = async (asked: AskedOperation, parameter: Parameter) =>
  retryUntilHeld(asked.probe, () => flawOfCoinSets(asked, parameter))

/** Who has held these coins and no others is found by all of them, and not by fewer. */
const nothingElseHeld: Effect = async (usual: AskedOperation, parameter: Parameter) => {
  const asked: AskedOperation = usual.with({ body: { period: DAYS } })
  const held = await heldBySomebody(asked)
  if (held === null) asked.probe.skip('nobody who trades much has held just a few coins')
  const { address, coins } = held
  const found = (allCoins: readonly string[]) =>
    total(asked.with({ body: { addrs: [address], allCoins, countOnly: true } }))
  const { name } = parameter
  await retryUntilHeld(asked.probe, async () => {
    for (const all of [coins, [...coins].reverse()])
      if ((await found(all)) !== 1) return `${name}=${all} finds ${address}, who held nothing else`
    for (const left of coins)
      if ((await found(coins.filter((one) => one !== left))) !== 0)
        return `${name} without ${left} does not find ${address}, who held that, too`
    return null
  })
}

/** An account with at least two coins that it has held, as the search itself counts them. */
async function heldBySomebody(asked: AskedOperation) {
  const { probe } = asked
  for (const address of (await busyTraders(probe)).slice(0, ACCOUNTS_MAX)) {
    const found = (body: JsonObject) =>
      total(asked.with({ body: { ...body, addrs: [address], countOnly: true } }))
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

/** Accounts that are looked at, coins that are few, and for how many days. */
const [ACCOUNTS_MAX, FEW, DAYS] = [10, 4, 30]

async function flawOfCoinSets(asked: AskedOperation, parameter: Parameter): Promise<string | null> {
  const [one, other] = await twoCoins(asked.probe)
  if (one === undefined || other === undefined) asked.probe.skip('the target has one coin only')
  const found = (body: JsonObject) => total(asked.with({ body: { ...body, countOnly: true } }))
  const all = await found({})
  const both = await found({ coins: [one, other] })
  const any = await found({ anyCoins: [one, other] })
  const none = await found({ noCoins: [one, other] })
  const nothingElse = await found({ allCoins: [one] })
  const held = await found({ coins: [one] })
  const heldOther = await found({ coins: [other] })
  const [alone, otherAlone] = await heldAlone(
    asked,
    [other, ...(await someCoins(asked.probe))],
    found,
  )
  const noOther = await found({ allCoins: [one, alone] })
  const counts = { all, both, any, none, held, heldOther, nothingElse, otherAlone, noOther }
  if (all === 0 || any === 0) asked.probe.skip('nobody has held any of these coins')
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
      `allCoins=${one} is who held nothing else`,
    ],
  }
  const [holds, words] = rules[parameter.name] ?? [true, '']
  return holds ? null : `${words}: ${JSON.stringify(counts)}`
}

/** A coin besides which some have held nothing, and how many; the first where there is none. */
async function heldAlone(
  asked: AskedOperation,
  coins: readonly string[],
  found: (body: JsonObject) => Promise<number>,
): Promise<[coin: string, count: number]> {
  const [first = '', ...others] = [...new Set(coins)].slice(0, COINS_MAX)
  const [one] = await twoCoins(asked.probe)
  for (const coin of [first, ...others]) {
    const count = coin === one ? 0 : await found({ allCoins: [coin] })
    if (count > 0) return [coin, count]
  }
  return [first, 0]
}

/** Coins that are looked at for one that somebody held alone. */
const COINS_MAX = 8

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

/** What the parameters of searches change, by operation and parameter. */
export const SEARCH_EFFECTS: EffectTable = {
  'perpdex.tradersDiscover': search,
  'perpdex.tradersDiscoverHistory': {
    ...search,
    time: { effect: asOf },
    startTime: { effect: asOf },
  },
}
