import { normalColumn } from './normal-column.ts'
import { type RandomWords, sfc32 } from './sfc32.ts'

/** A seeded random source. The same seed gives the same draws on every machine. */
export interface RandomSource {
  /** Names it: what is forked from it follows from this alone, as it does from a seed. */
  readonly key: string
  /** A number in [0, 1). */
  unit(): number
  /** A whole number in [low, high], both included. */
  between(low: number, high: number): number
  /** One element of a non-empty list. */
  pick<T>(list: readonly T[]): T
  /** True with the given odds. */
  chance(odds: number): boolean
  /** A draw of the standard normal distribution. */
  normal(): number
  /** So many of them at once, many times as fast. */
  normals(count: number): Float64Array
  /** Lower-case hexadecimal digits. */
  hex(length: number): string
  /** A source of its own, independent of how many draws this one has made. */
  fork(name: string): RandomSource
}

/** All that a random source is, as plain data: it can be stored, copied and gone on from. */
export interface RandomState {
  /** Names the source; what is forked from it follows from this alone. */
  key: string
  words: RandomWords
}

/** The source of a seed; a name gives each use of the same seed its own sequence. */
export function randomSource(seed: number | string, name = ''): RandomSource {
  return randomSourceOf(randomState(seed, name))
}

/** Numbers in [0, 1) from a seed that is no text, and nothing else: for where each byte counts. */
export const randomUnits = (seed: number): (() => number) =>
  unitsOf(warmedUp({ x: seed | 0, y: (seed * 1000) | 0, z: 0, counter: 1 }))

/** What the source of a seed begins with. */
export function randomState(seed: number | string, name = ''): RandomState {
  const key = `${seed}/${name}`
  const [x, y, z, counter] = hashWords(key)
  const words = warmedUp({ x: x | 0, y: y | 0, z: z | 0, counter: counter | 0 })
  return { key, words }
}

/** The first draws still show what the words began with. */
function warmedUp(words: RandomWords): RandomWords {
  const next = sfc32(words)
  for (let i = 0; i < 12; i++) next()
  return words
}

/** The source that goes on from a state; each draw changes the state. */
export function randomSourceOf({ key, words }: RandomState): RandomSource {
  const unit = unitsOf(words)
  const between = (low: number, high: number) => low + Math.floor(unit() * (high - low + 1))
  return {
    key,
    unit,
    between,
    pick: (list) => list[between(0, list.length - 1)] as (typeof list)[number],
    chance: (odds) => unit() < odds,
    normal: () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit()),
    normals: (count) => normalColumn(words, count),
    hex: (length) => Array.from({ length }, () => between(0, 15).toString(16)).join(''),
    fork: (child) => randomSource(key, child),
  }
}

function unitsOf(words: RandomWords): () => number {
  const next = sfc32(words)
  return () => next() / 4294967296
}

/** Four 32-bit words out of any text (cyrb128). */
function hashWords(text: string): [number, number, number, number] {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762]
  for (let i = 0; i < text.length; i++) {
    const k = text.charCodeAt(i)
    a = b ^ Math.imul(a ^ k, 597399067)
    b = c ^ Math.imul(b ^ k, 2869860233)
    c = d ^ Math.imul(c ^ k, 951274213)
    d = a ^ Math.imul(d ^ k, 2716044179)
  }
  a = Math.imul(c ^ (a >>> 18), 597399067)
  b = Math.imul(d ^ (b >>> 22), 2869860233)
  c = Math.imul(a ^ (c >>> 17), 951274213)
  d = Math.imul(b ^ (d >>> 19), 2716044179)
  return [(a ^ b ^ c ^ d) >>> 0, (b ^ a) >>> 0, (c ^ a) >>> 0, (d ^ a) >>> 0]
}
