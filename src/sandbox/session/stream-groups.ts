/** Streams that have something to do at one instant, in groups short enough for a slice. */
import type { Stream } from './stream.ts'

/** An account of the crowd is made for its frame, which takes some milliseconds. */
export const WEIGHT_OF_MADE = 32

/** What a group takes together. */
export const GROUP_WEIGHT = 64

/**
 * In order; one group where all of them fit into it.
 *
 * @param weightOf what a stream's frame takes, in frames of the market
 */
export function groupsByWeight(
  streams: readonly Stream[],
  weightOf: (stream: Stream) => number,
): Stream[][] {
  const groups: Stream[][] = []
  let weight = GROUP_WEIGHT
  for (const stream of streams) {
    if (weight >= GROUP_WEIGHT) {
      groups.push([])
      weight = 0
    }
    groups.at(-1)?.push(stream)
    weight += weightOf(stream)
  }
  return groups
}
