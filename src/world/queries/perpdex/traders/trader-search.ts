/** A search for traders: conditions, order, page, columns. */
import type { Slices } from '../../../../clock/turns.ts'
import type { FoundTraders } from '../../../../contract/facts/perpdex/traders.ts'
import type { Moment } from '../../../../contract/facts.ts'
import {
  DEFAULT_TRADER_COLUMNS,
  type FoundTrader,
  type TraderColumn,
  type TraderSearchQuery,
} from '../../../../contract/records/trader-search.ts'
import { isRefusal, type Refusal } from '../../../../contract/refusal.ts'
import type { World } from '../../../world.ts'
import { type SearchCandidate, SearchScope } from './search-candidate.ts'
import { type ColumnFormat, SEARCH_COLUMNS } from './search-columns.ts'
import {
  type Condition,
  columnNamed,
  filterConditions,
  otherConditions,
} from './search-conditions.ts'
import { compare } from './smart-money.ts'

/** Traders found, a page of them; refuses names that are not known. */
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

/** By the column asked for; what has no value comes last, and addresses decide between equals. */
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
