/** Writes the page, its pictures, and the measurements of real data. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { RECORDINGS_FOLDER } from '../../src/platform/environment.ts'
import { worldProvider } from '../../src/sandbox/world-provider.ts'
import { type Column, columnOf } from './column.ts'
import { NOTHING, type Observations } from './observations.ts'
import { type Picture, pageOf } from './page.ts'
import { derivativesPlot } from './plots/derivatives-plot.ts'
import { marketPlot } from './plots/market-plot.ts'
import { observationsOf } from './readings/world-observations.ts'
import { recordedFunding, recordedTape } from './recordings.ts'

export interface RealismRequest {
  /** Tape and seeds of our worlds. */
  tape: string
  seeds: readonly number[]
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

/** Writes `realism.md` and the folder `realism`. The same worlds give the same bytes. */
export async function writeRealism(request: RealismRequest): Promise<void> {
  const worlds: Column[] = []
  const pictures: Picture[] = []
  for (const seed of request.seeds) {
    const seen = await seenOf(request, request.tape, seed)
    worlds.push(columnOf(`seed ${seed}`, seen))
    pictures.push(...(await drawn(request, `seed-${seed}`, `the world of seed ${seed}`, seen)))
  }
  const { tapes, out } = request
  const recorded = tapes === null ? await keptOf(out) : await measured(request, tapes)
  if (recorded) pictures.push(...picturesOf('recording', 'the world of a real recording'))
  const page = pageOf({
    worlds,
    recordedWorld: recorded?.world ?? null,
    recorded: recorded?.data ?? null,
    pictures,
  })
  await Bun.write(path.join(out, 'realism.md'), page)
}

async function seenOf(
  { cacheDir, log }: RealismRequest,
  tape: string,
  seed: number,
): Promise<Observations> {
  const provide = worldProvider({ tape, seed, recordings: RECORDINGS_FOLDER, cacheDir, log })
  return observationsOf(await provide({}))
}

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

async function keptOf(out: string): Promise<Recorded | null> {
  const file = path.join(out, RECORDED)
  return existsSync(file) ? ((await Bun.file(file).json()) as Recorded) : null
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
