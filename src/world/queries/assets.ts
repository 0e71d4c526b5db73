/**
 * Facts about assets that no tape can know: key, names and circulating supply.
 *
 * Supplies are fixed round numbers near those of early 2026, so that a market cap is price x supply
 * and stays comparable between runs. An asset that is not listed gets its own letters as its names
 * and a supply of one thousand million.
 */
import { dice } from '../../random/dice.ts'

export interface Asset {
  /** Ticker symbol: `BTC`. */
  show: string
  /** `bitcoin` */
  key: string
  /** 32 hex digits that belong to the key. */
  hashKey: string
  cnName: string
  enName: string
  /** Whole units in circulation. */
  supply: number
}

/** What is known of a base asset. `kPEPE` is PEPE counted in thousands. */
export function assetOf(base: string): Asset {
  const known = KNOWN[base.toUpperCase()]
  const [key, enName, cnName, supply] = known ?? [base.toLowerCase(), base, base, UNKNOWN_SUPPLY]
  return { show: base, key, hashKey: dice(key, 'hash key').hex(32), cnName, enName, supply }
}

const UNKNOWN_SUPPLY = 1_000_000_000

const KNOWN: Record<string, [key: string, enName: string, cnName: string, supply: number]> = {
  BTC: ['bitcoin', 'Bitcoin', '比特币', 19_970_000],
  ETH: ['ethereum', 'Ethereum', '以太坊', 120_700_000],
  SOL: ['solana', 'Solana', '索拉纳', 563_000_000],
  HYPE: ['hype', 'Hype', 'Hype', 333_900_000],
  DOGE: ['dogecoin', 'Dogecoin', '狗狗币', 152_000_000_000],
  XRP: ['ripple', 'XRP', '瑞波币', 60_300_000_000],
  LINK: ['chainlink', 'Chainlink', 'Chainlink', 696_800_000],
  BNB: ['binance-coin', 'BNB', '币安币', 137_700_000],
  ADA: ['cardano', 'Cardano', '艾达币', 36_600_000_000],
  AVAX: ['avalanche', 'Avalanche', '雪崩', 429_000_000],
  SUI: ['sui', 'Sui', 'Sui', 3_740_000_000],
  LTC: ['litecoin', 'Litecoin', '莱特币', 76_600_000],
  ARB: ['arbitrum', 'Arbitrum', 'Arbitrum', 5_700_000_000],
  PEPE: ['pepe', 'Pepe', '佩佩蛙', 420_690_000_000_000],
  KPEPE: ['pepe', 'Pepe', '佩佩蛙', 420_690_000_000],
  PURR: ['purr', 'Purr', 'Purr', 597_000_000],
  TSLA: ['tsla', 'Tesla', '特斯拉', 3_325_000_000],
  NVDA: ['nvda', 'NVIDIA', '英伟达', 24_300_000_000],
  AAPL: ['aapl', 'Apple', '苹果', 14_700_000_000],
}
