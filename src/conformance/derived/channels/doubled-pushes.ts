/** Whether what is pushed to one connection is pushed twice. */
import { isJsonObject } from '../../parsed-json.ts'
import type { SocketFrame } from '../../probe-socket.ts'
import { timeOf } from '../row-times.ts'

/** So many different pushes, each twice, are no chance. */
export const ENOUGH = 2

/**
 * Whether a connection was pushed everything twice that another one was pushed once. Each was
 * listened to for a while of its own: what came to both is compared. Where nothing did, as of
 * states that follow one another quickly, those of the same span of time are counted.
 */
export function isDoubled(
  twice: readonly SocketFrame[],
  once: readonly SocketFrame[],
  isState: boolean,
): boolean {
  const [there, here] = [countsOf(twice), countsOf(once)]
  const common = [...here].filter(([text]) => there.has(text))
  if (common.length < ENOUGH) {
    if (!isState) return isEachTwice(twice)
    const [most, least] = ofOneSpan(twice, once)
    return most >= 2 * Math.max(least, ENOUGH)
  }
  const doubled = common.filter(([text, count]) => (there.get(text) ?? 0) >= 2 * count)
  // The first or the last may be cut off.
  return doubled.length >= Math.max(1, common.length - 1)
}

/** How many of each are of the time that both tell of; none where they tell no time. */
function ofOneSpan(one: readonly SocketFrame[], other: readonly SocketFrame[]): [number, number] {
  const [times, others] = [one, other].map((frames) => frames.map(timeIn))
  const [first, last] = [spanOf(times ?? []), spanOf(others ?? [])]
  const [from, to] = [Math.max(first[0], last[0]), Math.min(first[1], last[1])]
  const count = (all: readonly number[] = []) =>
    all.filter((time) => time >= from && time <= to).length
  return [count(times), count(others)]
}

const spanOf = (times: readonly number[]): [number, number] => [
  Math.min(...times),
  Math.max(...times),
]

/** NaN is of no span. */
const timeIn = ({ data }: SocketFrame): number =>
  (isJsonObject(data) ? timeOf(data) : null) ?? Number.NaN

/** Whether all of several pushes came twice. */
export function isEachTwice(pushes: readonly SocketFrame[]): boolean {
  const counts = countsOf(pushes)
  return counts.size >= ENOUGH && [...counts.values()].every((count) => count === 2)
}

/** How often each was pushed. */
function countsOf(pushes: readonly SocketFrame[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { data } of pushes) {
    const text = JSON.stringify(data)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return counts
}
