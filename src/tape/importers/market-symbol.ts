const QUOTES = ['USDT', 'USDC', 'FDUSD', 'BUSD', 'TUSD', 'USDE', 'USD', 'EUR', 'GBP', 'JPY', 'KRW']
/** Quotes that are coins themselves: a name that ends so may be the coin's own. */
const COIN_QUOTES = ['BTC', 'XBT', 'ETH', 'BNB']

/** Of these names the quote is what money is called, whatever the coin ends with. */
const IN_DOLLARS = /^P[IF]_|USD_(?:PERP|\d{6})$/
/** Quotes that a coin's last letter and `USD` look like: `XBTUSD`, `BNBUSD`. */
const AMBIGUOUS = ['TUSD', 'BUSD']
/** Names of the perpetual venue's own, of a builder's dex and of a thousand of a coin. */
const OWN = /^(?:[a-z]\w*:|k(?=[A-Z]))/

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
 * A thousand of a cheap coin are called `kPEPE` here, as the perpetual venue does; its own names
 * stay as they are.
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

/** The same for a spot pair, which is called `BTC/USDT` here. */
export function splitPair(symbol: string): Market {
  const { base, quote } = pairOf(symbol.toUpperCase(), [...QUOTES, ...COIN_QUOTES])
  return { coin: `${base}/${quote || 'USD'}`, quote: quote || 'USD' }
}

function pairOf(name: string, quotes: readonly string[]): { base: string; quote: string } {
  const parts = name.split(/[-_/]/)
  if (parts.length === 2 && parts[0] && parts[1])
    return { base: plainCoin(parts[0]), quote: parts[1] }
  const quote = quotes.find((end) => endsIn(end, name)) ?? ''
  return { base: plainCoin(name.slice(0, name.length - quote.length)), quote }
}

function endsIn(quote: string, name: string): boolean {
  if (!name.endsWith(quote)) return false
  const base = name.slice(0, -quote.length)
  if (!AMBIGUOUS.includes(quote)) return base !== ''
  return base.length > 2 && base !== 'USD'
}

const plainCoin = (base: string): string => (base === 'XBT' ? 'BTC' : base)
