/** The conditions of a search, checked once and then tried on every trader. */
import type { Moment } from '../../../../contract/facts.ts'
import {
  type FilterOperator,
  TRADER_COLUMNS,
  type TraderColumn,
  type TraderFilter,
  type TraderSearchQuery,
} from '../../../../contract/records/trader-search.ts'
import type { Refusal } from '../../../../contract/refusal.ts'
import type { World } from '../../../world.ts'
import type { SearchCandidate, SearchScope } from './search-candidate.ts'
import { type ColumnKind, SEARCH_COLUMNS } from './search-columns.ts'
import { hasTag } from './trader-tags.ts'

export type Condition = (candidate: SearchCandidate) => boolean

/** A column by its name, or a refusal that names where it was asked for. */
export function columnNamed(name: string, parameter: string): TraderColumn | Refusal<'invalid'> {
  const column = TRADER_COLUMNS.find((one) => one === name)
  return column ?? invalid(parameter, `one of ${TRADER_COLUMNS.join(', ')}, not "${name}"`)
}

/** The conditions of filters, in their order, or what is wrong with the first bad one. */
export function filterConditions(
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

/** What a value is compared with; null when the filter has nothing of that sort. */
function operandOf({ val, val2 }: TraderFilter, kind: ColumnKind, moment: Moment) {
  if (kind === 'text') return val2?.toLowerCase() ?? null
  if (kind === 'number') return numberIn(val ?? val2)
  const shownMs = val2 === undefined ? numberIn(val) : timeIn(val2)
  return shownMs === null ? null : shownMs - moment.shiftMs
}

function numberIn(text: number | string | undefined): number | null {
  return text === undefined || text === '' || Number.isNaN(Number(text)) ? null : Number(text)
}

/** An instant in text, UTC where it names no zone. */
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

/** The conditions on coins and tags. */
export function otherConditions(query: TraderSearchQuery, field: SearchScope): Condition[] {
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
