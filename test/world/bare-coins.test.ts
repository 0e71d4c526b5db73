/** Hundreds of price-only coins in a tape: they cost next to nothing. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DAY_MS } from '../../src/clock/instant.ts'
import { castFile } from '../../src/market/casting/cast-file.ts'
import { surveyTape, WHOLE_MARKETS } from '../../src/market/casting/survey/tape-survey.ts'
import type { TapeInput } from '../../src/market/casting/tape-input.ts'
import type { World } from '../../src/market/world/world.ts'
import { openWorld } from '../../src/market/world/world-file.ts'
import type { TapeEvent } from '../../src/tape/tape-event.ts'
import { factsAt } from '../fixtures/small-world.ts'

const START_MS = Date.UTC(2026, 3, 1, 10)
const BARE = 40
const coins = Array.from({ length: WHOLE_MARKETS + BARE }, (_, at) => `C${at}`)
/** Only the last one is traded. */
const traded = coins.at(-1) ?? ''

const instruments = coins.map((coin) => ({
  coin,
  kind: 'perp' as const,
  dex: '',
  base: coin,
  quote: 'USDC',
  pxDecimals: 2,
  szDecimals: 2,
  maxLeverage: 10,
}))

function tapeOf(): TapeInput {
  const events: TapeEvent[] = coins.map((coin, at) => ({
    time: START_MS,
    seq: at + 1,
    kind: 'mark',
    coin,
    data: { mark: String(10 + at), oracle: String(10 + at) },
  }))
  const data = { side: 'B' as const, px: '69', sz: '1' }
  events.push({ time: START_MS + 1000, seq: 1 + events.length, kind: 'trade', coin: traded, data })
  const header = {
    format: 'tapewright-tape' as const,
    version: 1 as const,
    source: 'prices of a venue',
    instruments,
    startMs: START_MS,
    endMs: START_MS + 1000,
    counts: { mark: coins.length, trade: 1 },
  }
  return {
    digest: 'bare coins',
    header,
    async *events(kinds) {
      yield kinds === undefined ? events : events.filter(({ kind }) => kinds.includes(kind))
    },
  } as TapeInput
}

const folder = mkdtempSync(path.join(tmpdir(), 'bare-coins-'))
let world: World

beforeAll(async () => {
  const tape = tapeOf()
  world = await openWorld({
    tapeDigest: tape.digest,
    seed: 1,
    cacheDir: folder,
    log: () => {},
    source: () => tape.header.source,
    cast: (file) => castFile(tape, '1', file, { historyMs: DAY_MS }),
  })
})

afterAll(() => {
  world.close()
  rmSync(folder, { recursive: true, force: true })
})

test('traded coins come first, then those with prices up to a limit', async () => {
  const { bare } = await surveyTape(tapeOf())
  expect([...bare]).toEqual(coins.slice(WHOLE_MARKETS - 1, -1))
})

test('others have no trades and no traders', () => {
  const bare = new Set(coins.slice(WHOLE_MARKETS - 1, -1))
  for (const table of ['trade', 'book', 'position']) {
    const rows = world.db
      .query<{ coin: string }, []>(
        `select distinct coin from ${table} join instrument on instrument.id = instrument`,
      )
      .all()
    expect(rows.filter(({ coin }) => bare.has(coin))).toEqual([])
  }
})

test('their prices are answered like those of all others', () => {
  const facts = factsAt(world, START_MS + 1000)
  expect(Object.keys(facts.venue.allMids('')).sort()).toEqual(coins.toSorted())
  expect(facts.venue.allMids('').C45).toBe('55.0')
})
