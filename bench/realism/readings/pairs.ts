import type { Facts } from '../../../src/contract/facts.ts'

/** Symbol of a coin's pair on the venue. */
export function ownPairOf(facts: Facts, coin: string): string {
  return pairsOf(facts, coin).find((symbol) => symbol.endsWith(':hl')) ?? ''
}

/**
 * Symbol of a coin's perpetual on the exchange with the most turnover; null where no other lists
 * it.
 */
export function otherPairOf(facts: Facts, coin: string): string | null {
  const others = pairsOf(facts, coin).filter((symbol) => /swap.*:(?!hl$)/.test(symbol))
  return others.find((symbol) => symbol.endsWith(':binance')) ?? others[0] ?? null
}

/** Symbols of a coin's perpetuals, the venue's first. */
export function perpetualPairsOf(facts: Facts, coin: string): string[] {
  const own = ownPairOf(facts, coin)
  return [own, ...pairsOf(facts, coin).filter((symbol) => symbol !== own)]
}

function pairsOf(facts: Facts, coin: string): string[] {
  const name = coin.replace(/^.*:/, '').toLowerCase()
  const beginning = new RegExp(`^${name}swap`)
  return [...new Set(['USDC', 'USDT'])]
    .flatMap((quote) => facts.indicator.pairs(quote, 'position').map(({ symbol }) => symbol))
    .filter((symbol) => beginning.test(symbol))
}
