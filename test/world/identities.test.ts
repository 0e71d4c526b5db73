/** Every identity of docs/world.md, over whole worlds of four tapes. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import path from 'node:path'
import type { World } from '../../src/market/world/world.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { IDENTITIES } from '../fixtures/accounting-identities.ts'
import { handWrittenWorld } from '../fixtures/cast-world.ts'
import { recordingInForm } from '../fixtures/made-recordings.ts'
import { belowMaintenance, oddLiquidations } from '../fixtures/margin-checks.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { worldOfTape } from '../fixtures/small-world.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const HOUR_MS = 3_600_000
const opened: World[] = []
afterAll(() => {
  for (const world of opened) world.close()
})

function identities(name: string, make: () => Promise<World>): void {
  describe(name, () => {
    let world: World
    beforeAll(async () => {
      world = await make()
      opened.push(world)
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

identities('a tape written by hand', () => handWrittenWorld())
identities('the default recording', () => worldOfTape(DEFAULT))
for (const form of ['venue-native', 'usdm'] as const) {
  const { about, file } = recordingInForm(form)
  identities(about, async () => {
    const out = at(`${form}.tape.ndjson`)
    await importTape([await file(path.dirname(out))], out)
    return worldOfTape(out)
  })
}

test('the default recording liquidates eighteen, each of them a trader of the cast', async () => {
  const world = await worldOfTape(DEFAULT)
  opened.push(world)
  const roles = world.db
    .query<{ role: string }, [number]>(
      `select t.role from liquidation l left join trader t on t.id = l.trader
       where l.timeMs >= ?`,
    )
    .all(world.startMs)
  expect(roles).toHaveLength(18)
  expect(roles.every(({ role }) => role === 'liquidated')).toBe(true)
})
