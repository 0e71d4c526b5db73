/** Thrown where compressed bytes cannot be right. */
export class Lz4Flaw extends Error {
  override name = 'Lz4Flaw'
}

/**
 * Unpacks one lz4 block into `out` from `start` on; answers where it ends.
 *
 * What lies before `start` is what matches may refer to. Never writes beyond `most`.
 *
 * @see https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md
 */
export function unpackBlock(block: Buffer, out: Buffer, start: number, most: number): number {
  let [at, end] = [0, start]
  const length = (nibble: number): number => {
    let value = nibble
    if (nibble === 15)
      for (let more = 255; more === 255; value += more) {
        if (at >= block.length) throw new Lz4Flaw('a length is cut off')
        more = block[at++] ?? 0
      }
    return value
  }
  while (at < block.length) {
    const token = block[at++] ?? 0
    const literals = length(token >> 4)
    if (at + literals > block.length) throw new Lz4Flaw('literals are cut off')
    if (end + literals > most) throw new Lz4Flaw('a block is longer than its frame allows')
    block.copy(out, end, at, at + literals)
    at += literals
    end += literals
    // The last sequence has literals only.
    if (at === block.length) return end
    if (at + 2 > block.length) throw new Lz4Flaw('a match is cut off')
    const offset = block.readUInt16LE(at)
    at += 2
    const size = length(token & 15) + 4
    if (offset === 0 || offset > end) throw new Lz4Flaw('a match lies before the beginning')
    if (end + size > most) throw new Lz4Flaw('a block is longer than its frame allows')
    copyMatch(out, end, offset, size)
    end += size
  }
  throw new Lz4Flaw('a block has no end')
}

/** A match may reach into itself, and then repeats what it has written. */
function copyMatch(out: Buffer, end: number, offset: number, size: number): void {
  if (offset >= size) out.copyWithin(end, end - offset, end - offset + size)
  else for (let at = 0; at < size; at++) out[end + at] = out[end + at - offset] ?? 0
}
