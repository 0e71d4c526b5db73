/**
 * Costs of a tape by length: casting, against decompressing and parsing its lines bare; opening,
 * playing and seeking.
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { worldProvider } from '../../src/sandbox/world-provider.ts'
import { synthesise, synthInstruments } from '../../src/tape/synth/synthesis.ts'
import { createTape } from '../../src/tape/tape-writer.ts'
import { row } from './result-row.ts'
import type { TapeCosts } from './tape-probe.ts'

/** Of a synthesised tape. */
const EVENTS_PER_MINUTE = 2_340
const PROBE = path.join(import.meta.dir, 'tape-probe.ts')

/** Prints the rows of tapes of these lengths, in sequence. */
export async function measureTapes(lengths: readonly number[]): Promise<void> {
  for (const length of lengths) {
    const folder = await mkdtemp(path.join(tmpdir(), 'tapewright-long-'))
    try {
      await measure(folder, length)
    } finally {
      await rm(folder, { recursive: true })
    }
  }
}

async function measure(folder: string, length: number): Promise<void> {
  const { file, events } = await tapeOf(folder, length)
  const cacheDir = path.join(folder, `worlds-${length}`)
  const castMs = await cast(file, cacheDir)
  const parsedMs = await parse(file)
  const costs = await probe(file, cacheDir)
  const name = `${events.toLocaleString('en-US')} events`
  const perSecond = (count: number, ms: number) => (count / ms) * 1_000
  row({
    name: `${name}: cast, with thirty days before it, against parsing`,
    value: perSecond(events, castMs),
    baseline: perSecond(events, parsedMs),
    unit: 'events/s',
  })
  row({ name: `${name}: its world`, value: await worldMb(cacheDir), unit: 'MB' })
  row({ name: `${name}: to open it`, value: costs.openMs, unit: 'ms' })
  row({
    name: `${name}: played to one subscriber of 9 streams`,
    value: perSecond(costs.frames, costs.playedMs),
    unit: 'frames/s',
  })
  row({
    name: `${name}: memory when it is played, against after 10,000`,
    value: costs.lastMb,
    baseline: costs.earlyMb,
    unit: 'MB',
  })
  row({ name: `${name}: memory before it is played`, value: costs.firstMb, unit: 'MB' })
  row({ name: `${name}: most memory with garbage`, value: costs.mostMb, unit: 'MB' })
  row({ name: `${name}: pages of its file`, value: costs.fileMb, unit: 'MB' })
  row({ name: `${name}: a seek with 9 streams, median`, value: costs.seekMs, unit: 'ms' })
  row({
    name: `${name}: a seek with 9 streams, slowest of 200`,
    value: costs.seekMostMs,
    unit: 'ms',
  })
  row({ name: `${name}: the longest a seek holds the thread`, value: costs.seekHeldMs, unit: 'ms' })
}

async function tapeOf(folder: string, length: number): Promise<{ file: string; events: number }> {
  const file = path.join(folder, `${length}.tape.ndjson.zst`)
  const tape = await createTape(file, { source: `${length}`, instruments: synthInstruments() })
  const minutes = Math.max(1, Math.round(length / EVENTS_PER_MINUTE))
  for (const draft of synthesise({ seed: 5, minutes })) await tape.write(draft)
  const { counts } = await tape.finish()
  return { file, events: Object.values(counts).reduce((sum, one) => sum + one, 0) }
}

/** In a process, as on a first start. */
async function cast(tape: string, cacheDir: string): Promise<number> {
  const startMs = performance.now()
  await worldProvider({ tape, seed: 1, recordings: '.', cacheDir, log: () => {} })({})
  return performance.now() - startMs
}

async function parse(tape: string): Promise<number> {
  const startMs = performance.now()
  const lines = Bun.file(tape).stream().pipeThrough(new DecompressionStream('zstd'))
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of lines) {
    const whole = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n')
    rest = whole.pop() ?? ''
    for (const line of whole) JSON.parse(line)
  }
  return performance.now() - startMs
}

async function probe(tape: string, cacheDir: string): Promise<TapeCosts> {
  const child = Bun.spawn(['bun', PROBE, tape, cacheDir], { stdout: 'pipe', stderr: 'inherit' })
  return JSON.parse(await new Response(child.stdout).text()) as TapeCosts
}

async function worldMb(cacheDir: string): Promise<number> {
  const files = (await readdir(cacheDir)).filter((name) => name.endsWith('.sqlite'))
  const sizes = await Promise.all(
    files.map(async (name) => (await stat(path.join(cacheDir, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6
}
