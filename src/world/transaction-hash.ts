/** Hashes of transactions that no tape names: each follows from an order's number. */

/**
 * The hash of the transaction that placed an order, or that cancelled it: 0x + 64 hex. The trades
 * of a taker order have the hash of its placing.
 */
export function transactionHash(oid: number, cancelled = false): string {
  const quads = hexQuads()
  const seed = cancelled ? ~seedOf(oid) : seedOf(oid)
  for (let word = 0; word < WORDS; word++) {
    const bits = wordOf(seed, word)
    HASH_BUFFER[2 * word + 1] = quads[bits >>> 16] ?? 0
    HASH_BUFFER[2 * word + 2] = quads[bits & 65_535] ?? 0
  }
  return HASH_TEXT.toString('latin1', 2)
}

/** A hash as a query gives it: in words, or as the number of the order that it follows from. */
export const hashText = (hash: string | number): string =>
  typeof hash === 'string' ? hash : transactionHash(hash)

/** The last 32 bits of the hash of the transaction that placed an order. */
export const hashTail = (oid: number): number => wordOf(seedOf(oid), WORDS - 1)

const WORDS = 8

const seedOf = (oid: number) =>
  Math.imul(oid | 0, 0x9e3779b1) ^ Math.imul((oid / 2 ** 32) | 0, 0x85ebca6b)

function wordOf(seed: number, word: number): number {
  const state = (seed + Math.imul(word + 1, 0x9e3779b9)) | 0
  return mixBits(state ^ Math.imul(word + 1, 0xc2b2ae35))
}

/** The finish of splitmix, 32 bits. */
function mixBits(state: number): number {
  let bits = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return (bits ^ (bits >>> 15)) >>> 0
}

/** Made with the first hash, as a program that starts would wait for it. */
let madeQuads: Uint32Array | null = null

/** Four digits for each 16 bits, as text codes: hashes are made by the hundred thousand. */
function hexQuads(): Uint32Array {
  if (madeQuads) return madeQuads
  const pairs = Uint32Array.from({ length: 256 }, (_, byte) => hexPair(byte))
  const quads = new Uint32Array(65_536)
  // Two looks at a table: it runs before it is compiled.
  for (let bits = 0; bits < 65_536; bits++)
    quads[bits] = (pairs[bits >>> 8] as number) | ((pairs[bits & 255] as number) << 16)
  madeQuads = quads
  return quads
}

/** The text codes of the two digits of a byte, the first one below. */
function hexPair(byte: number): number {
  const high = byte >>> 4
  const low = byte & 15
  return (high < 10 ? 48 + high : 87 + high) | ((low < 10 ? 48 + low : 87 + low) << 8)
}

/** Where a hash is put together: two bytes of nothing, `0x`, and 64 digits. */
const HASH_BUFFER = new Uint32Array(17)
const HASH_TEXT = Buffer.from(HASH_BUFFER.buffer)
HASH_TEXT.write('  0x', 'latin1')
