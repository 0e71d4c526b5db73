import { UserError } from '../../platform/user-error.ts'
import { decimalPlaces } from '../decimal-text.ts'
import type { ContractSize, ImportOptions } from './importer.ts'

/** Decimals of a size converted from dollars: no exchange trades smaller lots. */
const COIN_DECIMALS = 8

/** Reads `100usd` or `0.01`: the size of a contract, in dollars or coins. */
export function readContractSize(text: string): ContractSize {
  const match = /^([\d.]+)\s*(usd)?$/i.exec(text.trim())
  const size = match?.[1] ?? ''
  if (decimalPlaces(size) < 0 || Number(size) === 0)
    throw new UserError(
      `a contract has a size in coins or dollars, such as 0.01 or 100usd: "${text}"`,
    )
  return { size, of: match?.[2] ? 'usd' : 'coin' }
}

/** Contract size of a symbol; null where its sizes are in coins. */
export function contractOf(
  { contracts, usedContracts }: ImportOptions,
  symbol: string,
  coin: string,
): ContractSize | null {
  const name = contracts.has(symbol) ? symbol : coin
  const contract = contracts.get(name) ?? null
  if (contract !== null) usedContracts.add(name)
  return contract
}

/** Symbols and coins with a given contract size that no record used. */
export const namesUnused = ({ contracts, usedContracts }: ImportOptions): string[] =>
  [...contracts.keys()].filter((name) => !usedContracts.has(name))

/**
 * Converts contracts to coins: exact where a contract is a number of coins; where it is a number of
 * dollars, divided by the price and rounded to 8 decimals, at least the smallest of them.
 */
export function coinSize(contracts: string, px: string, { size, of }: ContractSize): string {
  const [count, worth] = [scaled(contracts), scaled(size)]
  const product = count.units * worth.units
  const decimals = count.decimals + worth.decimals
  if (of === 'coin') return decimalText(product, decimals)
  if (product === 0n) return '0'
  const price = scaled(px)
  const numerator = product * 10n ** BigInt(COIN_DECIMALS + price.decimals)
  const denominator = price.units * 10n ** BigInt(decimals)
  const units = (numerator + denominator / 2n) / denominator
  return decimalText(units === 0n ? 1n : units, COIN_DECIMALS)
}

/** Whole units of 10^-decimals as a decimal text without needless zeros. */
export function decimalText(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0')
  if (decimals === 0) return digits
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  const whole = digits.slice(0, -decimals)
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** A decimal text as whole units. */
export function scaled(text: string): { units: bigint; decimals: number } {
  if (!/^\d{1,40}(?:\.\d{1,40})?$/.test(text))
    throw new UserError(`has ${JSON.stringify(text.slice(0, 40))} for a decimal number`)
  const point = text.indexOf('.')
  if (point < 0) return { units: BigInt(text), decimals: 0 }
  return { units: BigInt(text.replace('.', '')), decimals: text.length - point - 1 }
}

const usd = (size: string): ContractSize => ({ size, of: 'usd' })
const IN_COINS: ContractSize = { size: '1', of: 'coin' }

/**
 * Exchanges with sizes in contracts, and the contract size by symbol: the first match. Other
 * symbols are unknown.
 *
 * @see https://docs.tardis.dev/downloadable-csv-files/data-types
 */
const CONTRACTS: Readonly<Record<string, readonly [symbols: RegExp, worth: ContractSize][]>> = {
  bitmex: [[/^XBT(?:USD|[FGHJKMNQUVXZ]\d\d)$/, usd('1')]],
  deribit: [
    [/^(?:BTC|ETH)-(?:PERPETUAL|\d{1,2}[A-Z]{3}\d{2})$/, usd('1')],
    [/_USD[CT]-|-[CP]$/, IN_COINS],
  ],
  'okex-swap': [
    [/^BTC-USD-/, usd('100')],
    [/-USD-/, usd('10')],
  ],
  'okex-futures': [
    [/^BTC-USD-/, usd('100')],
    [/-USD-/, usd('10')],
  ],
  'okex-options': [],
  'huobi-dm': [
    [/^BTC/, usd('100')],
    [/./, usd('10')],
  ],
  'huobi-dm-swap': [
    [/^BTC/, usd('100')],
    [/./, usd('10')],
  ],
  'huobi-dm-linear-swap': [],
  bybit: [
    [/USD(?:[FGHJKMNQUVXZ]\d\d)?$/, usd('1')],
    [/./, IN_COINS],
  ],
  'binance-delivery': [
    [/^BTC/, usd('100')],
    [/./, usd('10')],
  ],
  cryptofacilities: [
    [/^[PF]I_/i, usd('1')],
    [/^[PF]F_/i, IN_COINS],
  ],
  phemex: [[/^BTCUSD$/, usd('1')]],
  'gate-io-futures': [],
  'kucoin-futures': [],
}

/** Contract size of an exchange's symbol; undefined when unknown. */
export function contractOfExchange(exchange: string, symbol: string): ContractSize | undefined {
  const known = CONTRACTS[exchange]
  return known === undefined ? IN_COINS : known.find(([symbols]) => symbols.test(symbol))?.[1]
}

/** Whether sizes are in coins already. */
export const isInCoins = ({ size, of }: ContractSize): boolean => of === 'coin' && size === '1'

/** A contract size in the format of `--contract`. */
export const contractText = ({ size, of }: ContractSize): string =>
  of === 'usd' ? `${size}usd` : size
