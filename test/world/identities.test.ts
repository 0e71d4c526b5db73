/** Every identity of docs/world.md, over whole worlds of four tapes. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import path from 'node:path'
import { castWorld } from '../../src/market/casting/cast-world.ts'
import type { TapeInput } from '../../src/market/casting/tape-input.ts'
import { RowWriter } from '../../src/market/casting/writing/row-writer.ts'
import { LAYOUT } from '../../src/market/schema/statements.ts'
import { memoryDatabase } from '../../src/market/world/memory-database.ts'
import { type World, worldOf } from '../../src/market/world/world.ts'
import { fileDigest } from '../../src/tape/file-digest.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { openTape } from '../../src/tape/tape-reader.ts'
import { IDENTITIES } from '../fixtures/accounting-identities.ts'
import { openCast } from '../fixtures/cast-world.ts'
import { handWrittenTape } from '../fixtures/hand-written-tape.ts'
import { madeRecording } from '../fixtures/made-recordings.ts'
import { belowMaintenance, oddLiquidations } from '../fixtures/margin-checks.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { sharedTape } from '../fixtures/shared-tapes.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const HOUR_MS = 3_600_000
const opened: World[] = []
afterAll(() => {
  for (const world of opened) world.close()
})

async function worldOfTape(file: string): Promise<World> {
  const [tape, digest] = await Promise.all([openTape(file), fileDigest(file)])
  const cacheDir = at('worlds')
  const world = await openCast({ ...tape, digest }, cacheDir)
  opened.push(world)
  return world
}

async function worldOfHand(tape: TapeInput = handWrittenTape(), seed = '1'): Promise<World> {
  const db = new Database(':memory:')
  await castWorld(tape, seed, new RowWriter(db, LAYOUT))
  const world = worldOf(db, memoryDatabase)
  opened.push(world)
  return world
}

async function imported(name: string): Promise<World> {
  const out = at(`${path.basename(name)}.tape.ndjson`)
  await importTape([sharedTape(name).path], out)
  return worldOfTape(out)
}

function identities(name: string, make: () => Promise<World>, absent = false): void {
  describe.skipIf(absent)(name, () => {
    let world: World
    beforeAll(async () => {
      world = await make()
    })
    test('it is cast', () => expect(world.meta.counts.trade).toBeGreaterThan(5000))
    for (const [identity, check] of Object.entries(IDENTITIES))
      test(identity, () => expect(check(world).slice(0, 5)).toEqual([]))
    test('no account is below its maintenance margin but those that the tape liquidates', () => {
      const { meta, startMs, endMs } = world
      const times: number[] = []
      for (let ms = meta.historyStartMs + 2 * HOUR_MS; ms < startMs; ms += 24 * HOUR_MS)
        times.push(ms)
      for (let part = 0; part <= 8; part++)
        times.push(Math.floor(startMs + ((endMs - startMs) * part) / 8))
      expect(times.flatMap((ms) => belowMaintenance(world, ms))).toEqual([])
    })
    test('those that the tape liquidates were exactly at it', () =>
      expect(oddLiquidations(world)).toEqual([]))
  })
}

const DEFAULT = path.join(PROJECT_FOLDER, 'recordings', 'default.tape.ndjson.zst')
const NATIVE = 'venue-native/btcusd_20250126.gz'
const USDM = 'usdm/usdm_btcusdt_20240808.gz'

identities('a tape written by hand', () => worldOfHand())
identities('the default recording', () => worldOfTape(DEFAULT))
for (const form of ['venue-native', 'usdm'] as const)
  identities(`a made recording in the form of ${form}`, async () => {
    const out = at(`made-${form}.tape.ndjson`)
    await importTape([await madeRecording(form, path.dirname(out))], out)
    return worldOfTape(out)
  })
for (const name of [NATIVE, USDM]) {
  const { absent, reason } = sharedTape(name)
  identities(`the real recording ${name}${reason}`, () => imported(name), absent)
}

test('the default recording liquidates eighteen, each of them a trader of the cast', async () => {
  const world = await worldOfTape(DEFAULT)
  const roles = world.db
    .query<{ role: string }, [number]>(
      `select t.role from liquidation l left join trader t on t.id = l.trader
       where l.timeMs >= ?`,
    )
    .all(world.startMs)
  expect(roles).toHaveLength(18)
  expect(roles.every(({ role }) => role === 'liquidated')).toBe(true)
})
