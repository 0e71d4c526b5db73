/**
 * Benchmark of reading the default tape with all checks, against decompressing and parsing it bare.
 */
import path from 'node:path'
import { openTape } from '../src/tape/tape-reader.ts'
import { medianMs, row } from './measure/result-row.ts'

const TAPE = path.join(import.meta.dir, '..', 'recordings', 'default.tape.ndjson.zst')

async function read(): Promise<number> {
  const tape = await openTape(TAPE)
  let count = 0
  for await (const batch of tape.events()) count += batch.length
  return count
}

async function bare(): Promise<number> {
  const bytes = Bun.zstdDecompressSync(await Bun.file(TAPE).bytes())
  let count = -1
  for (const line of new TextDecoder().decode(bytes).split('\n')) {
    if (line === '') continue
    JSON.parse(line)
    count += 1
  }
  return count
}

const events = await read()
if (events !== (await bare())) throw new Error('the two ways to read do not agree')
const perSecond = (tookMs: number) => (events / tookMs) * 1000
const value = perSecond(await medianMs(read))
const baseline = perSecond(await medianMs(bare))
row({ name: `the default tape, ${events} events`, value, baseline, unit: 'events/s' })
