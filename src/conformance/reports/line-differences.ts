/** How two texts differ, line by line. */

/** Equal lines that are told around one that differs. */
const CONTEXT = 3
/** Pairs of lines that are compared; of more all of both count as different. */
const PAIRS_MAX = 1_000_000

type Line = readonly [sign: ' ' | '-' | '+', text: string]

/** Lines of both with two spaces, of the one with `-`, of the other with `+`; few of the equal. */
export function lineDifferences(expected: readonly string[], found: readonly string[]): string[] {
  const lines = aligned(expected, found)
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(([sign]) => sign !== ' '),
  )
  const told: string[] = []
  let left = 0
  for (const [at, [sign, text]] of lines.entries()) {
    if (!isNear[at]) {
      left++
      continue
    }
    if (left > 0) told.push(omitted(left))
    left = 0
    told.push(`${sign} ${text}`)
  }
  return left > 0 ? [...told, omitted(left)] : told
}

const omitted = (count: number): string =>
  count === 1 ? '  … (a line that both have)' : `  … (${count} lines that both have)`

/** What both begin and end with, and between that what differs. */
function aligned(expected: readonly string[], found: readonly string[]): Line[] {
  const least = Math.min(expected.length, found.length)
  let [head, tail] = [0, 0]
  while (head < least && expected[head] === found[head]) head++
  while (tail < least - head && expected.at(-1 - tail) === found.at(-1 - tail)) tail++
  const between = (lines: readonly string[]) => lines.slice(head, lines.length - tail)
  return [
    ...expected.slice(0, head).map((text): Line => [' ', text]),
    ...merged(between(expected), between(found)),
    ...expected.slice(expected.length - tail).map((text): Line => [' ', text]),
  ]
}

/** Along the longest lines that both have in the same order. */
function merged(one: readonly string[], other: readonly string[]): Line[] {
  const isLong = one.length * other.length > PAIRS_MAX
  const common = isLong ? [] : commonLengths(one, other)
  const lines: Line[] = []
  let [at, there] = [0, 0]
  while (at < one.length || there < other.length) {
    const [text, otherText] = [one[at], other[there]]
    if (!isLong && text !== undefined && text === otherText) {
      lines.push([' ', text])
      at++
      there++
    } else if (
      text !== undefined &&
      lengthAt(common, at + 1, there) >= lengthAt(common, at, there + 1)
    ) {
      lines.push(['-', text])
      at++
    } else lines.push(['+', other[there++] as string])
  }
  return lines
}

const lengthAt = (common: readonly Uint32Array[], at: number, there: number): number =>
  common[at]?.[there] ?? 0

/** How many lines the rests from two places on have in common, in the same order. */
function commonLengths(one: readonly string[], other: readonly string[]): Uint32Array[] {
  const rows = Array.from({ length: one.length + 1 }, () => new Uint32Array(other.length + 1))
  for (let at = one.length - 1; at >= 0; at--)
    for (let there = other.length - 1; there >= 0; there--) {
      const row = rows[at] as Uint32Array
      const isSame = one[at] === other[there]
      row[there] = isSame
        ? lengthAt(rows, at + 1, there + 1) + 1
        : Math.max(lengthAt(rows, at + 1, there), lengthAt(rows, at, there + 1))
    }
  return rows
}
