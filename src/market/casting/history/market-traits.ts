import type { MarketTraits } from '../../bars/minute-moves.ts'
import type { InstrumentRow } from '../../schema/schema.ts'

/** Coins that are traded for fun move together besides what moves all. */
const MEMES = [
  'DOGE',
  'kPEPE',
  'kSHIB',
  'kBONK',
  'PEPE',
  'SHIB',
  'BONK',
  'WIF',
  'TRUMP',
  'FARTCOIN',
]
/** Correlation with the whole market of coins that are known for it; that of others follows. */
const MARKET_SHARES: Record<string, number> = { BTC: 0.93, ETH: 0.88, SOL: 0.8, LINK: 0.77 }

/** How an instrument moves, judged by what the venue says of it. */
export function traitsOf({ coin, kind, base, dex, maxLeverage }: InstrumentRow): MarketTraits {
  // The venue grants high leverage to what moves little, so its limit implies the volatility.
  const byLeverage = Math.min(0.055, 0.012 + 0.48 / Math.max(maxLeverage, 8))
  const isMeme = MEMES.includes(base)
  if (dex !== '')
    return {
      ...NO_SECTOR,
      coin,
      dailyVolatility: 0.45 * byLeverage,
      marketShare: 0.25,
      trading: 'stock',
    }
  return {
    coin,
    dailyVolatility: kind === 'spot' ? 0.05 : byLeverage,
    marketShare: MARKET_SHARES[base] ?? (isMeme ? 0.66 : 0.68),
    sectorShare: isMeme ? 0.4 : 0,
    sector: isMeme ? 'memes' : '',
    trading: 'always',
  }
}

const NO_SECTOR = { sectorShare: 0, sector: '' }
