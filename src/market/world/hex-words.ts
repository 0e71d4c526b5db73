/** Words of 32 bits that are mixed and written as hex. */

/** The finish of splitmix: what comes of different words is different. */
export function mixedWord(state: number): number {
  let bits = Math.imul(state ^ (state >>> 16), MIX[0])
  bits = Math.imul(bits ^ (bits >>> 15), MIX[1])
  return (bits ^ (bits >>> 15)) >>> 0
}

/** The word that was mixed, as it was. */
export function unmixedWord(mixed: number): number {
  let bits = Math.imul(mixed ^ (mixed >>> 15) ^ (mixed >>> 30), inverse(MIX[1]))
  bits = Math.imul(bits ^ (bits >>> 15) ^ (bits >>> 30), inverse(MIX[0]))
  return (bits ^ (bits >>> 16)) >>> 0
}

const MIX = [0x21f0aaad, 0x735a2d97] as const

/** Times `odd` it is 1, modulo 2^32: by Newton's method, each round of which doubles the bits. */
function inverse(odd: number): number {
  let found = odd
  for (let round = 0; round < 5; round++) found = Math.imul(found, 2 - Math.imul(odd, found))
  return found
}

/** Puts a word where `hexText` finds it, counted from 0: texts are made by the hundred thousand. */
export function putWord(at: number, bits: number): void {
  madeQuads ??= hexQuads()
  HEX_BUFFER[2 * at + 1] = madeQuads[bits >>> 16] ?? 0
  HEX_BUFFER[2 * at + 2] = madeQuads[bits & 65_535] ?? 0
}

/** `0x` and the digits of the words that were put, from the first one on. */
export const hexText = (words: number): string => HEX_TEXT.toString('latin1', 2, 4 + 8 * words)

/** Made with the first text, as a program that starts would wait for it. */
let madeQuads: Uint32Array | null = null

/** Four digits for each 16 bits, as text codes. */
function hexQuads(): Uint32Array {
  const pairs = Uint32Array.from({ length: 256 }, (_, byte) => hexPair(byte))
  const quads = new Uint32Array(65_536)
  // Two looks at a table: it runs before it is compiled.
  for (let bits = 0; bits < 65_536; bits++)
    quads[bits] = (pairs[bits >>> 8] as number) | ((pairs[bits & 255] as number) << 16)
  return quads
}

/** The text codes of the two digits of a byte, the first one below. */
function hexPair(byte: number): number {
  const high = byte >>> 4
  const low = byte & 15
  return (high < 10 ? 48 + high : 87 + high) | ((low < 10 ? 48 + low : 87 + low) << 8)
}

/** Where a text is put together: two bytes of nothing, `0x`, and 64 digits. */
const HEX_BUFFER = new Uint32Array(17)
const HEX_TEXT = Buffer.from(HEX_BUFFER.buffer)
HEX_TEXT.write('  0x', 'latin1')
