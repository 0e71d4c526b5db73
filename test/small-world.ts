/** A few minutes of the default recording, cast: a world that is small but has everything in it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { tapeMs } from '../src/clock/instant.ts'
import { CHOSEN } from '../src/contract/questions.ts'
import { cut } from '../src/tape/cut.ts'
import { digestOf } from '../src/tape/digest.ts'
import { openTape } from '../src/tape/reader.ts'
import { factsOf } from '../src/world/facts.ts'
import { openWorld } from '../src/world/store.ts'
import type { World } from '../src/world/world.ts'

const HOME = path.join(import.meta.dir, '..')
const RECORDING = path.join(HOME, 'recordings', 'default.tape.ndjson.zst')
/** They hold the cascade of liquidations. */
const MINUTES = { from: 12, to: 15 }
const COINS = ['BTC', 'SOL', 'xyz:TSLA', 'PURR/USDC']

/** The world of four coins: two perpetuals, one of a builder dex, one spot pair. */
export async function smallWorld(): Promise<World> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-'))
  try {
    const file = path.join(folder, 'small.tape.ndjson')
    const { header } = await openTape(RECORDING)
    const fromMs = header.startMs + MINUTES.from * 60_000
    const toMs = header.startMs + MINUTES.to * 60_000
    await cut(RECORDING, file, { fromMs, toMs, coins: COINS })
    return await worldOfTape(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The world of a tape file. */
export async function worldOfTape(file: string): Promise<World> {
  const tape = { ...(await openTape(file)), digest: await digestOf(file) }
  const cacheDir = path.join(HOME, '.cache', 'worlds')
  return await openWorld({ tape, seed: '1', cacheDir, say: () => {} })
}

/** What is true in a world at a tape time. */
export const factsAt = (world: World, atMs: number, shiftMs = 0) =>
  factsOf(world)({ atMs: tapeMs(atMs), shiftMs, answers: CHOSEN })

type Person = { id: number; address: string }

/** The three busiest traders of each role. */
export const busiest = (world: World) =>
  world.db
    .query<Person, []>(
      `select id, address from (select t.id, t.address,
         row_number() over (partition by t.role order by count(*) desc, t.id) place
       from trader t join fill f on f.trader = t.id group by t.id) where place <= 3`,
    )
    .all()
