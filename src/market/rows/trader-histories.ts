/** Histories of traders, by trader.id: packed data, and later rows. */
import { type TapeMs, tapeMs } from '../../clock/instant.ts'
import {
  type FundingIndex,
  fundingIndex,
  type Sz,
  sz,
  type Usd,
  usd,
} from '../../decimal/quantity.ts'
import { SAVINGS } from '../accounting/savings.ts'
import type { InstrumentRow, UnpackedSection } from '../schema/schema.ts'
import {
  addEntry,
  addFill,
  ENTRY_VALUES,
  type EntryValues,
  FILL_VALUES,
  type FillValues,
  isEarlier,
  type TraderRows,
} from '../schema/trader-rows.ts'
import { Cache, perWorld } from '../world/cache.ts'
import type { World } from '../world/world.ts'
import { noSteps, ValueSteps } from './open-interest.ts'
import { PackedRows, packedRows } from './step-series.ts'
import { tradersOf } from './traders.ts'

/**
 * All changes of a trader's equity, in memory: cash of each account, net deposits, and holdings of
 * each instrument. Future rows are included, so read only the past.
 */
interface AccountHistory {
  /** account.id */
  id: number
  /** `''`, the name of a builder dex, `'spot'`, or one of `SAVINGS`. */
  dex: string
  /** Micro-dollars; units of what is saved on an account of `SAVINGS`. */
  cash: ValueSteps
  /** Net deposits, tokens at their value then; micro-dollars. */
  deposits: ValueSteps
}

interface TraderHistory {
  /** Time of the first row; null when there is none. */
  firstMs: TapeMs | null
  accounts: AccountHistory[]
  /** In the order of the instruments. */
  holdings: HoldingHistory[]
}

/** Columns of a holding's row, after its time: size, and funding paid up to an index. */
export const HELD = 1
export const PAID = 3
export const PAID_INDEX = 5

/** One row after each fill of an instrument, or ledger entry that moved it. */
export class HoldingHistory extends PackedRows {
  readonly leverage: number
  readonly isolated: boolean
  /** Sums for the most recently used delay of funding charges. */
  late: LateSums | null = null

  constructor(
    readonly instrument: InstrumentRow,
    section: UnpackedSection,
  ) {
    super(section, 6)
    this.leverage = Math.abs(section.fact)
    this.isolated = section.fact < 0
  }

  /** Signed; nothing before the first row. */
  sz(row: number): Sz {
    return sz(row < 0 ? 0 : this.get(row, HELD))
  }

  /** Signed cost of what is held. */
  cost(row: number): Usd {
    return usd(this.get(row, 2))
  }

  /** Funding paid up to `fundingIndex`, and its part when the position was opened. */
  funding(row: number): Usd {
    return usd(this.get(row, PAID))
  }

  fundingAtOpen(row: number): Usd {
    return usd(this.get(row, 4))
  }

  fundingIndex(row: number): FundingIndex {
    return fundingIndex(this.get(row, PAID_INDEX))
  }
}

/** Additions of later charges to the funding of each row of a holding, micro-dollars. */
export interface LateSums {
  delayMs: number
  /**
   * Three per row: of all time; since the position was opened; and the late charge of the hour
   * before it on the holding after it, 0 if not late.
   */
  values: Float64Array
}

/** Packed data of a trader. */
function packedHistory(world: World, trader: number): TraderHistory {
  const { sections } = packedRows(world)
  const untilMs = world.packedEndMs
  const deposits = new Map(
    sections('deposits', trader).map((one) => [one.key, new ValueSteps(one).cut(untilMs)]),
  )
  const accounts = sections('cash', trader)
    .map((one) => ({
      id: one.key,
      dex: tradersOf(world).dexOf(one.key),
      cash: new ValueSteps(one).cut(untilMs),
      deposits: deposits.get(one.key) ?? noSteps(),
    }))
    .filter(({ cash }) => cash.count > 0)
  const holdings = sections('holdings', trader)
    .map((one) => new HoldingHistory(world.instruments[one.key] as InstrumentRow, one).cut(untilMs))
    .filter(({ count }) => count > 0)
  const firstMs = Math.min(...accounts.map(({ cash }) => cash.timeMs(0)))
  return {
    firstMs: firstMs === Number.POSITIVE_INFINITY ? null : tapeMs(firstMs),
    accounts,
    holdings,
  }
}

/** Includes derived data. */
function weightOf({ accounts, holdings }: TraderHistory): number {
  let weight = 100
  for (const { cash } of accounts) weight += 2 * cash.count
  for (const { count } of holdings) weight += 9 * count
  return weight
}

/** The account of a trader on a dex; undefined without one. */
export const accountOn = ({ accounts }: TraderHistory, dex: string) =>
  accounts.find((account) => account.dex === dex)

/** A trader's holding history of an instrument; undefined for none. */
export const holdingOf = ({ holdings }: TraderHistory, of: InstrumentRow) =>
  holdings.find(({ instrument }) => instrument === of)

/** Whether an account holds no perpetuals: spot, what is staked, shares of a vault. */
export const isBesidePerps = (dex: string) => dex === 'spot' || SAVINGS.includes(dex)

/** Sums over the perpetual accounts of a trader, and over all others. */
export function depositsAt({ accounts }: TraderHistory, atMs: TapeMs) {
  let [perp, spot] = [0, 0]
  for (const { dex, deposits } of accounts) {
    const money = deposits.at(atMs) ?? 0
    if (isBesidePerps(dex)) spot += money
    else perp += money
  }
  return { perp: usd(perp), spot: usd(spot) }
}

/** Values that are cached, 8 bytes each. */
const CACHE_LIMIT = 4_000_000

export const traderHistories = perWorld(
  (world) => new TraderHistories(world),
  (histories) => histories.grown(),
)

class TraderHistories {
  private readonly cached = new Cache<number, TraderHistory>(CACHE_LIMIT, weightOf)
  /** The cache includes rows up to here. */
  private endMs: TapeMs

  constructor(private readonly world: World) {
    this.endMs = world.endMs
  }

  of(trader: number): TraderHistory {
    return this.cached.get(trader, () => this.read(trader))
  }

  /** Adds the world's growth. */
  grown(): this {
    const [afterMs, world] = [this.endMs, this.world]
    this.endMs = world.endMs
    const { fills, entries } = statements(world)
    const all = merged(
      fills.values(afterMs, world.endMs) as FillValues[],
      entries.values(afterMs, world.endMs) as EntryValues[],
    )
    const grown = new Set<number>()
    for (const { kind, values } of all) {
      const trader = values.at(-1) as number
      const history = this.cached.find(trader)
      if (!history) continue
      add(new GrowingHistory(world, history), kind, values)
      grown.add(trader)
    }
    for (const trader of grown) this.cached.reweigh(trader)
    return this
  }

  private read(trader: number): TraderHistory {
    const { world, endMs } = this
    const history = packedHistory(world, trader)
    if (endMs <= world.packedEndMs) return history
    const { fillsOf, entriesOf } = statements(world)
    const rows = new GrowingHistory(world, history)
    const all = merged(
      fillsOf.values(trader, world.packedEndMs, endMs) as FillValues[],
      entriesOf.values(trader, world.packedEndMs, endMs) as EntryValues[],
    )
    for (const { kind, values } of all) add(rows, kind, values)
    return history
  }
}

const statements = perWorld(({ db }) => {
  const span = 'timeMs > ? and timeMs <= ? order by timeMs, id'
  return {
    fills: db.prepare(`select ${FILL_VALUES}, trader from fill where ${span}`),
    entries: db.prepare(`select ${ENTRY_VALUES}, trader from ledger where ${span}`),
    fillsOf: db.prepare(`select ${FILL_VALUES} from fill where trader = ? and ${span}`),
    entriesOf: db.prepare(`select ${ENTRY_VALUES} from ledger where trader = ? and ${span}`),
  }
})

type Change = { kind: 'fill'; values: FillValues } | { kind: 'entry'; values: EntryValues }

/** Merges both in their order. */
function merged(fills: readonly FillValues[], entries: readonly EntryValues[]): Change[] {
  const all: Change[] = []
  let at = 0
  const addEntries = (before: FillValues | null) => {
    for (let values = entries[at]; values; values = entries[++at]) {
      if (before && !isEarlier(values, before)) break
      all.push({ kind: 'entry', values })
    }
  }
  for (const values of fills) {
    addEntries(values)
    all.push({ kind: 'fill', values })
  }
  addEntries(null)
  return all
}

function add(rows: TraderRows, kind: Change['kind'], values: EntryValues): void {
  if (kind === 'fill') addFill(rows, values as FillValues)
  else addEntry(rows, values)
}

/** Writes rows into a history. */
class GrowingHistory implements TraderRows {
  constructor(
    private readonly world: World,
    private readonly history: TraderHistory,
  ) {}

  cash(account: number, timeMs: number, after: number): void {
    this.history.firstMs ??= tapeMs(timeMs)
    this.account(account).cash.append(timeMs, after)
  }

  deposit(account: number, timeMs: number, change: number): void {
    const { deposits } = this.account(account)
    deposits.append(timeMs, (deposits.at(timeMs) ?? 0) + change)
  }

  holding(instrument: number, fact: number, row: readonly number[]): void {
    const holding = this.holdingOf(instrument, fact)
    holding.append(...row)
    holding.late = null
  }

  private account(id: number): AccountHistory {
    const { accounts } = this.history
    const known = accounts.find((account) => account.id === id)
    if (known) return known
    const dex = tradersOf(this.world).dexOf(id)
    const opened = { id, dex, cash: noSteps(), deposits: noSteps() }
    accounts.push(opened)
    accounts.sort((a, b) => a.id - b.id)
    return opened
  }

  private holdingOf(id: number, fact: number): HoldingHistory {
    const { holdings } = this.history
    const known = holdings.find(({ instrument }) => instrument.id === id)
    if (known) return known
    const section = { key: id, fact, data: new Float64Array(), first: 0, length: 0 }
    const held = new HoldingHistory(this.world.instruments[id] as InstrumentRow, section)
    holdings.push(held)
    holdings.sort((a, b) => a.instrument.id - b.instrument.id)
    return held
  }
}
