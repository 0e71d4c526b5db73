/** Open interest where a tape without reports of it ends: the market goes on from what all held. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { raw, ZERO } from '../../src/decimal/quantity.ts'
import type { TapeInput } from '../../src/market/casting/tape-input.ts'
import { openInterestAt } from '../../src/market/rows/open-interest.ts'
import { openCast } from '../fixtures/cast-world.ts'
import { growTo, lineOf } from '../fixtures/grown-world.ts'
import { handWrittenTape } from '../fixtures/hand-written-tape.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

const CACHE = path.join(PROJECT_FOLDER, '.cache', 'worlds')

function tapeWithoutReports(): TapeInput {
  const tape = handWrittenTape()
  return {
    ...tape,
    digest: `${tape.digest}unreported`,
    async *events() {
      for await (const batch of tape.events()) yield batch.filter(({ kind }) => kind !== 'interest')
    },
  }
}

test('open interest does not drop where the tape ends', async () => {
  const world = await openCast(tapeWithoutReports(), CACHE)
  const file = path.join(tmpdir(), `unreported-${process.pid}.sqlite`)
  growTo(lineOf(world, file), 2)
  const line = new Database(file, { readonly: true, strict: true })
  const perps = world.instruments.filter(({ kind }) => kind === 'perp')
  expect(perps.length).toBeGreaterThan(0)
  for (const row of perps) {
    const before = raw(openInterestAt(world, row, world.endMs) ?? ZERO)
    if (row.firstPx === null) continue
    const after = line
      .query<{ reported: number }, [number]>(
        'select reported from interest where instrument = ? order by timeMs limit 1',
      )
      .get(row.id)
    expect((after?.reported ?? 0) / before, row.coin).toBeWithin(0.98, 1.02)
  }
  line.close()
  world.close()
  for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true })
})
