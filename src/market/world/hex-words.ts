/** 32-bit words, mixed and written as hex. */

/** The finaliser of splitmix, a bijection. */
export function mixedWord(state: number): number {
  let bits = Math.imul(state ^ (state >>> 16), MIX[0])
  bits = Math.imul(bits ^ (bits >>> 15), MIX[1])
  return (bits ^ (bits >>> 15)) >>> 0
}

/** Inverse of `mixedWord`. */
export function unmixedWord(mixed: number): number {
  let bits = Math.imul(mixed ^ (mixed >>> 15) ^ (mixed >>> 30), inverse(MIX[1]))
  bits = Math.imul(bits ^ (bits >>> 15) ^ (bits >>> 30), inverse(MIX[0]))
  return (bits ^ (bits >>> 16)) >>> 0
}

const MIX = [0x21f0aaad, 0x735a2d97] as const

/**
 * Multiplicative inverse of `odd` modulo 2^32: by Newton's method, each round of which doubles the
 * bits.
 */
function inverse(odd: number): number {
  let found = odd
  for (let round = 0; round < 5; round++) found = Math.imul(found, 2 - Math.imul(odd, found))
  return found
}

/** Puts a word at an index for `hexText`: texts are made by the hundred thousand. */
export function putWord(at: number, bits: number): void {
  madeQuads ??= hexQuads()
  HEX_BUFFER[2 * at + 1] = madeQuads[bits >>> 16] ?? 0
  HEX_BUFFER[2 * at + 2] = madeQuads[bits & 65_535] ?? 0
}

/** `0x` and the digits of the words put so far, from the first one on. */
export const hexText = (words: number): string => HEX_TEXT.toString('latin1', 2, 4 + 8 * words)

/** Created with the first text, to keep the program's start fast. */
let madeQuads: Uint32Array | null = null

/** Four digits for each 16 bits, as text codes. */
function hexQuads(): Uint32Array {
  const pairs = Uint32Array.from({ length: 256 }, (_, byte) => hexPair(byte))
  const quads = new Uint32Array(65_536)
  // A table look-up per byte: this runs before it is compiled.
  for (let bits = 0; bits < 65_536; bits++)
    quads[bits] = (pairs[bits >>> 8] as number) | ((pairs[bits & 255] as number) << 16)
  return quads
}

/** Character codes of a byte's two digits, the first one in the lower byte. */
function hexPair(byte: number): number {
  const high = byte >>> 4
  const low = byte & 15
  return (high < 10 ? 48 + high : 87 + high) | ((low < 10 ? 48 + low : 87 + low) << 8)
}

/** Buffer of a text: two unused bytes, `0x`, and 64 digits. */
const HEX_BUFFER = new Uint32Array(17)
const HEX_TEXT = Buffer.from(HEX_BUFFER.buffer)
HEX_TEXT.write('  0x', 'latin1')
