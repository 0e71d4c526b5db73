const QUOTES = ['USDT', 'USDC', 'FDUSD', 'BUSD', 'USD']

/**
 * The coin and the quote of a futures symbol: `BTCUSDT` is BTC in USDT.
 *
 * A thousand of a cheap coin are called `kPEPE` here, as the perpetual venue does.
 */
export function splitSymbol(symbol: string): { coin: string; quote: string } {
  const name = symbol.toUpperCase()
  const quote = QUOTES.find((end) => name.endsWith(end) && name.length > end.length) ?? ''
  const base = name.slice(0, name.length - quote.length)
  const thousand = /^1000([A-Z]\w*)$/.exec(base)
  return { coin: thousand ? `k${thousand[1]}` : base, quote }
}
