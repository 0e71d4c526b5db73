import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type LineBatch, linesOf } from './text-lines.ts'

const LINE_BYTES_MAX = 1_000

/** The bytes in chunks with these ends. */
async function* pieces(bytes: Buffer, ends: readonly number[]) {
  const places = [0, ...ends.map((end) => end % (bytes.length + 1)), bytes.length]
  const sorted = places.sort((a, b) => a - b)
  for (const [at, end] of sorted.slice(1).entries()) yield bytes.subarray(sorted[at], end)
}

async function batchesOf(bytes: Buffer, ends: readonly number[]): Promise<LineBatch[]> {
  const batches: LineBatch[] = []
  for await (const batch of linesOf('file', pieces(bytes, ends), LINE_BYTES_MAX))
    batches.push(batch)
  return batches
}

const line = fc.string({ unit: fc.constantFrom(...'a1, é€😀'), maxLength: 12 })
const ends = fc.array(fc.nat({ max: 500 }), { maxLength: 8 })

test('lines do not depend on the chunks, and each has its number', async () => {
  const texts = fc.array(line, { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(texts, line, ends, async (lines, last, cuts) => {
      const text = [...lines, last].join('\n')
      const batches = await batchesOf(Buffer.from(text), cuts)
      expect(batches.flatMap((batch) => batch.lines)).toEqual(
        last === '' ? lines : [...lines, last],
      )
      let first = 1
      for (const batch of batches) {
        expect(batch.first).toBe(first)
        first += batch.lines.length
      }
      expect(batches.map(({ open }) => open).filter(Boolean)).toEqual(last === '' ? [] : [true])
    }),
  )
})

test('a line that is not UTF-8 is named by its number, wherever the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 9 }), ends, async (place, cuts) => {
      const lines = Array.from({ length: 10 }, (_, at) =>
        at === place ? Buffer.from([97, 0xff, 10]) : Buffer.from('é1\n'),
      )
      const refusal = await batchesOf(Buffer.concat(lines), cuts).then(
        () => null,
        ({ message }: Error) => message,
      )
      expect(refusal).toBe(`file: line ${place + 1} is not UTF-8 text`)
    }),
  )
})
