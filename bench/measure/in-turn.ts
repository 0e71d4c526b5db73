/** The median of some values. */
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/**
 * Medians of two measurements taken in turn, so that other load on the machine affects both.
 * Garbage of one is not collected in the time of the other.
 */
export async function inTurn(
  turns: number,
  ours: () => Promise<number>,
  bare: () => Promise<number>,
): Promise<{ value: number; baseline: number }> {
  const values: number[] = []
  const baselines: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    Bun.gc(true)
    values.push(await ours())
    Bun.gc(true)
    baselines.push(await bare())
  }
  return { value: median(values), baseline: median(baselines) }
}
