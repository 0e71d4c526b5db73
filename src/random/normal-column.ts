import { type RandomWords, sfc32 } from './sfc32.ts'

/**
 * So many draws of the standard normal distribution, by Marsaglia and Tsang's ziggurat: layers of
 * equal area under its density, of which nearly all draws need one number and one comparison.
 */
export function normalColumn(words: RandomWords, count: number): Float64Array {
  const column = new Float64Array(count)
  edges ??= layerEdges()
  const widths = edges
  // Loops are fast that keep the state in variables of their own.
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
/** Where the lowest layer begins to be a tail, and the area of each layer. */
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

/** A draw that is not within the layer above its own, or else another one. */
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

/** Beyond the last edge, by Marsaglia's method. */
function tailDraw(unit: () => number): number {
  for (;;) {
    const beyond = -Math.log(1 - unit()) / TAIL_FROM
    if (-2 * Math.log(1 - unit()) >= beyond ** 2) return TAIL_FROM + beyond
  }
}
