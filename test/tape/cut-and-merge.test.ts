import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { cutTape } from '../../src/tape/cut.ts'
import { OrderBook } from '../../src/tape/order-book.ts'
import { synthesise, synthInstruments } from '../../src/tape/synth/synthesis.ts'
import type { EventDraft, TapeEvent } from '../../src/tape/tape-event.ts'
import { mergeTapes } from '../../src/tape/tape-merge.ts'
import { openTape } from '../../src/tape/tape-reader.ts'
import {
  BTC,
  book,
  ETH,
  EVENTS_OF_EVERY_KIND,
  readTape,
  userErrorOf,
  writeTape,
} from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const MARKET = at('market.tape.ndjson')
await writeTape(MARKET, [...synthesise({ seed: 5, minutes: 2 })], synthInstruments())
const { startMs, endMs } = (await openTape(MARKET)).header
const market = await readTape(MARKET)

/** Each coin's book after the events up to and including `untilMs`. */
function books(events: TapeEvent[], untilMs: number): Record<string, unknown> {
  const rebuilt: Record<string, OrderBook> = {}
  for (const event of events) {
    if (event.time > untilMs) break
    if (event.kind !== 'book' && event.kind !== 'delta') continue
    rebuilt[event.coin] ??= new OrderBook()
    rebuilt[event.coin]?.apply(event)
  }
  const sides = Object.entries(rebuilt).map(([coin, orderBook]) => [
    coin,
    orderBook.bids(),
    orderBook.asks(),
  ])
  return Object.fromEntries(sides.map(([coin, ...both]) => [coin, both]))
}

const moment = fc.integer({ min: startMs - 5000, max: endMs + 5000 })

test('in a cut every book is as in the full tape, at its start and at its end', async () => {
  await fc.assert(
    fc.asyncProperty(moment, moment, async (a, b) => {
      const [fromMs, toMs] = [Math.min(a, b), Math.max(a, b)]
      if (!market.some(({ time }) => time >= fromMs && time < toMs)) return
      await cutTape(MARKET, at('part.zst'), { fromMs, toMs })
      const part = await readTape(at('part.zst'))
      expect(books(part, fromMs)).toEqual(books(market, fromMs))
      expect(books(part, toMs - 1)).toEqual(books(market, toMs - 1))
      const within = market.filter(({ time }) => time >= fromMs && time < toMs)
      expect(unnumbered(part.slice(part.length - within.length))).toEqual(unnumbered(within))
    }),
    { numRuns: 12 },
  )
})

test('a cut of everything is the tape itself', async () => {
  await cutTape(MARKET, at('all.tape.ndjson'), {})
  expect(readFileSync(at('all.tape.ndjson'), 'utf8')).toBe(readFileSync(MARKET, 'utf8'))
})

test('a cut begins with the mark, funding, interest and bbo at its start', async () => {
  await writeTape(at('kinds'), EVENTS_OF_EVERY_KIND)
  await cutTape(at('kinds'), at('kinds-part'), { fromMs: 1009 })
  const opening = (await readTape(at('kinds-part'))).filter(({ time }) => time === 1009)
  expect(opening.map(({ kind }) => kind)).toEqual(['book', 'bbo', 'mark', 'funding', 'interest'])
})

test('a cut to some coins holds nothing else', async () => {
  const header = await cutTape(MARKET, at('few'), {
    fromMs: startMs + 60_000,
    coins: ['ETH', '@107'],
  })
  expect(header.instruments.map(({ coin }) => coin)).toEqual(['ETH', '@107'])
  expect(new Set((await readTape(at('few'))).map(({ coin }) => coin))).toEqual(
    new Set(['ETH', '@107']),
  )
})

test('a cut without events and an unknown coin are refused', async () => {
  const nothing = await userErrorOf(() => cutTape(MARKET, at('no'), { fromMs: endMs + 1 }))
  expect(nothing).toContain(`has no events from ${endMs + 1}`)
  const unknown = await userErrorOf(() => cutTape(MARKET, at('no'), { coins: ['BTX'] }))
  expect(unknown).toContain('has no coin BTX, it has BTC, ETH')
})

test('coins cut apart and merged again are the full tape', async () => {
  const coins = synthInstruments().map(({ coin }) => coin)
  const parts = coins.map((_, i) => at(`coin${i}`))
  for (const [i, coin] of coins.entries()) await cutTape(MARKET, parts[i] ?? '', { coins: [coin] })
  const header = await mergeTapes(parts, at('merged'))
  expect(header.instruments).toEqual(synthInstruments())
  const merged = await readTape(at('merged'))
  const text = (events: TapeEvent[]) => events.map((event) => JSON.stringify({ ...event, seq: 0 }))
  expect(text(merged).sort()).toEqual(text(market).sort())
})

test('at the same moment the tape named first comes first', async () => {
  const mark = (time: number, mark: string, coin: string): EventDraft => {
    return { time, kind: 'mark', coin, data: { mark, oracle: '1' } }
  }
  await writeTape(at('a'), [mark(1, '1', 'BTC'), mark(3, '2', 'BTC'), mark(3, '3', 'BTC')])
  await writeTape(at('b'), [mark(2, '4', 'ETH'), mark(3, '5', 'ETH'), mark(9, '6', 'ETH')], [ETH])
  const marks = async (...names: string[]) => {
    await mergeTapes(names.map(at), at('ab'))
    return (await readTape(at('ab'))).map(({ data }) => ('mark' in data ? data.mark : '')).join('')
  }
  expect(await marks('a', 'b')).toBe('142356')
  expect(await marks('b', 'a')).toBe('145236')
})

test('instruments that contradict are refused, decimals are merged', async () => {
  await writeTape(at('c'), [{ time: 1, kind: 'book', coin: 'BTC', data: book('10', '11') }])
  const other = { ...BTC, pxDecimals: 3, szDecimals: 2 }
  await writeTape(
    at('d'),
    [{ time: 1, kind: 'book', coin: 'BTC', data: book('10', '11') }],
    [other],
  )
  expect((await mergeTapes([at('c'), at('d')], at('cd'))).instruments).toEqual([
    { ...BTC, pxDecimals: 3, szDecimals: 5 },
  ])
  const spot = { ...BTC, quote: 'USDT' }
  await writeTape(at('e'), [{ time: 1, kind: 'book', coin: 'BTC', data: book('10', '11') }], [spot])
  const why = await userErrorOf(() => mergeTapes([at('c'), at('e')], at('ce')))
  expect(why).toContain('says quote USDT of BTC, a tape before it USDC')
})

function unnumbered(events: TapeEvent[]): unknown[] {
  return events.map(({ seq: _, ...event }) => event)
}
