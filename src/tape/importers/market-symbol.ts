const QUOTES = ['USDT', 'USDC', 'FDUSD', 'BUSD', 'TUSD', 'USDE', 'USD', 'EUR', 'GBP', 'JPY', 'KRW']
/** Quotes that are coins themselves: a name that ends so may be the coin's own. */
const COIN_QUOTES = ['BTC', 'XBT', 'ETH', 'BNB']

/** A perpetual says so in its name; a dated future has a day in it. */
const PERPETUAL = /[-_]?(?:PERPETUAL|PERP|SWAP|\.P)$/
const DATED = /[-_](\d{6}|\d{8}|\d{1,2}[A-Z]{3}\d{2})$/

/** What a symbol names. */
export interface Market {
  coin: string
  quote: string
}

/**
 * The coin and the quote of a perpetual's or future's symbol: `BTCUSDT`, `BTC-USDT-SWAP`,
 * `BTCUSD_PERP`, `BTC-PERPETUAL` and `XBTUSD` are all BTC. A dated future keeps its day.
 *
 * A thousand of a cheap coin are called `kPEPE` here, as the perpetual venue does.
 */
export function splitSymbol(symbol: string): Market {
  const whole = symbol.toUpperCase().replace(/^P[IF]_/, '')
  const day = DATED.exec(whole)?.[1]
  const name = whole.replace(DATED, '').replace(PERPETUAL, '')
  const { base, quote } = pairOf(name)
  const thousand = /^1000([A-Z]\w*)$/.exec(base)
  const coin = thousand ? `k${thousand[1]}` : base
  return { coin: day === undefined ? coin : `${coin}-${day}`, quote }
}

/** The same for a spot pair, which is called `BTC/USDT` here. */
export function splitPair(symbol: string): Market {
  const { base, quote } = pairOf(symbol.toUpperCase(), true)
  return { coin: `${base}/${quote || 'USD'}`, quote: quote || 'USD' }
}

function pairOf(name: string, coinQuotes = false): { base: string; quote: string } {
  const parts = name.split(/[-_/]/)
  if (parts.length === 2 && parts[0] && parts[1])
    return { base: plainCoin(parts[0]), quote: parts[1] }
  const known = coinQuotes ? [...QUOTES, ...COIN_QUOTES] : QUOTES
  const quote = known.find((end) => name.endsWith(end) && name.length > end.length) ?? ''
  return { base: plainCoin(name.slice(0, name.length - quote.length)), quote }
}

const plainCoin = (base: string): string => (base === 'XBT' ? 'BTC' : base)
