/** Place of the last value <= limit in a rising list; -1 when there is none. */
export function lastUpTo(rising: ArrayLike<number>, limit: number): number {
  let low = 0
  let high = rising.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rising[middle] as number) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}
