import { UserError } from '../../../platform/user-error.ts'
import type { Instrument } from '../../tape-event.ts'
import { coinSize, decimalText, readContractSize, scaled } from '../contract-size.ts'
import { DecimalReader, type DigitCount } from '../decimal-reader.ts'
import type { ContractSize } from '../importer.ts'
import { guessInstrument } from '../instrument-guess.ts'
import { type Market, splitPair, splitSymbol } from '../market-symbol.ts'
import { cellNumber } from '../table-columns.ts'
import type { RecordMapping } from './mapping.ts'

/** The coins of records and their numbers, in the units that a mapping says. */
export class MappedNumbers {
  private readonly decimals: DecimalReader
  private readonly perps = new Map<string, Market>()
  private readonly pairs = new Map<string, Market>()

  constructor(rounded: DigitCount) {
    this.decimals = new DecimalReader(true, rounded)
  }

  /** The coin that a symbol names; a perpetual's unless the mapping says spot. */
  coin(symbol: string, { market }: RecordMapping): string {
    const markets = market === 'spot' ? this.pairs : this.perps
    const known = markets.get(symbol)
    if (known) return known.coin
    // Names of the perpetual venue's own stay: xyz:TSLA, @107, PURR/USDC.
    const isOwn = /[:@/]/.test(symbol)
    const quoteOf = symbol.includes('/') ? (symbol.split('/')[1] ?? '') : 'USDC'
    const named = isOwn ? { coin: symbol, quote: quoteOf } : split(symbol, market)
    markets.set(symbol, named)
    return named.coin
  }

  px(coin: string, text: string | null, { pxTimes, round }: RecordMapping): string {
    return this.decimals.px(coin, factored(text, pxTimes, round))
  }

  /** In coins, `0` for none. */
  sz(coin: string, text: string | null, px: string, record: RecordMapping): string {
    const written = factored(text, record.szTimes, record.round)
    const contract = contractIn(record)
    if (written === null || contract === null) return this.decimals.sz(coin, written)
    return this.decimals.sz(coin, coinSize(written, px, contract))
  }

  /** A number whose decimals say nothing of the instrument; null where there is none. */
  number(text: string | null, round?: number): string | null {
    const plain = factored(text, undefined, round)
    return plain === null ? null : this.decimals.decimal(plain, true)
  }

  instruments(): Instrument[] {
    return [...this.perps.values(), ...this.pairs.values()].map(({ coin, quote }) =>
      guessInstrument(coin, quote, this.decimals.decimals(coin)),
    )
  }
}

function split(symbol: string, market: string | undefined): Market {
  if (market === 'spot') return splitPair(symbol)
  const { coin, quote } = splitSymbol(symbol)
  return { coin, quote: quote || 'USDC' }
}

function contractIn({ szUnit, contract }: RecordMapping): ContractSize | null {
  if (szUnit === 'usd') return { size: '1', of: 'usd' }
  return szUnit === 'contract' ? readContractSize(String(contract)) : null
}

function factored(
  text: string | null,
  times: string | number | undefined,
  round: number | undefined,
): string | null {
  const plain = cellNumber(text ?? undefined)
  if (plain === null || (times === undefined && round === undefined)) return plain
  const factor = cellNumber(String(times ?? 1))
  if (factor === null || factor.startsWith('-'))
    throw new UserError(`is multiplied by ${times}, which is not a number above 0`)
  const minus = plain.startsWith('-') ? '-' : ''
  const [one, two] = [scaled(plain.slice(minus.length)), scaled(factor)]
  const product = { units: one.units * two.units, decimals: one.decimals + two.decimals }
  const { units, decimals } = round === undefined ? product : rounded(product, round)
  return `${minus}${decimalText(units, decimals)}`
}

function rounded({ units, decimals }: { units: bigint; decimals: number }, kept: number) {
  if (decimals <= kept) return { units, decimals }
  const step = 10n ** BigInt(decimals - kept)
  return { units: (units + step / 2n) / step, decimals: kept }
}
