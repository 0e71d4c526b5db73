/** What a coin's name says of it. */

/** Whether it is a perpetual: a spot pair has a slash or a number. */
export const isPerpetual = (coin: string): boolean => !/[/@]/.test(coin)

/** The key of its pair at the endpoints of all exchanges, `btcswapusdc:hl`; null of spot. */
export function pairKey(coin: string): string | null {
  if (!isPerpetual(coin)) return null
  return `${coin.replace(/^.*:/, '').toLowerCase()}swapusdc:hl`
}
