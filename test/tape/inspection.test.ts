import { expect, test } from 'bun:test'
import type { EventDraft, LiquidationData, Side } from '../../src/tape/tape-event.ts'
import { inspectTape } from '../../src/tape/tape-inspection.ts'
import { openTape } from '../../src/tape/tape-reader.ts'
import { book, EVENTS_OF_EVERY_KIND, writeTape } from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()

/** Findings in a tape of these events. */
async function findingsOf(events: EventDraft[]): Promise<string[]> {
  await writeTape(at('tape'), events)
  const { findings } = await inspectTape(await openTape(at('tape')))
  return findings.map(({ seq, what }) => `${seq} ${what}`)
}

const bookOf = (bid: string, ask: string): EventDraft => {
  return { time: 1, kind: 'book', coin: 'BTC', data: book(bid, ask) }
}
const trade = (tid: number, sz: string, side: Side = 'A', px = '10'): EventDraft => {
  return { time: 1, kind: 'trade', coin: 'BTC', data: { side, px, sz, tid } }
}
const liquidation = (
  sz: string,
  tids: number[],
  position: LiquidationData['position'] = 'long',
) => {
  const data = { position, sz, markPx: '10', tids }
  return { time: 1, kind: 'liquidation', coin: 'BTC', data } satisfies EventDraft
}

test('a sound tape has no findings', async () => {
  expect(await findingsOf(EVENTS_OF_EVERY_KIND)).toEqual([])
})

test('crossed books are found, in full books and after changes', async () => {
  expect(await findingsOf([bookOf('11', '11')])).toEqual(['1 the book is crossed: 11 to 11'])
  const delta: EventDraft = {
    time: 1,
    kind: 'delta',
    coin: 'BTC',
    data: { bids: [['12', '1', 1]], asks: [] },
  }
  expect(await findingsOf([bookOf('10', '11'), delta])).toEqual(['2 the book is crossed: 12 to 11'])
  expect(await findingsOf([delta])).toEqual(['1 the book changes before the first full book'])
})

test('a crossed bbo is found', async () => {
  const data = { bid: ['5', '1', 1], ask: ['4.5', '1', 1] } as const
  const bbo: EventDraft = { time: 1, kind: 'bbo', coin: 'BTC', data }
  expect(await findingsOf([bbo])).toEqual(['1 the bbo is crossed: 5 to 4.5'])
})

test('liquidations whose trades do not carry them out are found', async () => {
  const two = liquidation('3', [1, 2])
  expect(await findingsOf([two, trade(1, '1'), trade(2, '2')])).toEqual([])
  expect(await findingsOf([liquidation('1', [1], 'short'), trade(1, '1', 'B')])).toEqual([])
  expect(await findingsOf([two, trade(1, '1'), trade(2, '1.5')])).toEqual([
    "3 a liquidation's trades miss its size by 0.5",
  ])
  expect(await findingsOf([two, trade(1, '1'), trade(3, '2')])).toEqual([
    '3 trade 2 of a liquidation should come here',
  ])
  expect(await findingsOf([liquidation('1', [1]), trade(1, '1', 'B')])).toEqual([
    '2 trade 1 of a liquidation is on the wrong side',
  ])
  expect(await findingsOf([two, trade(1, '1')])).toEqual(['0 trade 2 of a liquidation is missing'])
})

test('the totals of each coin are exact', async () => {
  const trades = [trade(1, '0.1', 'A', '9.5'), trade(2, '0.2', 'B', '10.5'), trade(3, '7')]
  await writeTape(at('sum'), [bookOf('10', '11'), ...trades])
  const { coins, events } = await inspectTape(await openTape(at('sum')))
  expect(events).toBe(4)
  expect(coins).toEqual([
    {
      coin: 'BTC',
      counts: { book: 1, trade: 3 },
      firstPx: '9.5',
      lastPx: '10',
      highPx: '10.5',
      lowPx: '9.5',
      volume: '7.3',
    },
  ])
})
