/**
 * Importing recordings, every record checked, put in order and a tape written, against a loop that
 * only unpacks them and parses each line: the same bytes of frames; of a table, which is no JSON,
 * the lines of the tape that it becomes. The loop holds the whole text in memory, and an import
 * does not. The recordings are made of the default tape's market.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TapeEvent } from '../src/tape/tape-event.ts'
import { importTape } from '../src/tape/tape-import.ts'
import { openTape } from '../src/tape/tape-reader.ts'
import { inTurn } from './measure/in-turn.ts'
import { row } from './measure/result-row.ts'

const TAPE = path.join(import.meta.dir, '..', 'recordings', 'default.tape.ndjson.zst')
const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-import-'))

interface Recording {
  name: string
  file: string
  lines: string[]
}

/** So often over: what is done once for a file should not be what is measured. */
const LAPS = 12

/** Books and trades of the default tape, as the venue's frames and as a table of trades. */
async function recordings(): Promise<Recording[]> {
  const { header, events } = await openTape(TAPE)
  const told: TapeEvent[] = []
  for await (const batch of events(['book', 'trade'])) told.push(...batch)
  const frames: string[] = []
  const trades = ['exchange,symbol,timestamp,local_timestamp,id,side,price,amount']
  for (let lap = 0; lap < LAPS; lap++)
    for (const event of told) {
      const time = event.time + lap * (header.endMs - header.startMs)
      const tid = lap * 10_000_000 + event.seq
      if (event.kind === 'book') frames.push(bookFrame(event, time))
      if (event.kind !== 'trade') continue
      const { coin, data } = event
      const trade = { ...data, coin, time, tid }
      frames.push(`${time}000000 ${JSON.stringify({ channel: 'trades', data: [trade] })}`)
      const side = data.side === 'B' ? 'buy' : 'sell'
      trades.push(
        [`some-futures,${coin},${time}000,${time}000`, tid, side, data.px, data.sz].join(','),
      )
    }
  return [
    { name: 'socket frames', file: path.join(folder, 'frames.zst'), lines: frames },
    { name: 'a table of trades', file: path.join(folder, 'trades.csv.zst'), lines: trades },
  ]
}

function bookFrame({ coin, data }: TapeEvent & { kind: 'book' }, time: number): string {
  const levels = [data.bids, data.asks].map((side) =>
    side.slice(0, 20).map(([px, sz, n]) => ({ px, sz, n })),
  )
  return `${time}000000 ${JSON.stringify({ channel: 'l2Book', data: { coin, time, levels } })}`
}

/** Unpacks a recording and parses its lines; of a table the lines of the tape that it becomes. */
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

try {
  for (const { name, file, lines } of await recordings()) {
    await Bun.write(file, Bun.zstdCompressSync(Buffer.from(`${lines.join('\n')}\n`)))
    const out = path.join(folder, 'out.tape.ndjson.zst')
    const { header, lines: read } = await importTape([file], out)
    const parsed = file.endsWith('.csv.zst') ? out : file
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
    row({ name: `${name}, ${events} events`, value, baseline, unit: 'records/s' })
  }
} finally {
  rmSync(folder, { recursive: true })
}
