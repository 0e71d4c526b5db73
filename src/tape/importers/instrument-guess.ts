import type { Instrument } from '../tape-event.ts'

/** Largest leverage of the instruments that recordings are mostly of; recordings do not name it. */
const LEVERAGE: Record<string, number> = { BTC: 40, ETH: 25, SOL: 20, XRP: 20 }

const LEVERAGE_OF_OTHERS = 10

/** The instrument as its coin's name and the decimals seen suggest it. */
export function guessInstrument(
  coin: string,
  quote: string,
  decimals: { pxDecimals: number; szDecimals: number },
): Instrument {
  const [left = coin, right] = coin.split('/')
  if (right !== undefined)
    return { coin, kind: 'spot', dex: '', base: left, quote: right, ...decimals, maxLeverage: 1 }
  if (coin.startsWith('@'))
    return { coin, kind: 'spot', dex: '', base: coin, quote, ...decimals, maxLeverage: 1 }
  const [dex, base] = coin.includes(':') ? (coin.split(':', 2) as [string, string]) : ['', coin]
  const maxLeverage = LEVERAGE[coin] ?? LEVERAGE_OF_OTHERS
  return { coin, kind: 'perp', dex, base, quote, ...decimals, maxLeverage }
}

/** Each instrument once, with the most decimals that any file shows. */
export function mergedInstruments(instruments: readonly Instrument[]): Instrument[] {
  const merged = new Map<string, Instrument>()
  for (const instrument of instruments) {
    const known = merged.get(instrument.coin) ?? instrument
    const pxDecimals = Math.max(known.pxDecimals, instrument.pxDecimals)
    const szDecimals = Math.max(known.szDecimals, instrument.szDecimals)
    merged.set(instrument.coin, { ...known, pxDecimals, szDecimals })
  }
  return [...merged.values()]
}
