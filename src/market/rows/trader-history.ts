/**
 * Everything that ever changes what a trader owns, in memory: cash of each account, what came in,
 * and what is held of each instrument. Rows of the future are in it too, so ask for the past only.
 */
import { type TapeMs, tapeMs } from '../../clock/instant.ts'
import {
  type FundingIndex,
  fundingIndex,
  type Sz,
  sz,
  type Usd,
  usd,
} from '../../decimal/quantity.ts'
import type { InstrumentRow, UnpackedSection } from '../schema/schema.ts'
import type { World } from '../world/world.ts'
import { PackedRows, packedRows } from './packed-rows.ts'
import { tradersOf } from './traders.ts'
import { noSteps, ValueSteps } from './value-steps.ts'

export interface AccountHistory {
  /** account.id */
  id: number
  /** `''`, the name of a builder dex, or `'spot'`. */
  dex: string
  /** Micro-dollars. */
  cash: ValueSteps
  /** What had come in less what had gone out, tokens at their value then; micro-dollars. */
  deposits: ValueSteps
}

export interface TraderHistory {
  /** Time of the first row; null when there is none. */
  firstMs: TapeMs | null
  accounts: AccountHistory[]
  /** In the order of the instruments. */
  holdings: HoldingHistory[]
}

/** Where a row of a holding has its size, and what was paid up to an index; its time is first. */
export const HELD = 1
export const PAID = 3
export const PAID_INDEX = 5

/** After each fill of an instrument, or entry of the ledger that moved it. */
export class HoldingHistory extends PackedRows {
  readonly leverage: number
  readonly isolated: boolean
  /** What follows from it and the time at which funding is charged, as it was asked for last. */
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

  /** Paid so far up to `fundingIndex`, and what of it when the position was opened. */
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

/** Of each row of a holding, micro-dollars: what charges that come later add to its funding. */
export interface LateSums {
  delayMs: number
  /**
   * Of each row three: of all time; since what is held was opened; and what the charge of the hour
   * before it is on all that was held after it, 0 if that is not late.
   */
  values: Float64Array
}

/** What is packed of a trader. */
export function packedHistory(world: World, trader: number): TraderHistory {
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

/** With what follows from it. */
export function weightOf({ accounts, holdings }: TraderHistory): number {
  let weight = 100
  for (const { cash } of accounts) weight += 2 * cash.count
  for (const { count } of holdings) weight += 9 * count
  return weight
}

/** The account of a trader on a dex; undefined when nothing ever happens on it. */
export const accountOn = ({ accounts }: TraderHistory, dex: string) =>
  accounts.find((account) => account.dex === dex)

/** What a trader ever held of an instrument; undefined for nothing. */
export const holdingOf = ({ holdings }: TraderHistory, of: InstrumentRow) =>
  holdings.find(({ instrument }) => instrument === of)

/** Sums over the perpetual accounts of a trader, and of the spot account. */
export function depositsAt({ accounts }: TraderHistory, atMs: TapeMs) {
  let [perp, spot] = [0, 0]
  for (const { dex, deposits } of accounts) {
    const money = deposits.at(atMs) ?? 0
    if (dex === 'spot') spot += money
    else perp += money
  }
  return { perp: usd(perp), spot: usd(spot) }
}
