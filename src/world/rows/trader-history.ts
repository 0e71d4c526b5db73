/**
 * Everything that ever changes what a trader owns, in memory: cash of each account, what came in,
 * and what is held of each instrument. Rows of the future are in it too, so ask for the past only.
 */
import type { TapeMs } from '../../clock/instant.ts'
import {
  type FundingIndex,
  fundingIndex,
  type Sz,
  sz,
  type Usd,
  usd,
  ZERO,
} from '../../decimal/quantity.ts'
import { lastUpTo } from '../binary-search.ts'
import { Cache } from '../cache.ts'
import { perWorld } from '../per-world.ts'
import type { UnpackedSection } from '../schema/packed-columns.ts'
import type { InstrumentRow } from '../schema.ts'
import type { World } from '../world.ts'
import { packedRows } from './packed-rows.ts'
import { tradersOf } from './traders.ts'

/** Money that changes at instants; a value holds until the next one. */
export interface MoneySteps {
  timesMs: Float64Array
  values: Float64Array
}

export interface AccountHistory {
  /** account.id */
  id: number
  /** `''`, the name of a builder dex, or `'spot'`. */
  dex: string
  cash: MoneySteps
  /** What had come in less what had gone out, tokens at their value then. */
  deposits: MoneySteps
}

/** After each fill of an instrument, or entry of the ledger that moved it. */
export interface HoldingHistory {
  instrument: InstrumentRow
  timesMs: Float64Array
  /** Signed size and cost. */
  sizes: Float64Array
  costs: Float64Array
  /** Funding paid so far up to an index, and what of it when the position was opened. */
  funding: Float64Array
  fundingAtOpen: Float64Array
  fundingIndexes: Float64Array
  leverage: number
  isolated: boolean
}

export interface TraderHistory {
  /** Values that it is made of. */
  weight: number
  /** Time of the first row; null when there is none. */
  firstMs: TapeMs | null
  accounts: readonly AccountHistory[]
  /** In the order of the instruments. */
  holdings: readonly HoldingHistory[]
}

/** Values that are cached, 8 bytes each. */
const CACHE_LIMIT = 4_000_000

/** Histories by trader.id. */
export const traderHistories = perWorld((world) => {
  const cached = new Cache<number, TraderHistory>(CACHE_LIMIT, ({ weight }) => weight)
  const { sections } = packedRows(world)
  const read = (trader: number): TraderHistory =>
    traderHistory(world, {
      cash: sections('cash', trader),
      deposits: sections('deposits', trader),
      holdings: sections('holdings', trader),
    })
  return { of: (trader: number): TraderHistory => cached.get(trader, read) }
})

interface HistorySections {
  cash: UnpackedSection[]
  deposits: UnpackedSection[]
  holdings: UnpackedSection[]
}

function traderHistory(world: World, { cash, deposits, holdings }: HistorySections): TraderHistory {
  const { dexOf } = tradersOf(world)
  const depositsBy = new Map(deposits.map(({ key, columns }) => [key, moneySteps(columns)]))
  const accounts = cash.map(({ key, columns }) => ({
    id: key,
    dex: dexOf(key),
    cash: moneySteps(columns),
    deposits: depositsBy.get(key) ?? NO_STEPS,
  }))
  const firsts = accounts.map((account) => account.cash.timesMs[0] ?? Number.POSITIVE_INFINITY)
  return {
    weight: [...cash, ...deposits, ...holdings].reduce((sum, one) => sum + lengthOf(one), 0),
    firstMs: firsts.length === 0 ? null : (Math.min(...firsts) as TapeMs),
    accounts,
    holdings: holdings.map((section) => holdingHistory(world, section)),
  }
}

/** Of an account on which nothing ever happens. */
export const NO_STEPS: MoneySteps = { timesMs: new Float64Array(), values: new Float64Array() }

const lengthOf = ({ columns }: UnpackedSection) =>
  columns.reduce((sum, column) => sum + column.length, 0)

function moneySteps([timesMs, values]: readonly Float64Array[]): MoneySteps {
  return { timesMs: timesMs as Float64Array, values: values as Float64Array }
}

function holdingHistory(world: World, { key, columns }: UnpackedSection): HoldingHistory {
  const [timesMs, sizes, costs, funding, fundingAtOpen, fundingIndexes, leverage, isolated] =
    columns as Columns
  return {
    instrument: world.instruments[key] as InstrumentRow,
    timesMs,
    sizes,
    costs,
    funding,
    fundingAtOpen,
    fundingIndexes,
    leverage: leverage[0] ?? 1,
    isolated: isolated[0] === 1,
  }
}

type Column = Float64Array
type Columns = [Column, Column, Column, Column, Column, Column, Column, Column]

/** The money that holds at an instant; null before the first. */
export function moneyAt({ timesMs, values }: MoneySteps, atMs: TapeMs): Usd | null {
  const at = lastUpTo(timesMs, atMs)
  return at < 0 ? null : usd(values[at] as number)
}

/** The account of a trader on a dex; undefined when nothing ever happens on it. */
export const accountOn = ({ accounts }: TraderHistory, dex: string) =>
  accounts.find((account) => account.dex === dex)

/** Sums over some of a trader's accounts. */
export function depositsAt({ accounts }: TraderHistory, atMs: TapeMs) {
  let [perp, spot] = [0, 0]
  for (const { dex, deposits } of accounts) {
    const money = deposits.values[lastUpTo(deposits.timesMs, atMs)] ?? 0
    if (dex === 'spot') spot += money
    else perp += money
  }
  return { perp: usd(perp), spot: usd(spot) }
}

/** What is held at a place of a history: -1 before the first. */
export const sizeAt = ({ sizes }: HoldingHistory, at: number): Sz => sz(sizes[at] ?? 0)
export const costAt = ({ costs }: HoldingHistory, at: number): Usd => usd(costs[at] ?? 0)
export const fundingIndexAt = ({ fundingIndexes }: HoldingHistory, at: number): FundingIndex =>
  fundingIndex(fundingIndexes[at] ?? 0)
