/** Liquidations of an hour and a day over coins and markets: the rows that all endpoints sum. */

import { DAY_MS, HOUR_MS, later, type TapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { Facts, Moment } from '../../../contract/facts.ts'
import type { LiquidationDetail } from '../../../contract/records/mix.ts'
import { raw } from '../../../decimal/quantity.ts'
import {
  type ContractLiquidation,
  contractLiquidations,
} from '../../exchanges/contract-liquidations.ts'
import type { Exchange } from '../../exchanges/exchanges.ts'
import { contractsOf, exchangeName, marketKey } from '../../exchanges/exchanges.ts'
import { bigintText, CNY_TENTHS, roundOff } from '../../formatting/decimal-text.ts'
import { assetOf } from '../../rows/assets.ts'
import { MONEY_DECIMALS } from '../../schema/schema.ts'
import type { World } from '../../world/world.ts'

export function* liquidationDetail(
  world: World,
  { atMs }: Moment,
  query: Parameters<Facts['mix']['liquidations']>[0],
): Slices<LiquidationDetail> {
  const all = yield* contractSums(world, atMs, query)
  const usd = (micros: bigint) => money(micros, query.currency)
  const sum = (of: (one: ContractSums) => number) => usd(totalOf(all, of))
  const largest = maxBy(all.map((one) => [one, one.largest]))
  return {
    liq1h: sum(({ hour }) => hour.long + hour.short),
    liqLong1h: sum(({ hour }) => hour.long),
    liqShort1h: sum(({ hour }) => hour.short),
    liq24h: sum(({ day }) => day.long + day.short),
    liqLong24h: sum(({ day }) => day.long),
    liqShort24h: sum(({ day }) => day.short),
    maxLiq: usd(BigInt(largest?.largest ?? 0)),
    maxLiqMarket: largest ? exchangeName(largest.exchange, 'en') : '',
    liq24HMaxMarket: greatestGroup(all, ({ exchange }) => marketKey(exchange)),
    liq24HMaxTpKey: greatestGroup(all, ({ pair }) => pair),
  }
}

/** Liquidations of a contract in a day and its last hour, micro-dollars; at least one. */
interface ContractSums {
  exchange: Exchange | null
  /** dbKey. */
  pair: string
  day: Record<'long' | 'short', number>
  hour: Record<'long' | 'short', number>
  largest: number
}

function* contractSums(
  world: World,
  atMs: TapeMs,
  { coinKey, marketKey: key }: Parameters<Facts['mix']['liquidations']>[0],
): Slices<ContractSums[]> {
  const [fromMs, toMs] = [later(atMs, 1 - DAY_MS), later(atMs, 1)]
  const found: ContractSums[] = []
  for (const [pair, contract] of contractsOf(world)) {
    const { instrument, exchange } = contract
    const isCoin = coinKey === undefined || assetOf(instrument.base).key === wordOf(coinKey)
    const isMarket = key === undefined || marketKey(exchange) === wordOf(key)
    if (!isCoin || !isMarket) continue
    const list = yield* contractLiquidations(world, contract, fromMs, toMs)
    if (list.length > 0) found.push({ exchange, pair, ...sumsOf(list, atMs) })
  }
  return found
}

function sumsOf(list: readonly ContractLiquidation[], atMs: TapeMs) {
  const sums = { day: { long: 0, short: 0 }, hour: { long: 0, short: 0 }, largest: 0 }
  for (const { timeMs, direction, value } of list) {
    const micros = raw(value)
    sums.day[direction] += micros
    if (timeMs > atMs - HOUR_MS) sums.hour[direction] += micros
    if (micros > sums.largest) sums.largest = micros
  }
  return sums
}

const wordOf = (key: string) => key.trim().toLowerCase()

/** A contract's sum is a safe integer, the total may not be. */
const totalOf = (all: readonly ContractSums[], of: (one: ContractSums) => number) =>
  all.reduce((sum, one) => sum + BigInt(of(one)), 0n)

/** Name of the group with the greatest sum; empty without any. */
function greatestGroup(all: readonly ContractSums[], name: (one: ContractSums) => string): string {
  const total = (part: ContractSums[]) => totalOf(part, ({ day }) => day.long + day.short)
  const sums = [...Map.groupBy(all, name)].map(([key, part]) => [key, total(part)] as const)
  return maxBy(sums) ?? ''
}

/** The first with the greatest value. */
function maxBy<T>(of: readonly (readonly [T, number | bigint])[]): T | undefined {
  let found: readonly [T, number | bigint] | undefined
  for (const one of of) if (found === undefined || one[1] > found[1]) found = one
  return found?.[0]
}

/** Rounded to the cent. */
function money(micros: bigint, currency: 'cny' | 'usd'): string {
  const tenths = micros * (currency === 'cny' ? CNY_TENTHS : 10n)
  return bigintText(roundOff(tenths, MONEY_DECIMALS + 1 - 2), 2, 2)
}
