import { expect, test } from 'bun:test'
import { UserError } from '../../platform/user-error.ts'
import { synthInstruments } from '../../tape/synth/synthesis.ts'
import type { TapeHeader } from '../../tape/tape-event.ts'
import { checkMemory } from '../memory.ts'
import { castingNeed, castingTime, checkCastingSpace, worldBytes } from './casting-process.ts'

const headerOf = (counts: TapeHeader['counts']): TapeHeader => ({
  format: 'tapewright-tape',
  version: 1,
  source: 'a long tape',
  instruments: synthInstruments(),
  startMs: 0,
  endMs: 1,
  counts,
})

test('a world grows with its events, and most by books and trades', () => {
  const bytes = (counts: TapeHeader['counts']) =>
    worldBytes(headerOf(counts)) - worldBytes(headerOf({}))
  expect(bytes({ trade: 1e6 })).toBeGreaterThan(bytes({ mark: 1e6 }))
  expect(bytes({ book: 1e6 })).toBeGreaterThan(bytes({ trade: 1e6 }))
  expect(bytes({ trade: 2e6, delta: 7e6 })).toBe(2 * bytes({ trade: 1e6, delta: 3.5e6 }))
})

test('a disk without space for a world is reported before casting, with its free space', () => {
  const header = headerOf({ trade: 2.5e6, delta: 6.5e6, mark: 1e6 })
  expect(() => checkCastingSpace(header, '/worlds/a.sqlite', 5e9)).not.toThrow()
  expect(() => checkCastingSpace(header, '/worlds/a.sqlite', 1.5e9)).toThrow(
    new UserError(
      'the world of a long tape takes about 3,702 MB, and /worlds has 1,500 MB free: ' +
        'make room there, or set TAPEWRIGHT_CACHE to another folder',
    ),
  )
})

/** The header of a tape with so many coins. */
const headerWith = (coins: number, counts: TapeHeader['counts']): TapeHeader => ({
  ...headerOf(counts),
  instruments: Array.from({ length: coins }, (_, at) => ({
    coin: `C${at}`,
    kind: 'perp',
    dex: '',
    base: `C${at}`,
    quote: 'USDC',
    pxDecimals: 1,
    szDecimals: 1,
    maxLeverage: 10,
  })),
})

test('hundreds of coins with prices only take little more than twenty', () => {
  const [few, many] = [20, 480].map((coins) => headerWith(coins, { mark: 960 })) as [
    TapeHeader,
    TapeHeader,
  ]
  expect(worldBytes(many)).toBe(worldBytes(few))
  expect([castingTime(few), castingTime(many)]).toEqual(['about 20 s', 'about 20 s'])
  expect(castingTime(headerWith(480, { trade: 960 }))).toBe('about 6 min')
})

test('a casting without enough memory is refused, by the number of its markets', () => {
  const traded = headerWith(100, { trade: 960 })
  const check = (header: TapeHeader, bytes: number) => () =>
    checkMemory(castingNeed(header), { bytes, isFlag: false })
  expect(check(headerOf({ trade: 1 }), 640e6)).not.toThrow()
  expect(check(traded, 640e6)).toThrow(
    'casting a world needs at least 2776 MB of memory, and this process may use 640 MB: ',
  )
  expect(check(headerWith(480, { mark: 960 }), 900e6)).not.toThrow()
})
