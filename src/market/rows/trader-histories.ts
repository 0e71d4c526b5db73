/** The histories of traders, by trader.id: what is packed, and what came after that. */
import { type TapeMs, tapeMs } from '../../clock/instant.ts'
import type { InstrumentRow } from '../schema/schema.ts'
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
import { Cache } from '../world/cache.ts'
import { perWorld } from '../world/per-world.ts'
import type { World } from '../world/world.ts'
import {
  type AccountHistory,
  HoldingHistory,
  packedHistory,
  type TraderHistory,
  weightOf,
} from './trader-history.ts'
import { tradersOf } from './traders.ts'
import { noSteps } from './value-steps.ts'

/** Values that are cached, 8 bytes each. */
const CACHE_LIMIT = 4_000_000

export const traderHistories = perWorld(
  (world) => new TraderHistories(world),
  (histories) => histories.grown(),
)

class TraderHistories {
  private readonly cached = new Cache<number, TraderHistory>(CACHE_LIMIT, weightOf)
  /** Rows up to here are in what is cached. */
  private endMs: TapeMs

  constructor(private readonly world: World) {
    this.endMs = world.endMs
  }

  of(trader: number): TraderHistory {
    return this.cached.get(trader, () => this.read(trader))
  }

  /** Adds what the world has grown by. */
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

/** Both in the order in which they came. */
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
