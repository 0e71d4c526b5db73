/** Rows of positions in groups, each in the order of the rows. */

/** Places of rows, one group after another. */
export interface PositionGroups {
  /** Where a group begins; the next one begins where it ends. One more than there are groups. */
  firsts: Uint32Array
  places: Uint32Array
}

/** Rows by their groups, which are whole numbers from 0 on. */
export function positionGroups(groups: Float64Array): PositionGroups {
  const largest = groups.reduce((most, group) => Math.max(most, group), -1)
  const firsts = new Uint32Array(largest + 2)
  for (const group of groups) firsts[group + 1] = (firsts[group + 1] as number) + 1
  for (let at = 1; at < firsts.length; at++)
    firsts[at] = (firsts[at] as number) + (firsts[at - 1] as number)
  const next = firsts.slice()
  const places = new Uint32Array(groups.length)
  groups.forEach((group, place) => {
    const at = next[group] as number
    places[at] = place
    next[group] = at + 1
  })
  return { firsts, places }
}

/** The first place from `low` on whose value is not below `least`; `high` when there is none. */
export function firstFrom(values: Float64Array, least: number, low: number, high: number): number {
  let [from, end] = [low, high]
  while (from < end) {
    const middle = (from + end) >>> 1
    if ((values[middle] as number) < least) from = middle + 1
    else end = middle
  }
  return from
}
