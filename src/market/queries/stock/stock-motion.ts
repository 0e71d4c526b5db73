/** A random motion over trading time, as a function of the instant: nothing is added up. */
import { Cache } from '../../world/cache.ts'

/** Distances of knots in trading days, each with straight lines between its knots. */
const SPACINGS = [16, 4, 1, 1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 512]
/** Brings the standard deviation over a day to one. */
const SCALE = 0.69
/** Drawn together, for speed. */
const BLOCK = 16
/** Blocks kept in memory. */
const CACHE_LIMIT = 5_000

export class StockMotion {
  private readonly blocks = new Cache<string, Float64Array>(CACHE_LIMIT)

  /** @param draw normal numbers for a name */
  constructor(private readonly draw: (name: string, count: number) => Float64Array) {}

  /** Of a name: at a place in trading time, days; it varies by one over a day. */
  of(name: string): (place: number) => number {
    const waves = SPACINGS.map((spacing) => {
      const knot = this.knotsOf(`${name}, ${1 / spacing} a day`)
      return (place: number) => {
        const first = Math.floor(place / spacing)
        const left = knot(first)
        return Math.sqrt(spacing) * (left + (knot(first + 1) - left) * (place / spacing - first))
      }
    })
    return (place) => SCALE * waves.reduce((sum, wave) => sum + wave(place), 0)
  }

  private knotsOf(name: string): (knot: number) => number {
    let block = Number.NaN
    let values: Float64Array = NOTHING
    return (knot) => {
      const wanted = Math.floor(knot / BLOCK)
      if (wanted !== block) {
        const key = `${name}, ${wanted}`
        values = this.blocks.get(key, () => this.draw(key, BLOCK))
        block = wanted
      }
      return values[knot - BLOCK * wanted] as number
    }
  }
}

const NOTHING = new Float64Array(0)
