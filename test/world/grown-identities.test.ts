/** Every identity of docs/world.md over continued worlds, and no seam where tapes ended. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import path from 'node:path'
import { cutWorld } from '../../src/market/growth/cut/cut-world.ts'
import type { World } from '../../src/market/world/world.ts'
import { openGrown } from '../../src/market/world/world-file.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { IDENTITIES } from '../fixtures/accounting-identities.ts'
import { differingTables, growTo, lineOf } from '../fixtures/grown-world.ts'
import { recordingInForm } from '../fixtures/made-recordings.ts'
import { belowMaintenance } from '../fixtures/margin-checks.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { repeatedNumbers, seamSteps, tradeRates } from '../fixtures/seam-checks.ts'
import { worldOfTape } from '../fixtures/small-world.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const opened: World[] = []
afterAll(() => {
  for (const world of opened) world.close()
})

/** Tables with rows of an instant; the others are derived or timeless. */
const CHECKED = ['trade', 'book', 'bbo', 'mark', 'funding', 'interest', 'fill', 'ledger'] as const
const ENDING = ['orders', 'twap', 'position', 'liquidation'] as const

/**
 * Turnover of one instrument strays more than that of all: its own part over half an hour has a
 * deviation of a quarter to a third, by the regimes of the market; this is thrice that.
 */
const OWN_FACTOR = 2.5

/** @param factor maximum ratio between trades a minute and those of the tape, on average */
function identities(name: string, minutes: number, factor: number, make: () => Promise<World>) {
  describe(name, () => {
    let base: World
    let world: World
    const file = at(`${Bun.hash(name).toString(36)}.sqlite`)
    beforeAll(async () => {
      base = await make()
      growTo(lineOf(base, file), minutes)
      world = openGrown(file, base.endMs)
      opened.push(base, world)
    })
    test('it has continued', () => {
      const { n } = world.db
        .query('select count(*) as n from trade where timeMs > ?')
        .get(world.tapeEndMs) as { n: number }
      expect(n).toBeGreaterThan(20 * minutes)
      expect(world.endMs - base.endMs).toBe(minutes * 60_000)
    })
    for (const [identity, check] of Object.entries(IDENTITIES))
      test(identity, () => expect(check(world).slice(0, 5)).toEqual([]))
    test('no account is below its maintenance margin but those that are being liquidated', () => {
      for (let ms = world.tapeEndMs + 600_000; ms <= world.endMs; ms += 600_000)
        expect(belowMaintenance(world, ms).filter((who) => !isClosing(world, who, ms))).toEqual([])
    })
    test('no number comes twice', () => expect(repeatedNumbers(world)).toEqual([]))
    test('facts known when the tape ended are unchanged', async () => {
      const [before, after] = [at('before.sqlite'), at('after.sqlite')]
      for (const [from, to] of [
        [base.db.filename, before],
        [file, after],
      ] as const) {
        const db = new Database(from, { readonly: true })
        db.query('vacuum into ?').run(to)
        db.close()
        const copy = new Database(to, { strict: true })
        copy.transaction(() => cutWorld(copy, base.endMs))()
        copy.close()
      }
      expect(differingTables(after, before, [...CHECKED, ...ENDING])).toEqual([])
      for (const each of [before, after]) await Bun.file(each).delete()
    })
    test('no price jumps where the tape ends', () => expect(seamSteps(world)).toEqual([]))
    test('trading volume after the tape is that during it', () => {
      const logs = tradeRates(world).map(({ before, after }) => Math.log(after / before))
      const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length
      expect(Math.abs(mean)).toBeLessThan(Math.log(factor))
      expect(Math.max(...logs.map(Math.abs))).toBeLessThan(Math.log(OWN_FACTOR))
    })
  })
}

/** Whether an account has a liquidation within the minute around an instant. */
function isClosing({ db }: World, who: string, atMs: number): boolean {
  const account = Number(who.split(' ')[1])
  const found = db
    .query(
      `select 1 from liquidation where trader = (select trader from account where id = ?)
       and timeMs between ? and ?`,
    )
    .get(account, atMs - 60_000, atMs + 60_000)
  return found !== null
}

const DEFAULT = path.join(PROJECT_FOLDER, 'recordings', 'default.tape.ndjson.zst')
identities('the default recording, an hour on', 62, 1.5, () => worldOfTape(DEFAULT))

// The second one begins in minutes six times as busy as usual; they pass.
for (const form of ['venue-native', 'usdm'] as const) {
  const { about, file } = recordingInForm(form)
  const imported = async () => {
    const out = at(`${form}.tape.ndjson`)
    await importTape([await file(at(''))], out)
    return worldOfTape(out)
  }
  identities(`${about}, an hour on`, 62, OWN_FACTOR, imported)
}
