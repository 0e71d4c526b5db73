import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { UserError } from '../../../src/platform/user-error.ts'
import { openTape } from '../../../src/tape/tape-reader.ts'
import { fuzzTarget, invariant } from '../fuzz-target.ts'
import {
  type ByteEdit,
  byteEdits,
  changed,
  edited,
  type ValueEdit,
  valueEdits,
} from '../mutations.ts'

const FOLDER = path.join(import.meta.dir, '..', '..', '..', 'recordings')
/** Enough for an event of every kind in a synthesised tape; a whole tape would be slow. */
const LINES = 400

interface Script {
  /** Mutated before compression, or after. */
  form: 'plain' | 'zstd' | 'broken zstd'
  edits: ByteEdit[]
  /** Lines, by number, whose JSON is edited and stays JSON. */
  lines: { line: number; edits: ValueEdit[] }[]
}

/** Randomly mutated tapes: read to their end, or refused with the file's name. */
export const tapeTarget = fuzzTarget<Script>({
  name: 'tapes',
  about: 'tapes, plain and compressed',
  perSecond: 40,
  async open() {
    const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-fuzz-'))
    const file = path.join(folder, 'fuzzed.tape.ndjson')
    const good = await shortened()
    return {
      scripts: fc.record({
        form: fc.constantFrom('plain', 'plain', 'zstd', 'broken zstd'),
        edits: fc.oneof(fc.constant<ByteEdit[]>([]), byteEdits),
        lines: fc.array(fc.record({ line: fc.nat({ max: LINES - 2 }), edits: valueEdits }), {
          maxLength: 2,
        }),
      }),
      async check({ form, edits, lines }) {
        const relined = withLines(good, lines)
        const bytes = form === 'broken zstd' ? relined : edited(relined, edits)
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

function withLines(good: Buffer, changes: Script['lines']): Buffer {
  if (changes.length === 0) return good
  const lines = good.toString().split('\n')
  for (const { line, edits } of changes)
    lines[line] = JSON.stringify(changed(JSON.parse(lines[line] ?? 'null'), edits))
  return Buffer.from(lines.join('\n'))
}

/** The first lines of the default recording, with a matching header. */
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
