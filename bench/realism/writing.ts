/** Writes the page, its pictures, and the measurements of real data. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TapeMs } from '../../src/clock/instant.ts'
import { runToEnd } from '../../src/clock/turns.ts'
import { DEFAULT_ANSWERS } from '../../src/contract/questions.ts'
import type { MoodName } from '../../src/market/synth/mood.ts'
import { RECORDINGS_FOLDER } from '../../src/platform/environment.ts'
import type { LoadedWorld } from '../../src/sandbox/loaded-world.ts'
import { worldProvider } from '../../src/sandbox/world-provider.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { DAY_MS } from './bars.ts'
import { type Column, columnOf } from './column.ts'
import { comparisonsOf, moodFlaws, spansOfWorld, type WorldSpans } from './continuity.ts'
import { CRASH_FIGURES, courseOfCrash, FALL, FALL_FIGURES, publishedCrash } from './crash.ts'
import { LEADER } from './figures/candle-figures.ts'
import { NOTHING, type Observations } from './observations.ts'
import { type Picture, pageOf } from './page.ts'
import { bookPlot } from './plots/book-plot.ts'
import { crashPlot } from './plots/crash-plot.ts'
import { derivativesPlot } from './plots/derivatives-plot.ts'
import { continuedPlot, marketPlot } from './plots/market-plot.ts'
import { minutesOf } from './readings/candles.ts'
import { ownPairOf } from './readings/pairs.ts'
import { observationsOf } from './readings/world-observations.ts'
import { largestRecordings, recordedFunding, recordedTape } from './recordings.ts'

export interface RealismRequest {
  /** Tape and seeds of our worlds. */
  tape: string
  seeds: readonly number[]
  /** Length of the spans before and after the tape, days; 0 leaves the comparison as it was. */
  days: number
  /** Seeds of the compared worlds; the moods are those of the first. */
  compared: readonly number[]
  moods: readonly MoodName[]
  /** Whether crashes are played; otherwise what was seen of them last is kept. */
  crashes: boolean
  /** Folder of real recordings; without it earlier measurements are kept. */
  tapes: string | null
  /** Folder of `realism.md`. */
  out: string
  cacheDir: string
  log: (text: string) => void
}

/** Measurements of real data, kept beside the page: `realism/recorded.json`. */
interface Recorded {
  world: Column
  data: Column
}

const PLOTS = 'realism'
const RECORDED = path.join(PLOTS, 'recorded.json')
const SPANS = path.join(PLOTS, 'spans.json')
const CRASH = path.join(PLOTS, 'crash.json')

/** Measured spans, kept beside the page. */
interface Spans {
  days: number
  worlds: WorldSpans[]
}

/**
 * Writes `realism.md` and the folder `realism`. The same worlds give the same bytes. The result is
 * what does not hold after a tape as it did before.
 */
export async function writeRealism(request: RealismRequest): Promise<string[]> {
  const worlds: Column[] = []
  const pictures: Picture[] = []
  for (const seed of request.seeds) {
    const seen = await seenOf(request, request.tape, seed)
    worlds.push(columnOf(`seed ${seed}`, seen))
    pictures.push(...(await drawn(request, `seed-${seed}`, `the world of seed ${seed}`, seen)))
  }
  const { tapes, out } = request
  const recorded =
    tapes === null ? await keptOf<Recorded>(out, RECORDED) : await measured(request, tapes)
  if (recorded) pictures.push(...picturesOf('recording', 'the world of a real recording'))
  const crash = request.crashes ? await playedCrash(request) : await keptOf<CrashValues>(out, CRASH)
  const spans = request.days > 0 ? await measuredSpans(request) : await keptOf<Spans>(out, SPANS)
  const page = pageOf({
    worlds,
    recordedWorld: recorded?.world ?? null,
    recorded: recorded?.data ?? null,
    pictures: [...LOOKS.filter(({ file }) => existsSync(path.join(out, file))), ...pictures],
    spans,
    crash,
  })
  await Bun.write(path.join(out, 'realism.md'), page)
  return request.days > 0 && spans ? flawsOf(spans.worlds) : []
}

async function seenOf(
  { cacheDir, log }: Pick<RealismRequest, 'cacheDir' | 'log'>,
  tape: string,
  seed: number,
): Promise<Observations> {
  return observationsOf(await providerOf({ cacheDir, log }, tape, seed)({}))
}

const providerOf = (
  { cacheDir, log }: Pick<RealismRequest, 'cacheDir' | 'log'>,
  tape: string,
  seed: number,
) => worldProvider({ tape, seed, recordings: RECORDINGS_FOLDER, cacheDir, log })

async function measured(request: RealismRequest, tapes: string): Promise<Recorded> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-'))
  try {
    const tape = path.join(folder, 'recorded.tape.ndjson.zst')
    await recordedTape(tapes, tape)
    const seen = await seenOf(request, tape, 1)
    await drawn(request, 'recording', 'the world of a real recording', seen)
    const recorded = {
      world: columnOf('real tape, seed 1', seen),
      data: columnOf('real data', await realData(tapes, seen)),
    }
    const text = `${JSON.stringify(recorded, null, 2)}\n`
    await Bun.write(path.join(request.out, RECORDED), text)
    return recorded
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Trades and books of a tape are served unchanged, so they are read there. */
async function realData(tapes: string, world: Observations): Promise<Observations> {
  const { startMs, endMs, prints, tops, near } = world
  const funding = new Map([['BTC', await recordedFunding(tapes)]])
  return { ...NOTHING, startMs, endMs, prints, tops, near, funding }
}

async function keptOf<T>(out: string, name: string): Promise<T | null> {
  const file = path.join(out, name)
  return existsSync(file) ? ((await Bun.file(file).json()) as T) : null
}

/** Grows each compared market, one after the other, and keeps what was measured. */
async function measuredSpans(request: RealismRequest): Promise<Spans> {
  const { compared, moods, days, out, log } = request
  const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-'))
  try {
    const of = { tape: request.tape, recording: null, mood: null }
    const all = [
      ...compared.map((seed) => ({ ...of, seed, name: `seed ${seed}` })),
      ...moods.map((mood) => ({ ...of, seed: compared[0] ?? 1, mood, name: mood })),
      ...(await recordedWorlds(request, folder)),
    ]
    const worlds: WorldSpans[] = []
    for (const { tape, seed, ...one } of all) {
      log(`growing ${one.name} by ${days} days`)
      const world = await providerOf(request, tape, seed)(one.mood ? { mood: one.mood } : {})
      worlds.push(await spansOfWorld(one, world, days))
      if (worlds.length === 1) await drawContinued(out, world, days)
      // What was measured remains where the rest is not waited for.
      await Bun.write(path.join(out, SPANS), `${JSON.stringify({ days, worlds }, null, 2)}\n`)
    }
    return { days, worlds }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What was seen of the published crash, by the title of the figure. */
export type CrashValues = Record<string, number | null>

/** The pictures of a whole: before and after, a fall, a book. */
const LOOKS = [
  { file: `${PLOTS}/continued.svg`, about: 'Thirty days, the tape, and the days after it, seed 1' },
  { file: `${PLOTS}/fall.svg`, about: 'A fall of 15 % within 15 minutes on all exchanges, seed 1' },
  { file: `${PLOTS}/book.svg`, about: 'The book of BTC with its orders, seed 1' },
] as const satisfies Picture[]

async function drawContinued(out: string, world: LoadedWorld, days: number): Promise<void> {
  const { startMs, tapeEndMs: endMs } = world.timeline
  const facts = factsAt(world, endMs + days * DAY_MS)
  const minutes = minutesOf(facts, LEADER, startMs - 30 * DAY_MS)
  const [{ file, about }] = LOOKS
  await Bun.write(path.join(out, file), continuedPlot(about, minutes, { startMs, endMs }))
}

/** Plays the published crash and the fall after the tape of the first world, and draws. */
async function playedCrash(request: RealismRequest): Promise<CrashValues> {
  const { out, seeds, log } = request
  const world = await providerOf(request, request.tape, seeds[0] ?? 1)({})
  const [, fall, book] = LOOKS
  const facts = factsAt(world, world.timeline.tapeEndMs)
  const depth = facts.futures.fullDepth(ownPairOf(facts, LEADER))
  const all = { coin: LEADER, minUsd: '0', limit: Number.MAX_SAFE_INTEGER }
  const orders = runToEnd(facts.orders.largestOpen(all))
  if (depth) await Bun.write(path.join(out, book.file), bookPlot(book.about, depth, orders))
  log('playing a fall of 15 %')
  const fallen = await courseOfCrash(world, FALL)
  await Bun.write(path.join(out, fall.file), crashPlot(fall.about, fallen))
  log('playing the published crash')
  const course = await courseOfCrash(world, await publishedCrash())
  const values = Object.fromEntries([
    ...CRASH_FIGURES.map(({ title, of }) => [title, Number(of(course).toPrecision(3))]),
    ...FALL_FIGURES.map(({ title, of }) => [title, Number(of(fallen).toPrecision(3))]),
  ])
  await Bun.write(path.join(out, CRASH), `${JSON.stringify(values, null, 2)}\n`)
  return values
}

const factsAt = (world: LoadedWorld, atMs: number) =>
  world.facts({ atMs: atMs as TapeMs, shiftMs: 0, answers: DEFAULT_ANSWERS })

/** Tapes of the largest recordings, which are compared as well. */
async function recordedWorlds({ tapes }: RealismRequest, folder: string) {
  if (tapes === null) return []
  const recordings = await largestRecordings(tapes, COMPARED_RECORDINGS)
  return Promise.all(
    recordings.map(async (file, at) => {
      const tape = path.join(folder, `${at}.tape.ndjson.zst`)
      await importTape([file], tape)
      const name = path.basename(file)
      return { tape, seed: 1, recording: name, mood: null, name }
    }),
  )
}

const COMPARED_RECORDINGS = 2

function flawsOf(worlds: readonly WorldSpans[]): string[] {
  const differing = comparisonsOf(worlds).filter(({ holds }) => !holds)
  const texts = differing.map(
    ({ recording, coin, figure, future, allowed: { min, max } }) =>
      `${recording === null ? '' : `${recording}: `}${coin}, ${figure.title}: ` +
      `${future?.join(' / ')} after the tape, ${min} to ${max} before it and in real months`,
  )
  return [...texts, ...moodFlaws(worlds)]
}

async function drawn(
  { out }: RealismRequest,
  name: string,
  about: string,
  seen: Observations,
): Promise<Picture[]> {
  const [market, positions] = picturesOf(name, about) as [Picture, Picture]
  await Bun.write(path.join(out, market.file), marketPlot(market.about, seen))
  await Bun.write(path.join(out, positions.file), derivativesPlot(positions.about, seen))
  return [market, positions]
}

function picturesOf(name: string, about: string): Picture[] {
  return [
    { file: `${PLOTS}/${name}-market.svg`, about: `Candles and turnover, ${about}` },
    {
      file: `${PLOTS}/${name}-positions.svg`,
      about: `Funding, open interest, liquidations and accounts, ${about}`,
    },
  ]
}
