import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { zstdCompressSync } from 'node:zlib'
import { openTape } from '../../src/tape/tape-reader.ts'
import { EVENTS_OF_EVERY_KIND, readTape, userErrorOf, writeTape } from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()

/** The lines of an open recording: without end and counts in the first one. */
async function openLines(): Promise<[header: string, ...events: string[]]> {
  const file = at('sound.tape.ndjson')
  await writeTape(file, EVENTS_OF_EVERY_KIND)
  const [first = '', ...events] = readFileSync(file, 'utf8').trimEnd().split('\n')
  const { endMs: _, counts: __, ...begun } = JSON.parse(first)
  return [JSON.stringify({ ...begun, open: true }), ...events]
}

for (const packed of [false, true])
  test(`a killed recording is read to its last line, ${packed ? 'zstd' : 'plain'}`, async () => {
    const lines = (await openLines()).map((one) => `${one}\n`)
    const parts = lines.map((one) => (packed ? zstdCompressSync(one) : Buffer.from(one)))
    const whole = Buffer.concat(parts)
    const ends = parts.map((_, i) => Buffer.concat(parts.slice(0, i + 1)).length)
    for (let length = ends[0] ?? 0; length <= whole.length; length += 7) {
      writeFileSync(at('killed'), whole.subarray(0, length))
      const found = await readTape(at('killed'))
      const count = ends.filter((end) => end <= length).length - 1
      expect(found.map(({ seq }) => seq)).toEqual(Array.from({ length: count }, (_, i) => i + 1))
      const { header } = await openTape(at('killed'))
      expect([header.open, header.endMs]).toEqual([true, found.at(-1)?.time ?? 1000])
      expect(header.counts).toEqual(Object.fromEntries(found.map(({ kind }) => [kind, 1])))
    }
  })

test('an error before the end of an open recording is refused', async () => {
  const [open] = await openLines()
  writeFileSync(at('open'), `${open}\n{"time\n{"time":1}\n`)
  expect(await userErrorOf(() => openTape(at('open')))).toContain('line 2 is not JSON')
  const packed = zstdCompressSync(`${open}\n`.repeat(9))
  const damaged = Buffer.concat([packed, packed])
  damaged.fill(0xa5, packed.length + 12, packed.length + 30)
  writeFileSync(at('open.zst'), damaged)
  expect(await userErrorOf(() => openTape(at('open.zst')))).toMatch(/is damaged|line \d+ /)
})
