/** A seeded random source. The same seed gives the same draws on every machine. */
export interface RandomSource {
  /** Its name: forks depend on it alone, as on a seed. */
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
  /** Many of them at once, many times as fast. */
  normals(count: number): Float64Array
  /** Lower-case hexadecimal digits. */
  hex(length: number): string
  /** An independent source, whatever the number of draws of this one. */
  fork(name: string): RandomSource
}

/** The state of a random source as plain data, which can be stored, copied and continued. */
export interface RandomState {
  /** Name of the source; forks depend on it alone. */
  key: string
  words: RandomWords
}

/** The source of a seed; a name gives each use of the same seed its own sequence. */
export function randomSource(seed: number | string, name = ''): RandomSource {
  return randomSourceOf(randomState(seed, name))
}

/** Numbers in [0, 1) from a numeric seed, and nothing else: for use where each byte counts. */
export const randomUnits = (seed: number): (() => number) =>
  unitsOf(warmedUp({ x: seed | 0, y: (seed * 1000) | 0, z: 0, counter: 1 }))

/** The initial state of a seed's source. */
export function randomState(seed: number | string, name = ''): RandomState {
  const key = `${seed}/${name}`
  const [x, y, z, counter] = hashWords(key)
  const words = warmedUp({ x: x | 0, y: y | 0, z: z | 0, counter: counter | 0 })
  return { key, words }
}

/** The first draws are discarded, as they depend visibly on the initial words. */
function warmedUp(words: RandomWords): RandomWords {
  const next = sfc32(words)
  for (let i = 0; i < 12; i++) next()
  return words
}

/** A source that continues from a state; each draw changes the state. */
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

/** Four 32-bit words from any text (cyrb128). */
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

/** State of the generator: four words of 32 bits. */
export interface RandomWords {
  x: number
  y: number
  z: number
  counter: number
}

/** Chris Doty-Humphrey's small fast counting generator over its state; it passes PractRand. */
function sfc32(words: RandomWords): () => number {
  return () => {
    const { x, y, z, counter } = words
    const sum = (((x + y) | 0) + counter) | 0
    words.counter = (counter + 1) | 0
    words.x = y ^ (y >>> 9)
    words.y = (z + (z << 3)) | 0
    words.z = (((z << 21) | (z >>> 11)) + sum) | 0
    return sum >>> 0
  }
}

/**
 * A column of draws of the standard normal distribution, by Marsaglia and Tsang's ziggurat: layers
 * of equal area under its density, of which nearly all draws need one number and one comparison.
 */
function normalColumn(words: RandomWords, count: number): Float64Array {
  const column = new Float64Array(count)
  edges ??= layerEdges()
  const widths = edges
  // Loops are faster with the state in local variables.
  let { x, y, z, counter } = words
  for (let at = 0; at < count; at++) {
    const word = (((x + y) | 0) + counter) | 0
    counter = (counter + 1) | 0
    x = y ^ (y >>> 9)
    y = (z + (z << 3)) | 0
    z = (((z << 21) | (z >>> 11)) + word) | 0
    const layer = word & 255
    const draw = ((word >> 8) / HALF_RANGE) * (widths[layer] as number)
    if (Math.abs(draw) < (widths[layer + 1] as number)) {
      column[at] = draw
      continue
    }
    const state = { x, y, z, counter }
    column[at] = rareDraw(widths, layer, draw, sfc32(state))
    ;({ x, y, z, counter } = state)
  }
  Object.assign(words, { x, y, z, counter })
  return column
}

const LAYERS = 256
/** Draws keep 24 bits, the sign included. */
const HALF_RANGE = 2 ** 23
/** The beginning of the tail in the lowest layer, and the area of each layer. */
const TAIL_FROM = 3.6541528853610088
const AREA = 0.00492867323399

const density = (at: number) => Math.exp(-(at ** 2) / 2)

/** The width of each layer, the lowest first; that of the lowest is as if it were a rectangle. */
let edges: Float64Array | null = null

function layerEdges(): Float64Array {
  const widths = new Float64Array(LAYERS + 1)
  widths[0] = AREA / density(TAIL_FROM)
  widths[1] = TAIL_FROM
  for (let layer = 2; layer < LAYERS; layer++) {
    const before = widths[layer - 1] as number
    widths[layer] = Math.sqrt(-2 * Math.log(AREA / before + density(before)))
  }
  return widths
}

/** A draw outside the layer above its own, or else another one. */
function rareDraw(
  widths: Float64Array,
  firstLayer: number,
  firstDraw: number,
  next: () => number,
): number {
  const unit = () => next() / 2 ** 32
  let [layer, draw] = [firstLayer, firstDraw]
  for (;;) {
    const [edge, above] = [widths[layer] as number, widths[layer + 1] as number]
    if (Math.abs(draw) < above) return draw
    if (layer === 0) return draw < 0 ? -tailDraw(unit) : tailDraw(unit)
    const [low, high] = [density(edge), density(above)]
    if (low + unit() * (high - low) < density(draw)) return draw
    const word = next() | 0
    layer = word & 255
    draw = ((word >> 8) / HALF_RANGE) * (widths[layer] as number)
  }
}

/** A draw beyond the last edge, by Marsaglia's method. */
function tailDraw(unit: () => number): number {
  for (;;) {
    const beyond = -Math.log(1 - unit()) / TAIL_FROM
    if (-2 * Math.log(1 - unit()) >= beyond ** 2) return TAIL_FROM + beyond
  }
}
