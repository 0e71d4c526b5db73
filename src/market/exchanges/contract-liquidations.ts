/**
 * Liquidations of contracts. The venue's are rows. On other exchanges they are those of the coin's
 * crowd there, whose liquidation prices the market has reached, seconds later and with heavy-tailed
 * sizes.
 */

import { HOUR_MS, later, type TapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import { type Usd, usd, ZERO } from '../../decimal/quantity.ts'
import { columns } from '../rows/columns.ts'
import { openInterestValue } from '../rows/open-interest.ts'
import { tradeHoursOf } from '../rows/trade-hours.ts'
import { type InstrumentRow, liquidation } from '../schema/schema.ts'
import { countAt, hashAt, normalAt, pathAt, unitAt } from '../synth/distributions.ts'
import { Cache, perWorld } from '../world/cache.ts'
import type { World } from '../world/world.ts'
import { CROWD_MS, crowdHour, leverageBy, SLOT_MS, SLOTS_PER_HOUR } from './exchange-crowd.ts'
import { interestAt } from './exchange-open-interest.ts'
import type { Contract } from './exchanges.ts'
import { type Exchange, saltsOf } from './exchanges.ts'
import { hourOf } from './pair-minutes.ts'

export interface ContractLiquidation {
  timeMs: TapeMs
  /** Side of the liquidated position. */
  direction: 'long' | 'short'
  value: Usd
}

/** Those of a contract with fromMs <= time < toMs, oldest first; an hour a slice. */
export function* contractLiquidations(
  world: World,
  { instrument, exchange }: Contract,
  fromMs: TapeMs,
  toMs: TapeMs,
): Slices<ContractLiquidation[]> {
  const found: ContractLiquidation[] = []
  const firstMs = hourOf(Math.max(fromMs, world.meta.historyStartMs))
  if (exchange !== null)
    yield* tradeHoursOf(world).read(instrument.id, later(firstMs, -CROWD_MS), toMs)
  for (let hourMs = firstMs; hourMs < toMs; hourMs = later(hourMs, HOUR_MS)) {
    const rows =
      exchange === null
        ? ownLiquidations(world).all(instrument.id, hourMs, later(hourMs, HOUR_MS))
        : derivedHours(world).read(instrument, exchange, hourMs, toMs)
    for (const one of rows) if (one.timeMs >= fromMs && one.timeMs < toMs) found.push(one)
    yield
  }
  return found
}

const { timeMs, direction, notional } = liquidation

const ownLiquidations = perWorld(({ db }) =>
  columns({ timeMs, direction, value: notional }).prepare<
    [instrument: number, fromMs: TapeMs, toMs: TapeMs]
  >(db, 'from liquidation where instrument = ? and timeMs >= ? and timeMs < ? order by timeMs, id'),
)

/** Hours kept in memory, some kilobytes each. */
const HOURS_KEPT = 8_000
/** Share of the open interest in a usual hour, for the size of the smallest liquidation. */
const HOURLY_PART = 0.00012
/** Count by value: a small contract has few. `at10k` is for an hour of 10,000 dollars. */
const COUNT = { at10k: 3, exponent: 0.4, least: 0.5, most: 60 }
/** Most of a slot: in a cascade they are larger instead. */
const COUNT_MAX = 40
const TAIL_EXPONENT = 1.15
const SIZE_MAX = 2000
/** Mean size relative to the smallest one, for that tail. */
const MEAN_SIZE = (TAIL_EXPONENT / (TAIL_EXPONENT - 1)) * (1 - SIZE_MAX ** (1 - TAIL_EXPONENT))
/** Liquidations for reasons of their owners, such as losses elsewhere: share of an hour. */
const STRAY = 0.00005
/** Delays of an exchange, in slots: shares of the market's liquidations. */
const DELAYS = [
  [0.8, 0.2, 0],
  [0.55, 0.35, 0.1],
  [0.3, 0.4, 0.3],
] as const
/** An exchange's positions are of other prices: log-deviation, and distance of the prices. */
const OWN_PRICES = { sd: 0.6, distance: 0.004 }
/** Log-deviation of a slot's value. */
const SLOT_SPREAD = 0.35

const derivedHours = perWorld((world) => {
  const known = new Cache<string, ContractLiquidation[]>(HOURS_KEPT)
  return {
    read(of: InstrumentRow, exchange: Exchange, hourMs: TapeMs, toMs: TapeMs) {
      if (hourMs + HOUR_MS > toMs) return hourLiquidations(world, of, exchange, hourMs, toMs)
      return known.get(`${exchange.key}/${of.id}/${hourMs}`, () =>
        hourLiquidations(world, of, exchange, hourMs, later(hourMs, HOUR_MS)),
      )
    },
  }
})

function hourLiquidations(
  world: World,
  of: InstrumentRow,
  exchange: Exchange,
  hourMs: TapeMs,
  toMs: TapeMs,
): ContractLiquidation[] {
  const interest = interestUsd(world, of, exchange, hourMs)
  if (interest === null) return []
  const salt = saltsOf(world)(`liquidations of ${of.coin} on ${exchange.key}`)
  const own = leverageBy(world, of, exchange)
  const delays = DELAYS[hashAt(salt, 0) % DELAYS.length] as (typeof DELAYS)[number]
  const hour = crowdHour(world, of, hourMs, toMs)
  const found: ContractLiquidation[] = []
  const slots = Math.ceil((toMs - hourMs) / SLOT_MS)
  for (let slot = 0; slot < slots; slot++) {
    const slotMs = later(hourMs, slot * SLOT_MS)
    const prices = pricesBy(salt, hour.logs[slot])
    const within: ContractLiquidation[] = []
    for (const direction of SIDES) {
      const closed = hour[direction]
      let share = (0.5 * STRAY) / SLOTS_PER_HOUR
      for (let back = 0; back < delays.length; back++)
        share += (delays[back] as number) * own * (closed[slot - back] ?? 0)
      addSlot(within, { salt, slotMs, direction }, share * prices * interest, interest)
    }
    // Most slots have none.
    if (within.length > 0) found.push(...within.sort((a, b) => a.timeMs - b.timeMs))
  }
  return found
}

const SIDES = ['long', 'short'] as const

/** A side of a contract's positions in a slot. */
interface SlotSide {
  salt: number
  slotMs: TapeMs
  direction: 'long' | 'short'
}

/** Adds the liquidations of a side in a slot, worth about an amount of dollars. */
function addSlot(
  found: ContractLiquidation[],
  { salt, slotMs, direction }: SlotSide,
  amount: number,
  interest: number,
): void {
  const place = slotMs / SLOT_MS
  const own = direction === 'long' ? salt : salt ^ SHORTS
  const spread = Math.exp(SLOT_SPREAD * normalAt(own ^ VALUES, place) - SLOT_SPREAD ** 2 / 2)
  const usual = interest * HOURLY_PART
  const hourly = Math.min(COUNT.most, COUNT.at10k * (usual / 10_000) ** COUNT.exponent)
  const mean = usual / Math.max(COUNT.least, hourly)
  const expected = (amount * spread) / mean
  const count = countAt(own, place, Math.min(COUNT_MAX, expected))
  if (count === 0) return
  const sizes = Array.from({ length: count }, (_, nth) =>
    Math.min(SIZE_MAX, unitAt(hashAt(own ^ nth, place), 2) ** (-1 / TAIL_EXPONENT)),
  )
  // Many of them together are worth what the crowd has lost; few are as large as they are drawn.
  const sum = sizes.reduce((total, size) => total + size, 0) / count
  const known = count / (count + FEW)
  const unit = (mean / (known * sum + (1 - known) * MEAN_SIZE)) * Math.max(1, expected / COUNT_MAX)
  for (const [nth, size] of sizes.entries())
    found.push({
      timeMs: later(slotMs, Math.floor(unitAt(hashAt(own ^ nth, place), 3) * SLOT_MS)),
      direction,
      // Rounded to the cent.
      value: usd(Math.max(1, Math.round(unit * size * 100)) * 10_000),
    })
}

const FEW = 4
const [SHORTS, VALUES, PRICES] = [0x5b7997b5, 0x3d5b7997, 0x2e4c6a88] as const

/** Positions of an exchange near a price, a logarithm, relative to others. */
function pricesBy(salt: number, log: number | undefined): number {
  if (log === undefined) return 1
  const { sd, distance } = OWN_PRICES
  return Math.exp(sd * pathAt(salt ^ PRICES, distance, log) - sd ** 2 / 2)
}

/** Open interest when an hour begins, dollars; null before there is any. */
function interestUsd(world: World, of: InstrumentRow, exchange: Exchange, hourMs: TapeMs) {
  const px = tradeHoursOf(world).pxBefore(of.id, hourMs)
  const sz = interestAt(world, { instrument: of, exchange }, hourMs)
  if (px === null || sz === null || sz === ZERO) return null
  return Number(openInterestValue(of, sz, px)) / 1e6
}
