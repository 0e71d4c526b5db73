import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { openTape } from '../../src/tape/tape-reader.ts'
import { UserError } from '../../src/user-error.ts'
import { door, invariant } from '../door.ts'
import { type ByteEdit, byteEdits, edited } from '../mutations.ts'

const FOLDER = path.join(import.meta.dir, '..', '..', 'recordings')
/** Enough for an event of every kind that a synthesised tape has; a whole tape would be slow. */
const LINES = 400

interface Script {
  /** Changed before it is compressed, or after. */
  form: 'plain' | 'zstd' | 'broken zstd'
  edits: ByteEdit[]
}

/** Tapes that were changed at random: read to their end, or refused with the file's name. */
export const tapeDoor = door<Script>({
  name: 'tapes',
  about: 'tapes, plain and compressed',
  perSecond: 150,
  async open() {
    const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-fuzz-'))
    const file = path.join(folder, 'fuzzed.tape.ndjson')
    const good = await shortened()
    return {
      scripts: fc.record({
        form: fc.constantFrom('plain', 'plain', 'zstd', 'broken zstd'),
        edits: byteEdits,
      }),
      async check({ form, edits }) {
        const bytes = form === 'broken zstd' ? good : edited(good, edits)
        const packed = form === 'plain' ? bytes : Bun.zstdCompressSync(bytes)
        await Bun.write(file, form === 'broken zstd' ? edited(packed, edits) : packed)
        try {
          const tape = await openTape(file)
          for await (const _ of tape.events());
        } catch (error) {
          if (!(error instanceof UserError)) throw error
          invariant(error.message.includes('fuzzed'), () => `no file: ${error.message}`)
        }
      },
      close: () => rmSync(folder, { recursive: true }),
    }
  },
})

/** The first lines of the default recording, with a header that tells the truth of them. */
async function shortened(): Promise<Buffer> {
  const packed = await Bun.file(path.join(FOLDER, 'default.tape.ndjson.zst')).bytes()
  const text = new TextDecoder().decode(Bun.zstdDecompressSync(packed))
  const [first = '', ...lines] = text.split('\n').slice(0, LINES)
  const events = lines.map((line) => JSON.parse(line) as { kind: string; time: number })
  const counts: Record<string, number> = {}
  for (const { kind } of events) counts[kind] = (counts[kind] ?? 0) + 1
  const header = { ...JSON.parse(first), counts, endMs: events.at(-1)?.time }
  return Buffer.from(`${[JSON.stringify(header), ...lines].join('\n')}\n`)
}
