import type { Instrument } from '../tape-event.ts'

const QUOTES = ['USDT', 'USDC', 'FDUSD', 'BUSD', 'TUSD', 'USDE', 'USD', 'EUR', 'GBP', 'JPY', 'KRW']
/** Quotes that are coins themselves: a name with such an ending may be the coin's own. */
const COIN_QUOTES = ['BTC', 'XBT', 'ETH', 'BNB']

/** In these names the quote is the currency, whatever the coin ends with. */
const IN_DOLLARS = /^P[IF]_|USD_(?:PERP|\d{6})$/
/** Quotes that a coin's last letter and `USD` resemble: `XBTUSD`, `BNBUSD`. */
const AMBIGUOUS = ['TUSD', 'BUSD']
/** The perpetual venue's own names, of a builder dex and of a thousand of a coin. */
const OWN = /^(?:[a-z]\w*:|k(?=[A-Z]))/

/** A perpetual's name contains one of these; a dated future's contains a day. */
const PERPETUAL = /[-_]?(?:PERPETUAL|PERP|SWAP|\.P)$/
const DATED = /[-_](\d{6}|\d{8}|\d{1,2}[A-Z]{3}\d{2})$/

/** Coin and quote of a symbol. */
export interface Market {
  coin: string
  quote: string
}

/**
 * The coin and the quote of a perpetual's or future's symbol: `BTCUSDT`, `BTC-USDT-SWAP`,
 * `BTCUSD_PERP`, `BTC-PERPETUAL` and `XBTUSD` are all BTC. A dated future keeps its day.
 *
 * A thousand of a cheap coin is `kPEPE`, as on the perpetual venue; its own names are kept.
 */
export function splitSymbol(symbol: string): Market {
  const own = OWN.exec(symbol)?.[0] ?? ''
  const whole = symbol.slice(own.length).toUpperCase()
  const day = DATED.exec(whole)?.[1]
  const name = whole
    .replace(/^P[IF]_/, '')
    .replace(DATED, '')
    .replace(PERPETUAL, '')
  const { base, quote } = pairOf(name, IN_DOLLARS.test(whole) ? ['USD'] : QUOTES)
  const thousand = /^1000([A-Z]\w*)$/.exec(base)
  const coin = thousand ? `k${thousand[1]}` : `${own}${base}`
  return { coin: day === undefined ? coin : `${coin}-${day}`, quote }
}

/** The same for a spot pair, which becomes `BTC/USDT`. */
export function splitPair(symbol: string): Market {
  const { base, quote } = pairOf(symbol.toUpperCase(), [...QUOTES, ...COIN_QUOTES])
  return { coin: `${base}/${quote || 'USD'}`, quote: quote || 'USD' }
}

function pairOf(name: string, quotes: readonly string[]): { base: string; quote: string } {
  const parts = name.split(/[-_/]/)
  if (parts.length === 2 && parts[0] && parts[1]) {
    const [base, quote] = isQuoteFirst(parts[0], parts[1]) ? parts.toReversed() : parts
    return { base: plainCoin(base ?? ''), quote: quote ?? '' }
  }
  const coded = CODED.exec(name)?.groups
  if (coded) return { base: plainCoin(coded.base ?? ''), quote: plainCoin(coded.quote ?? '') }
  const quote = quotes.find((end) => endsIn(end, name)) ?? ''
  return { base: plainCoin(name.slice(0, name.length - quote.length)), quote }
}

/** Upbit and Bittrex have names such as `KRW-BTC`, Poloniex had `USDT_BTC`. */
const isQuoteFirst = (first: string, second: string): boolean =>
  NEVER_TRADED.has(first) && !QUOTES.includes(second)

/** Currencies that no exchange trades for another coin than a currency. */
const NEVER_TRADED = new Set(['USDT', 'USDC', 'USD', 'EUR', 'GBP', 'JPY', 'KRW'])

function endsIn(quote: string, name: string): boolean {
  if (!name.endsWith(quote)) return false
  const base = name.slice(0, -quote.length)
  if (!AMBIGUOUS.includes(quote)) return base !== ''
  return base.length > 2 && base !== 'USD'
}

/** Codes of Kraken, an X before a coin and a Z before a currency: `XXBTZEUR`, `XETHXXBT`. */
const CODED = /^X(?<base>[A-Z]{3})(?:Z(?<quote>USD|EUR|GBP|JPY|CAD|AUD)|X(?<quote>XBT|ETH))$/

const plainCoin = (code: string): string => ({ XBT: 'BTC', XDG: 'DOGE' })[code] ?? code

/** Maximum leverage of frequently recorded instruments; recordings do not contain it. */
const LEVERAGE: Record<string, number> = { BTC: 40, ETH: 25, SOL: 20, XRP: 20 }

const LEVERAGE_OF_OTHERS = 10

/** The instrument implied by its coin's name and the decimals seen. */
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

/** Each instrument once, with the most decimals of any file. */
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
