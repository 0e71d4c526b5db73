/**
 * Benchmark of casting a tape into a world, against reading it and storing each line bare. The
 * history that grows backwards is the same work for any length: two lengths are cast and the
 * difference is counted.
 */
import { Database } from 'bun:sqlite'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileDigest } from '../src/tape/compression.ts'
import { synthesise, synthInstruments } from '../src/tape/synth/synthesis.ts'
import { openTape } from '../src/tape/tape-reader.ts'
import { createTape } from '../src/tape/tape-writer.ts'
import { openCast } from '../test/fixtures/cast-world.ts'
import { row } from './measure/result-row.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'tapewright-casting-'))

async function tapeOf(minutes: number): Promise<string> {
  const file = path.join(folder, `${minutes}.tape.ndjson`)
  const tape = await createTape(file, { source: 'bench', instruments: synthInstruments() })
  for (const draft of synthesise({ seed: 5, minutes })) await tape.write(draft)
  await tape.finish()
  return file
}

let runs = 0

async function cast(file: string): Promise<number> {
  const [tape, digest] = [await openTape(file), await fileDigest(file)]
  const startMs = performance.now()
  const cacheDir = path.join(folder, `worlds-${runs++}`)
  const world = await openCast({ ...tape, digest }, cacheDir)
  world.close()
  return performance.now() - startMs
}

async function store(file: string): Promise<number> {
  const startMs = performance.now()
  const db = new Database(`${file}.sqlite`, { create: true })
  db.exec('pragma journal_mode = off; pragma synchronous = off; begin')
  db.exec('create table event (id integer primary key, time, kind, coin, data)')
  const insert = db.prepare('insert into event values (?, ?, ?, ?, ?)')
  for await (const batch of (await openTape(file)).events())
    for (const { seq, time, kind, coin, data } of batch)
      insert.run(seq, time, kind, coin, JSON.stringify(data))
  db.exec('create index event_time on event (time, id); commit')
  db.close()
  return performance.now() - startMs
}

const peakMb = () => process.resourceUsage().maxRSS / 1024
const [short, long] = [await tapeOf(20), await tapeOf(80)]
const count = async (file: string) =>
  Object.values((await openTape(file)).header.counts).reduce((sum, one) => sum + one, 0)
const more = (await count(long)) - (await count(short))
const shortRuns = [await cast(short), await cast(short), await cast(short)]
const peakShort = peakMb()
const longRuns = [await cast(long), await cast(long), await cast(long)]
const peakLong = peakMb()
// Noise only adds time, and a difference would double it.
const [shortMs, longMs] = [Math.min(...shortRuns), Math.min(...longRuns)]
const bareMs = (await store(long)) - (await store(short))
await rm(folder, { recursive: true })

const perSecond = (ms: number) => (more / ms) * 1000
row({
  name: 'casting, beyond the history',
  value: perSecond(longMs - shortMs),
  baseline: perSecond(bareMs),
  unit: 'events/s',
})
row({ name: 'memory of 80 minutes, against 20', value: peakLong, baseline: peakShort, unit: 'MB' })
