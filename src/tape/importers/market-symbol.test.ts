import { expect, test } from 'bun:test'
import { splitPair, splitSymbol } from './market-symbol.ts'

const SYMBOLS: [symbol: string, coin: string, quote: string][] = [
  ['BTCUSDT', 'BTC', 'USDT'],
  ['btcusdt', 'BTC', 'USDT'],
  ['BTC-USDT-SWAP', 'BTC', 'USDT'],
  ['BTC-PERPETUAL', 'BTC', ''],
  ['XBTUSD', 'BTC', 'USD'],
  ['PF_XBTUSD', 'BTC', 'USD'],
  ['PF_SHIBUSD', 'SHIB', 'USD'],
  ['BNBUSD', 'BNB', 'USD'],
  ['BNBUSD_PERP', 'BNB', 'USD'],
  ['DOTUSD_240628', 'DOT-240628', 'USD'],
  ['BTCBUSD', 'BTC', 'BUSD'],
  ['1000PEPEUSDT', 'kPEPE', 'USDT'],
  ['1000SHIBBUSD', 'kSHIB', 'BUSD'],
  ['1INCHUSDT', '1INCH', 'USDT'],
  ['BTC-27DEC24', 'BTC-27DEC24', ''],
  ['BTCUSDT_240628', 'BTC-240628', 'USDT'],
  ['kPEPE', 'kPEPE', ''],
  ['kBONK-PERP', 'kBONK', ''],
  ['ksmusdt', 'KSM', 'USDT'],
  ['KSMUSDT', 'KSM', 'USDT'],
  ['xyz:TSLA', 'xyz:TSLA', ''],
  ['XXBTZEUR', 'BTC', 'EUR'],
  ['XETHZUSD', 'ETH', 'USD'],
  ['XXDGZUSD', 'DOGE', 'USD'],
  ['XETHXXBT', 'ETH', 'BTC'],
  ['XTZUSD', 'XTZ', 'USD'],
  ['XRPZUSD', 'XRPZ', 'USD'],
]

test('a symbol names a coin and a quote', () => {
  for (const [symbol, coin, quote] of SYMBOLS) expect(splitSymbol(symbol)).toEqual({ coin, quote })
})

const PAIRS: [symbol: string, coin: string][] = [
  ['BTCUSDT', 'BTC/USDT'],
  ['ETHBTC', 'ETH/BTC'],
  ['BTCTUSD', 'BTC/TUSD'],
  ['USDTUSD', 'USDT/USD'],
  ['dotusd', 'DOT/USD'],
  ['XBT-USD', 'BTC/USD'],
  ['XXBTZUSD', 'BTC/USD'],
]

test('a pair has its quote in its name', () => {
  for (const [symbol, coin] of PAIRS) expect(splitPair(symbol).coin).toBe(coin)
})
