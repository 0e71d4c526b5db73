/**
 * Benchmark of imports, which check and sort every record and write a tape, against a loop that
 * only decompresses and parses each line. The loop holds the whole text in memory, which an import
 * does not. The recordings are made from the default tape's market.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TapeEvent } from '../../src/tape/tape-event.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { openTape } from '../../src/tape/tape-reader.ts'
import { inTurn } from './in-turn.ts'
import { row } from './result-row.ts'

/** A form of recordings. */
export interface RecordingForm {
  name: string
  /** File name, whose extension selects the compression. */
  file: string
  /** Lines before all others. */
  head: readonly string[]
  /** The line of an event; null for one that the form does not have. */
  line(event: TapeEvent): string | null
  /** True where lines are no JSON: the loop parses those of the resulting tape. */
  parsesTape: boolean
}

const TAPE = path.join(import.meta.dir, '..', '..', 'recordings', 'default.tape.ndjson.zst')
/** Number of repetitions, so that costs per file are negligible. */
const LAPS = 12
const IDS_A_LAP = 10_000_000

/** Prints the row of a form. */
export async function measureImport(form: RecordingForm): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-import-'))
  try {
    const file = path.join(folder, form.file)
    const lines = [...form.head, ...(await linesOf(form))]
    await Bun.write(file, Bun.zstdCompressSync(Buffer.from(`${lines.join('\n')}\n`)))
    const out = path.join(folder, 'out.tape.ndjson.zst')
    const { header, lines: read } = await importTape([file], out)
    const parsed = form.parsesTape ? out : file
    const perSecond = async (task: () => unknown) => {
      const startMs = performance.now()
      await task()
      return (read / (performance.now() - startMs)) * 1000
    }
    const imported = () => perSecond(() => importTape([file], `${out}.second.zst`))
    const parsedBare = () => perSecond(() => bare(parsed))
    await inTurn(2, imported, parsedBare)
    const { value, baseline } = await inTurn(7, imported, parsedBare)
    const events = Object.values(header.counts).reduce((sum, count) => sum + count, 0)
    row({ name: `${form.name}, ${events} events`, value, baseline, unit: 'records/s' })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Books and trades of the default tape, some laps of it. */
async function linesOf({ line }: RecordingForm): Promise<string[]> {
  const { header, events } = await openTape(TAPE)
  const sample: TapeEvent[] = []
  for await (const batch of events(['book', 'trade'])) sample.push(...batch)
  const lapMs = header.endMs - header.startMs
  const lines: string[] = []
  for (let lap = 0; lap < LAPS; lap++)
    for (const event of sample) {
      const seq = lap * IDS_A_LAP + event.seq
      const found = line({ ...event, seq, time: event.time + lap * lapMs })
      if (found !== null) lines.push(found)
    }
  return lines
}

async function bare(file: string): Promise<number> {
  const bytes = Bun.zstdDecompressSync(await Bun.file(file).bytes())
  let count = 0
  for (const line of new TextDecoder().decode(bytes).split('\n')) {
    if (line === '') continue
    JSON.parse(line.slice(line.indexOf('{')))
    count += 1
  }
  return count
}
