/** State of the generator: four words of 32 bits. */
export interface RandomWords {
  x: number
  y: number
  z: number
  counter: number
}

/** Chris Doty-Humphrey's small fast counting generator over its state; it passes PractRand. */
export function sfc32(words: RandomWords): () => number {
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
