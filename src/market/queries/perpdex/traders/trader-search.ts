/** A search for traders: filters, order, page, columns. */

import { isSlices, type Slices } from '../../../../clock/turns.ts'
import type { FoundTraders } from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import { DEFAULT_ANSWERS } from '../../../../contract/questions.ts'
import {
  DEFAULT_TRADER_COLUMNS,
  type FilterOperator,
  type FoundTrader,
  TRADER_COLUMNS,
  type TraderColumn,
  type TraderFilter,
  type TraderSearchQuery,
} from '../../../../contract/records/trader-search.ts'
import { isRefusal, type Refusal } from '../../../../contract/refusal.ts'
import { isoText } from '../../../../contract/shown-value.ts'
import { divide, raw, sign, subtract, sum, type Usd } from '../../../../decimal/quantity.ts'
import { bigintText, fractionText } from '../../../formatting/decimal-text.ts'
import type { ValuedPosition } from '../../../rows/account-state.ts'
import { tradersOf } from '../../../rows/traders.ts'
import { usdText } from '../../../schema/schema.ts'
import { perWorld } from '../../../world/cache.ts'
import type { World } from '../../../world/world.ts'
import { drawdownOf, pnlCurveRecord, WINDOW_DAYS } from '../pnl-curves/pnl-curve.ts'
import type { ClosedPositionSums } from './closed-position-sums.ts'
import { hasTag, type SearchCandidate, SearchScope, tagsOf } from './search-candidate.ts'
import { compare } from './smart-money.ts'
import {
  activeTraders,
  leverageText,
  netValueOf,
  sharpeRatio,
  shownSpotOf,
  usageText,
} from './trader-snapshot.ts'

// Data of all traders that searches by curves need is computed gradually after the first search. An
// idle server computes none.

/**
 * Runs searches of one row for warming. A process's first search takes several times as long as the
 * next: code and statements are compiled, and the file is read for the first time.
 */
export function* rehearseSearch(world: World): Slices<void> {
  // On a clock with late funding charges, as on most.
  const moment = { atMs: world.startMs, shiftMs: 1, answers: DEFAULT_ANSWERS }
  const query = { pageNum: 1, pageSize: 1, period: 7, loadPnls: true, loadTags: true }
  const addrs = tradersOf(world)
    .list.slice(0, WARM_UP_TRADERS)
    .map(({ address }) => address)
  const filters = [{ field: 'ddDrawdown', op: '>=', val: 0 } as const]
  for (const one of [query, { ...query, addrs, filters, sort: { field: 'sharpe' } }]) {
    const search = searchTraders(world, moment, one)
    if (isSlices(search)) yield* search
  }
}

/** Traders whose curves are computed for it: just enough for code to be compiled. */
const WARM_UP_TRADERS = 40

/** Clocks that are warmed: each has its own points, and many tests search only once. */
const CLOCKS_MAX = 4

const warmingOf = perWorld(() => {
  const shifts = new Set<number>()
  const wanted: Moment[] = []
  let wake = () => {}
  return {
    /** Marks a clock as used by a search. */
    request(moment: Moment): void {
      if (shifts.has(moment.shiftMs) || shifts.size === CLOCKS_MAX) return
      shifts.add(moment.shiftMs)
      wanted.push(moment)
      wake()
    },
    async next(): Promise<Moment> {
      while (wanted.length === 0)
        await new Promise<void>((resume) => {
          wake = resume
        })
      return wanted.shift() as Moment
    },
  }
})

/** Requests warming after a search. */
export const requestWarming = (world: World, moment: Moment) => warmingOf(world).request(moment)

const ALL_DAYS = Object.values(WINDOW_DAYS)

/** Never ends; each turn takes about a millisecond. */
export async function* warmSearches(world: World): AsyncGenerator<void> {
  for (;;) {
    const moment = await warmingOf(world).next()
    const traders = activeTraders(world, moment.atMs)
    for (const { id } of traders) {
      yield
      for (const days of ALL_DAYS) sharpeRatio(world, moment, id, days)
    }
    // Last, as they take by far the longest.
    for (const { id } of traders) {
      yield
      for (const days of ALL_DAYS) drawdownOf(world, moment, id, days)
    }
  }
}

/** A page of matching traders; refuses unknown names. */
export function searchTraders(
  world: World,
  moment: Moment,
  query: TraderSearchQuery,
): Slices<FoundTraders> | Refusal<'invalid'> {
  const columns = columnsOf(query)
  const order = candidateOrder(query, moment)
  const filters = filterConditions(query, moment)
  if (isRefusal(columns)) return columns
  if (isRefusal(order)) return order
  if (isRefusal(filters)) return filters
  return foundTraders(new SearchScope(world, moment), query, { columns, order, filters })
}

interface SearchPlan {
  columns: readonly TraderColumn[]
  order: CandidateOrder
  filters: readonly Condition[]
}

function* foundTraders(
  scope: SearchScope,
  query: TraderSearchQuery,
  { columns, order, filters }: SearchPlan,
): Slices<FoundTraders> {
  const conditions = [...otherConditions(query, scope), ...filters]
  const found: SearchCandidate[] = []
  for (const candidate of scope.candidates(query.addrs)) {
    yield
    if (conditions.every((condition) => condition(candidate))) found.push(candidate)
  }
  if (query.countOnly) return { list: [], total: found.length }
  const { pageNum, pageSize, period, lang = 'en' } = query
  const sorted = yield* order(found)
  const format = { days: period, lang, moment: scope.moment }
  const list: FoundTrader[] = []
  for (const one of sorted.slice((pageNum - 1) * pageSize, pageNum * pageSize)) {
    yield
    list.push(discoveredRecord(one, columns, format))
  }
  return { list, total: found.length }
}

function discoveredRecord(
  candidate: SearchCandidate,
  columns: readonly TraderColumn[],
  showing: ColumnFormat,
): FoundTrader {
  const row: Record<string, unknown> = { address: candidate.trader.address }
  for (const column of columns) row[column] = SEARCH_COLUMNS[column].show(candidate, showing)
  return row as FoundTrader
}

function columnsOf(query: TraderSearchQuery): readonly TraderColumn[] | Refusal<'invalid'> {
  const columns = new Set<TraderColumn>()
  for (const [at, name] of (query.selects ?? []).entries()) {
    const column = columnNamed(name, `selects.${at}`)
    if (isRefusal(column)) return column
    columns.add(column)
  }
  const chosen = columns.size === 0 ? new Set(DEFAULT_TRADER_COLUMNS) : columns
  if (query.loadPnls) chosen.add('pnlList')
  if (query.loadTags) chosen.add('tags')
  return [...chosen]
}

type CandidateOrder = (candidates: readonly SearchCandidate[]) => Slices<SearchCandidate[]>

/** By the requested column; missing values come last, and ties are broken by address. */
function candidateOrder(
  { sort, period }: TraderSearchQuery,
  moment: Moment,
): CandidateOrder | Refusal<'invalid'> {
  const column = columnNamed(sort?.field ?? 'totalPnl', 'sort.field')
  if (isRefusal(column)) return column
  const { kind, key } = SEARCH_COLUMNS[column]
  if (kind === 'list')
    return { refused: 'invalid', parameter: 'sort.field', expected: 'a column that has an order' }
  const sign = sort?.dir?.toLowerCase() === 'asc' ? 1 : -1
  return function* (candidates) {
    const keyed: { one: SearchCandidate; value: number | string | null }[] = []
    for (const one of candidates) {
      yield
      keyed.push({ one, value: key(one, period, moment) })
    }
    keyed.sort((a, b) => {
      if (a.value === null || b.value === null)
        return (
          Number(a.value === null) - Number(b.value === null) ||
          compare(a.one.trader.address, b.one.trader.address)
        )
      if (a.value !== b.value) return a.value < b.value ? -sign : sign
      return compare(a.one.trader.address, b.one.trader.address)
    })
    return keyed.map(({ one }) => one)
  }
}

/** Conditions of a search, validated once and then tested on every trader. */
type Condition = (candidate: SearchCandidate) => boolean

/** A column by its name, or a refusal that names the parameter. */
function columnNamed(name: string, parameter: string): TraderColumn | Refusal<'invalid'> {
  const column = TRADER_COLUMNS.find((one) => one === name)
  return column ?? invalid(parameter, `one of ${TRADER_COLUMNS.join(', ')}`)
}

/** Conditions of filters, in order, or the refusal of the first bad one. */
function filterConditions(
  query: TraderSearchQuery,
  moment: Moment,
): Condition[] | Refusal<'invalid'> {
  const conditions: Condition[] = []
  for (const [at, filter] of (query.filters ?? []).entries()) {
    const condition = conditionOf(filter, `filters.${at}`, query.period, moment)
    if (typeof condition !== 'function') return condition
    conditions.push(condition)
  }
  return conditions
}

function conditionOf(
  filter: TraderFilter,
  parameter: string,
  period: number,
  moment: Moment,
): Condition | Refusal<'invalid'> {
  const name = columnNamed(filter.field, `${parameter}.field`)
  if (typeof name === 'object') return name
  const { kind, key } = SEARCH_COLUMNS[name]
  const days = filter.period ?? period
  const keyOf = (candidate: SearchCandidate) => key(candidate, days, moment)
  const op = filter.op ?? '>'
  if (op === 'exist') {
    const empty = kind === 'list' ? 0 : null
    return (candidate) => keyOf(candidate) !== empty
  }
  if (kind === 'list') return invalid(`${parameter}.op`, `exist for ${name}`)
  const operand = operandOf(filter, kind, moment)
  if (operand === null) return invalid(`${parameter}.val`, EXPECTED[kind])
  const compare = COMPARE[op]
  return (candidate) => {
    const value = keyOf(candidate)
    return value !== null && compare(value, operand)
  }
}

const EXPECTED: Record<ColumnKind, string> = {
  number: 'a number',
  time: 'a date such as 2026-01-15 in val2, or milliseconds',
  text: 'text in val2',
  list: 'left out',
}

/** Operand of a filter; null when it has none of that kind. */
function operandOf({ val, val2 }: TraderFilter, kind: ColumnKind, moment: Moment) {
  if (kind === 'text') return val2?.toLowerCase() ?? null
  if (kind === 'number') return numberIn(val ?? val2)
  const shownMs = val2 === undefined ? numberIn(val) : timeIn(val2)
  return shownMs === null ? null : shownMs - moment.shiftMs
}

function numberIn(text: number | string | undefined): number | null {
  return text === undefined || text === '' || Number.isNaN(Number(text)) ? null : Number(text)
}

/** An instant in text, UTC where it has no zone. */
function timeIn(text: string): number | null {
  const iso = text.trim().replace(' ', 'T')
  const isPlain = /T[\d:.]+$/.test(iso)
  const timeMs = Date.parse(isPlain ? `${iso}Z` : iso)
  return Number.isNaN(timeMs) ? numberIn(text) : timeMs
}

type Compare = (a: number | string, b: number | string) => boolean

const COMPARE: Record<Exclude<FilterOperator, 'exist'>, Compare> = {
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '=': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<>': (a, b) => a !== b,
}

/** Conditions on coins and tags. */
function otherConditions(query: TraderSearchQuery, field: SearchScope): Condition[] {
  const { tags, coins, anyCoins, noCoins, allCoins, period } = query
  const conditions: Condition[] = (tags ?? []).map((tag) => (one) => hasTag(one, tag))
  if (!coins && !anyCoins && !noCoins && !allCoins) return conditions
  const isHeld = field.heldCoins(period)
  const instruments = field.world.instruments.map(({ id }) => id)
  const on = (names: string[] | undefined, test: (held: IsHeld, ids: number[]) => boolean) => {
    if (!names || names.length === 0) return
    const chosen = names.map((name) => idOf(field.world, name))
    conditions.push(({ trader }) =>
      test((id) => id !== UNKNOWN_COIN && isHeld(trader.id, id), chosen),
    )
  }
  on(coins, (held, chosen) => chosen.every(held))
  on(anyCoins, (held, chosen) => chosen.some(held))
  on(noCoins, (held, chosen) => !chosen.some(held))
  on(allCoins, (held, chosen) => {
    const all = instruments.filter(held)
    return all.length > 0 && all.every((id) => chosen.includes(id))
  })
  return conditions
}

type IsHeld = (instrument: number) => boolean

const UNKNOWN_COIN = -1

const idOf = ({ byCoin }: World, coin: string) => byCoin.get(coin)?.id ?? UNKNOWN_COIN

const invalid = (parameter: string, expected: string): Refusal<'invalid'> => ({
  refused: 'invalid',
  parameter,
  expected,
})

// Columns of a search: sort key and shown value of each.

/** Operand kinds: a number, an instant in tape time, text; lists have none. */
type ColumnKind = 'number' | 'time' | 'text' | 'list'

/** Format options of a search. */
interface ColumnFormat {
  days: number
  lang: 'en' | 'cn'
  moment: Moment
}

interface SearchColumn<Name extends TraderColumn> {
  kind: ColumnKind
  /** null without a value; for a list its length. */
  key(candidate: SearchCandidate, days: number, moment: Moment): number | string | null
  show(candidate: SearchCandidate, showing: ColumnFormat): NonNullable<FoundTrader[Name]> | null
}

/** A number with its sort key as the shown value. */
const countColumn = <N extends TraderColumn>(
  of: (sums: ClosedPositionSums) => number,
): SearchColumn<N> => ({
  kind: 'number',
  key: (candidate, days) => of(candidate.sums(days)),
  show: (candidate, { days }) => of(candidate.sums(days)) as never,
})

/** Realised money of the period, shown with ten decimals. */
const pnlColumn = <N extends TraderColumn>(
  of: (sums: ClosedPositionSums) => Usd,
): SearchColumn<N> => ({
  kind: 'number',
  key: (candidate, days) => raw(of(candidate.sums(days))) / 1e6,
  show: (candidate, { days }) =>
    bigintText(BigInt(raw(of(candidate.sums(days)))) * 10_000n, 10, 10) as never,
})

/** Present money. */
const moneyColumn = <N extends TraderColumn>(
  of: (candidate: SearchCandidate, moment: Moment) => Usd,
): SearchColumn<N> => ({
  kind: 'number',
  key: (candidate, _, moment) => raw(of(candidate, moment)) / 1e6,
  show: (candidate, { moment }) => usdText(of(candidate, moment)) as never,
})

/** A present count or ratio. */
const currentColumn = <N extends TraderColumn>(
  of: (candidate: SearchCandidate) => number,
): SearchColumn<N> => ({
  kind: 'number',
  key: of,
  show: (candidate) => of(candidate) as never,
})

const partOf = (count: number, of: number) =>
  of === 0 ? 0 : Number(fractionText(BigInt(count), BigInt(of)))

const positions = ({ snapshot }: SearchCandidate, side: 1 | -1) =>
  snapshot.main.positions.filter(({ sz }) => sign(sz) === side)

const totalPositionValue = (list: readonly ValuedPosition[]) => sum(list.map(({ value }) => value))

const effLeverage = ({ snapshot }: SearchCandidate) =>
  snapshot.main.positions.length === 0 ? null : leverageText(snapshot)

const SEARCH_COLUMNS: { [Name in TraderColumn]: SearchColumn<Name> } = {
  address: {
    kind: 'text',
    key: ({ trader }) => trader.address,
    show: ({ trader }) => trader.address,
  },
  avgDurationMin: countColumn(
    ({ heldMs, count }) => divide(heldMs, 600 * Math.max(count, 1)) / 100,
  ),
  positionCount: countColumn(({ count }) => count),
  winRate: countColumn(({ wins, count }) => partOf(wins, count)),
  longWinRate: countColumn(({ longWins, longCount }) => partOf(longWins, longCount)),
  shortWinRate: countColumn((of) => partOf(of.wins - of.longWins, of.count - of.longCount)),
  longRatio: countColumn(({ longCount, count }) => partOf(longCount, count)),
  totalPnl: pnlColumn((of) => of.pnl),
  longPnl: pnlColumn(({ longPnl }) => longPnl),
  shortPnl: pnlColumn((of) => subtract(of.pnl, of.longPnl)),
  avgLeverage: {
    kind: 'number',
    key: (candidate, days) => averageLeverage(candidate.sums(days)),
    show: (candidate, { days }) => String(averageLeverage(candidate.sums(days))),
  },
  sharpe: {
    kind: 'number',
    key: (candidate, days) => candidate.sharpe(days),
    show: (candidate, { days }) => candidate.sharpe(days),
  },
  ddDrawdown: {
    kind: 'number',
    key: (candidate, days) => drawdown(candidate, days),
    show: (candidate, { days }) => drawdown(candidate, days),
  },
  snapTotalValue: moneyColumn(({ snapshot }) => netValueOf(snapshot)),
  snapPerpValue: moneyColumn(({ snapshot }) => snapshot.main.all.accountValue),
  snapSpotValue: moneyColumn(({ snapshot }, moment) => shownSpotOf(snapshot, moment)),
  snapTotalMarginUsed: moneyColumn(({ snapshot }) => snapshot.main.all.totalMarginUsed),
  snapMarginUsageRate: currentColumn(({ snapshot }) => Number(usageText(snapshot))),
  snapEffLeverage: {
    kind: 'number',
    key: (candidate) => numberOf(effLeverage(candidate)),
    show: effLeverage,
  },
  snapUnrealizedPnl: moneyColumn(({ snapshot }) =>
    sum(snapshot.main.positions.map(({ unrealised }) => unrealised)),
  ),
  snapPositionCount: currentColumn(({ snapshot }) => snapshot.main.positions.length),
  snapPositionValue: moneyColumn(({ snapshot }) => snapshot.main.all.totalNtlPos),
  snapLongPositionCount: currentColumn((candidate) => positions(candidate, 1).length),
  snapLongPositionValue: moneyColumn((candidate) => totalPositionValue(positions(candidate, 1))),
  snapShortPositionCount: currentColumn((candidate) => positions(candidate, -1).length),
  snapShortPositionValue: moneyColumn((candidate) => totalPositionValue(positions(candidate, -1))),
  oaLastOrderAt: {
    kind: 'time',
    key: ({ snapshot }) => snapshot.lastOrderMs,
    show: ({ snapshot: { lastOrderMs } }) => (lastOrderMs === null ? null : isoText(lastOrderMs)),
  },
  pnlList: {
    kind: 'list',
    key: (candidate, days, moment) => pnlListOf(candidate, days, moment).length,
    show: (candidate, { days, moment }) => pnlListOf(candidate, days, moment),
  },
  tags: {
    kind: 'list',
    key: (candidate) => tagsOf(candidate, 'en').length,
    show: (candidate, { lang }) => tagsOf(candidate, lang),
  },
}

const numberOf = (text: string | null) => (text === null ? null : Number(text))

/** With two decimals. */
const averageLeverage = ({ leverage, count }: ClosedPositionSums) =>
  divide(leverage * 100, Math.max(count, 1)) / 100

function drawdown(candidate: SearchCandidate, days: number): number {
  const { lost, base } = candidate.drawdown(days)
  return partOf(raw(lost), raw(base))
}

const pnlListOf = ({ scope, trader }: SearchCandidate, days: number, moment: Moment) =>
  pnlCurveRecord(scope.world, moment, trader.id, { days, scope: 'all', form: 'list' })
