import { expect, test } from 'bun:test'
import { constants, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { wholeZstdFrames } from './zstd-frames.ts'

async function passed(bytes: Buffer, cuts: readonly number[]): Promise<Buffer> {
  async function* chunks() {
    let from = 0
    for (const to of [...cuts.map((cut) => cut % bytes.length), bytes.length].sort(
      (a, b) => a - b,
    )) {
      yield bytes.subarray(from, to)
      from = to
    }
  }
  const all: Buffer[] = []
  for await (const chunk of wholeZstdFrames(chunks())) all.push(chunk)
  return Buffer.concat(all)
}

const withChecksum = { params: { [constants.ZSTD_c_checksumFlag]: 1 } }
const passedOver = Buffer.from('532a4d180300000061626301', 'hex').subarray(0, 11)
const frame = fc.oneof(
  fc.constant(passedOver),
  fc.uint8Array().map((bytes) => zstdCompressSync(bytes)),
  fc.uint8Array().map((bytes) => zstdCompressSync(bytes, withChecksum)),
  fc.constant(zstdCompressSync(Buffer.alloc(400_000, 'x'))),
  fc.constant(zstdCompressSync(Buffer.from(Array.from({ length: 300_000 }, (_, i) => i ** 3)))),
)

test('whole frames pass, however they are chunked, and no truncated one does', async () => {
  const frames = fc.array(frame, { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(frames, fc.array(fc.nat()), fc.nat(), async (frames, cuts, end) => {
      const bytes = Buffer.concat(frames)
      expect((await passed(bytes, cuts)).equals(bytes)).toBe(true)
      const last = frames.at(-1)?.length ?? 0
      const cut = bytes.subarray(0, bytes.length - 1 - (end % (last - 1)))
      await expect(passed(cut, [])).rejects.toThrow('it ends within a zstd frame')
    }),
  )
})

test('bytes other than frames do not pass', async () => {
  const bytes = Buffer.concat([zstdCompressSync('a'), Buffer.from('something')])
  await expect(passed(bytes, [])).rejects.toThrow('something else follows a zstd frame')
})
