import type { Exchange } from './exchanges.ts'

/** Names of the markets. */
export function exchangeName(exchange: Exchange | null, language: 'cn' | 'en'): string {
  const names = NAMES[marketKey(exchange)] as Record<'cn' | 'en', string>
  return names[language]
}

/** Key of a market, as written after the colon of a dbKey; null is the tape's own venue. */
export const marketKey = (exchange: Exchange | null) => exchange?.key ?? 'hl'

const NAMES: Record<string, Record<'cn' | 'en', string>> = {
  hl: { en: 'HL', cn: 'HL' },
  binance: { en: 'Binance', cn: '币安' },
  okex: { en: 'OKX', cn: '欧易' },
  bybit: { en: 'Bybit', cn: 'Bybit' },
  gate: { en: 'Gate', cn: '芝麻开门' },
  huobi: { en: 'HTX', cn: '火币' },
  bitget: { en: 'Bitget', cn: 'Bitget' },
}
