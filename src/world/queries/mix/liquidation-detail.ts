/** Liquidations of an hour and a day over coins and markets: the rows that all endpoints sum. */

import { later, type TapeMs } from '../../../clock/instant.ts'
import type { Facts, Moment } from '../../../contract/facts.ts'
import type { LiquidationDetail } from '../../../contract/records/mix.ts'
import { raw, type Usd, ZERO } from '../../../decimal/quantity.ts'
import { contractLiquidations } from '../../exchanges/contract-liquidations.ts'
import { contractsOf } from '../../exchanges/contracts.ts'
import { exchangeName, marketKey } from '../../exchanges/exchange-names.ts'
import type { Exchange } from '../../exchanges/exchanges.ts'
import { CNY_TENTHS } from '../../formatting/currency.ts'
import { bigintText, roundOff } from '../../formatting/decimal-text.ts'
import { assetOf } from '../../rows/assets.ts'
import { MONEY_DECIMALS } from '../../schema.ts'
import type { World } from '../../world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export function liquidationDetail(
  world: World,
  { atMs }: Moment,
  query: Parameters<Facts['mix']['liquidations']>[0],
): LiquidationDetail {
  const day = exchangeLiquidations(world, atMs, query)
  const hour = day.filter(({ timeMs }) => timeMs > atMs - HOUR_MS)
  const usd = (micros: bigint) => money(micros, query.currency)
  const sum = (of: ExchangeLiquidation[], direction?: 'long' | 'short') =>
    usd(totalMicros(of.filter((one) => direction === undefined || one.direction === direction)))
  const largest = maxBy(day.map((one) => [one, raw(one.value)]))
  return {
    liq1h: sum(hour),
    liqLong1h: sum(hour, 'long'),
    liqShort1h: sum(hour, 'short'),
    liq24h: sum(day),
    liqLong24h: sum(day, 'long'),
    liqShort24h: sum(day, 'short'),
    maxLiq: usd(BigInt(raw(largest?.value ?? ZERO))),
    maxLiqMarket: largest ? exchangeName(largest.exchange, 'en') : '',
    liq24HMaxMarket: greatestGroup(day, ({ exchange }) => marketKey(exchange)),
    liq24HMaxTpKey: greatestGroup(day, ({ pair }) => pair),
  }
}

/** A liquidation as it was on one market. */
interface ExchangeLiquidation {
  timeMs: TapeMs
  direction: 'long' | 'short'
  exchange: Exchange | null
  /** dbKey. */
  pair: string
  value: Usd
}

/** Of 24 hours, pair by pair. */
function exchangeLiquidations(
  world: World,
  atMs: TapeMs,
  { coinKey, marketKey: key }: Parameters<Facts['mix']['liquidations']>[0],
): ExchangeLiquidation[] {
  const [fromMs, toMs] = [later(atMs, 1 - DAY_MS), later(atMs, 1)]
  return [...contractsOf(world)].flatMap(([pair, contract]) => {
    const { instrument, exchange } = contract
    const isCoin = coinKey === undefined || assetOf(instrument.base).key === wordOf(coinKey)
    const isMarket = key === undefined || marketKey(exchange) === wordOf(key)
    if (!isCoin || !isMarket) return []
    return contractLiquidations(world, contract, fromMs, toMs).map((one) => ({
      timeMs: one.timeMs,
      direction: one.direction,
      value: one.value,
      exchange,
      pair,
    }))
  })
}

const wordOf = (key: string) => key.trim().toLowerCase()

const totalMicros = (of: readonly ExchangeLiquidation[]) =>
  of.reduce((sum, { value }) => sum + BigInt(raw(value)), 0n)

/** Of what has the greatest sum; empty without any. */
function greatestGroup(
  of: readonly ExchangeLiquidation[],
  name: (closing: ExchangeLiquidation) => string,
): string {
  const sums = [...Map.groupBy(of, name)].map(([key, part]) => [key, totalMicros(part)] as const)
  return maxBy(sums) ?? ''
}

/** The first with the greatest value. */
function maxBy<T>(of: readonly (readonly [T, number | bigint])[]): T | undefined {
  let found: readonly [T, number | bigint] | undefined
  for (const one of of) if (found === undefined || one[1] > found[1]) found = one
  return found?.[0]
}

/** To the cent. */
function money(micros: bigint, currency: 'cny' | 'usd'): string {
  const tenths = micros * (currency === 'cny' ? CNY_TENTHS : 10n)
  return bigintText(roundOff(tenths, MONEY_DECIMALS + 1 - 2), 2, 2)
}
