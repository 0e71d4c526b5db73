/** Hundreds of price-only coins in a tape: they cost next to nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DAY_MS, tapeMs } from '../../src/clock/instant.ts'
import { runToEnd } from '../../src/clock/turns.ts'
import { castFile } from '../../src/market/casting/cast-file.ts'
import { surveyTape, WHOLE_MARKETS } from '../../src/market/casting/survey/tape-survey.ts'
import type { TapeInput } from '../../src/market/casting/tape-input.ts'
import { eventFor } from '../../src/market/events/event-schedule.ts'
import { standingsAt } from '../../src/market/world/market-standing.ts'
import type { World } from '../../src/market/world/world.ts'
import { openGrown, openWorld } from '../../src/market/world/world-file.ts'
import type { TapeEvent } from '../../src/tape/tape-event.ts'
import { growTo, lineOf } from '../fixtures/grown-world.ts'
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

const bare = new Set(coins.slice(WHOLE_MARKETS - 1, -1))

test('others have no trades and no traders', () => {
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

describe('after the tape', () => {
  const MINUTES = 5
  let grown: World

  beforeAll(() => {
    const order = lineOf(world, path.join(folder, 'line.sqlite'))
    growTo(order, MINUTES)
    grown = openGrown(order.file, world.endMs)
  })

  afterAll(() => grown.close())

  test('others have prices alone', () => {
    const last = world.endMs
    for (const table of ['trade', 'orders']) {
      const rows = grown.db
        .query<{ coin: string }, []>(
          `select distinct coin from "${table}" join instrument on instrument.id = instrument`,
        )
        .all()
      expect(rows.some(({ coin }) => !bare.has(coin))).toBeTrue()
      expect(rows.filter(({ coin }) => bare.has(coin))).toEqual([])
    }
    const marks = grown.db.query<{ coin: string; n: number; prices: number }, [number]>(
      `select coin, count(*) n, count(distinct mark) prices from mark
       join instrument on instrument.id = instrument where timeMs > ? group by coin`,
    )
    const known = marks.all(last).filter(({ coin }) => bare.has(coin))
    expect(known.map(({ coin }) => coin).sort()).toEqual([...bare].sort())
    for (const { n, prices } of known) {
      expect(n).toBeWithin(1, (MINUTES + 2) * 6)
      expect(prices).toBeGreaterThan(1)
    }
  })

  test('prices stay near those of the tape, and all mids have them', () => {
    const mids = factsAt(grown, world.endMs + MINUTES * 60_000).venue.allMids('')
    expect(Object.keys(mids).sort()).toEqual(coins.toSorted())
    for (const coin of bare)
      expect(Number(mids[coin]) / (10 + coins.indexOf(coin))).toBeWithin(0.9, 1.1)
  })

  test('an event of their market is refused', () => {
    const standings = runToEnd(standingsAt(world, tapeMs(world.endMs)))
    const [one = ''] = bare
    expect(() => eventFor({ kind: 'move', coin: one, pct: 1, overS: 60 }, standings)).toThrow(
      `names ${one}, of which only prices are known`,
    )
    const event = { kind: 'move', coin: traded, pct: 1, overS: 60 } as const
    expect(eventFor(event, standings)).toMatchObject({ coin: traded })
  })
})
