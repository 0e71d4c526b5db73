import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { UserError } from '../../../src/platform/user-error.ts'
import type { Mapping } from '../../../src/tape/importers/mapping/mapping.ts'
import { suggestedMapping } from '../../../src/tape/importers/mapping/mapping-suggestion.ts'
import { openRecording } from '../../../src/tape/importers/recording-file.ts'
import { Redaction } from '../../../src/tape/recorder/redaction/redaction.ts'
import { localFile } from '../../../src/tape/sources/source-list.ts'
import type { ImportRequest } from '../../../src/tape/tape-import.ts'
import { importTape } from '../../../src/tape/tape-import.ts'
import { openTape } from '../../../src/tape/tape-reader.ts'
import { archiveSamples, plainSamples } from '../../../test/fixtures/archive-samples.ts'
import { fuzzTarget, invariant } from '../fuzz-target.ts'
import {
  type ByteEdit,
  byteEdits,
  changed,
  edited,
  type ValueEdit,
  valueEdits,
} from '../mutations.ts'

interface Script {
  /** Index of the sample, and whether it is mutated compressed or uncompressed. */
  sample: number
  packed: boolean
  edits: ByteEdit[]
  /** Edits of the JSON in its lines, where it has any. */
  values: ValueEdit[]
  tolerate: number
  resync: boolean
  /** Whether it is read by a mapping with two fields swapped. */
  mapped: boolean
}

const SECRETS = new Redaction({})

const MAPPING: Mapping = {
  records: [
    { kind: 'trade', time: 'timestamp', coinName: 'BTC', px: 'price', sz: 'amount', side: 'side' },
    {
      kind: 'book',
      time: 'timestamp',
      coin: 'symbol',
      bids: { px: 'bids[{n}].price', sz: 'bids[{n}].amount' },
      asks: { px: 'asks[{n}].price', sz: 'asks[{n}].amount' },
    },
  ],
}

/**
 * Randomly mutated recordings of every form: they become a readable tape, or are refused with the
 * file's name, and leave nothing behind.
 */
export const importTarget = fuzzTarget<Script>({
  name: 'imports',
  about: 'recordings of every form, changed before or after they were packed',
  perSecond: 60,
  async open() {
    const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-fuzz-'))
    const [packed, plain] = [archiveSamples(), plainSamples()].map((all) => Object.entries(all))
    return {
      scripts: fc.record({
        sample: fc.nat({ max: 1_000 }),
        packed: fc.boolean(),
        edits: fc.oneof(fc.constant<ByteEdit[]>([]), byteEdits),
        values: fc.oneof(fc.constant<ValueEdit[]>([]), valueEdits),
        tolerate: fc.constantFrom(0, 0, 3, 1_000),
        resync: fc.boolean(),
        mapped: fc.constantFrom(false, false, true),
      }),
      async check({ sample, packed: isPacked, edits, values, tolerate, resync, mapped }) {
        const samples = (isPacked ? packed : plain) ?? []
        const [name, bytes] = samples[sample % samples.length] ?? ['', Buffer.alloc(0)]
        const file = path.join(folder, name)
        await Bun.write(file, edited(isPacked ? bytes : withValues(bytes, values), edits))
        const request: ImportRequest = { tolerate, resync, coin: 'BTC', secrets: SECRETS }
        if (mapped) request.mapping = MAPPING
        const out = path.join(folder, 'out.tape.ndjson')
        try {
          await importTape([file], out, request)
          for await (const _ of (await openTape(out)).events());
          suggestedMapping((await openRecording(localFile(file))).sample)
        } catch (error) {
          if (!(error instanceof UserError)) throw error
          const { message } = error
          invariant(message.includes(folder), () => `no file: ${message}`)
          invariant(!message.includes('\n'), () => `several lines: ${message}`)
          invariant(message.length < 2_000, () => `a long message: ${message}`)
        } finally {
          rmSync(file, { force: true })
          rmSync(out, { force: true })
        }
        const left = readdirSync(folder)
        invariant(left.length === 0, () => `left behind: ${left.join(', ')}`)
      },
      close: () => rmSync(folder, { recursive: true }),
    }
  },
})

/** The text of a sample with the same edit in each of its JSON lines. */
function withValues(bytes: Buffer, edits: readonly ValueEdit[]): Buffer {
  if (edits.length === 0) return bytes
  const lines = bytes
    .toString()
    .split('\n')
    .map((line) => {
      const start = line.search(/[[{]/)
      if (start < 0 || !/[\]}]$/.test(line)) return line
      return (
        line.slice(0, start) +
        JSON.stringify(changed(JSON.parse(line.slice(start)), structuredClone(edits)))
      )
    })
  return Buffer.from(lines.join('\n'))
}
