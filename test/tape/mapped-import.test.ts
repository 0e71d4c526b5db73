/** Custom forms are imported by a mapping. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { UnknownForm } from '../../src/tape/importers/form-choice.ts'
import { readMapping } from '../../src/tape/importers/mapping/mapping.ts'
import { suggestedMapping } from '../../src/tape/importers/mapping/mapping-suggestion.ts'
import type { ImportRequest } from '../../src/tape/tape-import.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { SAMPLE_START_MS } from '../fixtures/sample-start.ts'
import { readTape, userErrorOf } from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()

async function eventsOf([name = '']: string[], request: ImportRequest = {}) {
  await importTape([at(name)], at('of.tape.ndjson'), request)
  const events = (await readTape(at('of.tape.ndjson'))).map(
    ({ time, kind, data }) => [time - SAMPLE_START_MS, kind, data] as const,
  )
  return { events }
}

test('a mapping defines columns and their units', async () => {
  const map = at('own.yaml')
  writeFileSync(
    map,
    'records: [{kind: trade, coin: pair, time: when, px: last, sz: n, szUnit: contract, ' +
      'contract: 0.01, side: maker, buy: [false], sell: [true]}]',
  )
  writeFileSync(
    at('own.ndjson'),
    '{"when":1775037600.25,"pair":"BTC-USD","last":68614.5,"n":3,"maker":true}\n',
  )
  const { events } = await eventsOf(['own.ndjson'], { mapping: readMapping(map) })
  expect(events).toEqual([[250, 'trade', { side: 'A', px: '68614.5', sz: '0.03' }]])
})

test('endlessly nested aliases are refused', async () => {
  const map = at('bomb.yaml')
  const rows = [...'bcdefg'].map(
    (name, at) => `${name}: &${name} [${`*${'abcdef'[at]},`.repeat(9)}]`,
  )
  writeFileSync(map, ['a: &a [1,1,1]', ...rows, 'records: *g'].join('\n'))
  expect(await userErrorOf(() => readMapping(map))).toStartWith(
    `${map}: its aliases cannot be resolved: `,
  )
})

test('an unknown form is answered with a mapping, which imports it once completed', async () => {
  writeFileSync(
    at('wide.csv'),
    'received;bid_px_0;bid_sz_0;bid_px_1;bid_sz_1;ask_px_0;ask_sz_0\n' +
      '1775037600000;99.5;1;99;2;100;3\n',
  )
  const unknown = await eventsOf(['wide.csv']).catch((error) => error)
  expect(unknown).toBeInstanceOf(UnknownForm)
  const suggested = suggestedMapping(unknown.sample)
  expect(suggested).toContain(`bids: {px: "bid_px_{n}", sz: "bid_sz_{n}"}`)
  writeFileSync(at('wide.yaml'), suggested)
  expect(() => readMapping(at('wide.yaml'))).toThrow('records.0.coinName is still to be completed')
  writeFileSync(at('wide.yaml'), suggested.replace('???', 'BTC'))
  const { events } = await eventsOf(['wide.csv'], { mapping: readMapping(at('wide.yaml')) })
  const bids = ['99.5', '99'].map((px, at) => [px, `${at + 1}`, 1])
  expect(events).toEqual([[0, 'book', { bids, asks: [['100', '3', 1]] }]] as never)
})

/** Events of rows, by a mapping of one record. */
async function mappedEvents(record: string, rows: string, name = 'rows.csv') {
  writeFileSync(at('rows.yaml'), `records: [{${record}}]`)
  writeFileSync(at(name), rows)
  return (await eventsOf([name], { mapping: readMapping(at('rows.yaml')) })).events
}

test('levels without further columns are a full book in each message', async () => {
  const rows = [
    ...['1775037600000,bid,99,1', '1775037600000,ask,101,1'],
    ...['1775037601000,bid,98,2', '1775037601000,ask,100,1'],
  ]
  const text = ['t,s,p,q', ...rows, ''].join('\n')
  const events = await mappedEvents(
    'kind: level, coinName: BTC, time: t, side: s, px: p, sz: q',
    text,
  )
  expect(events).toEqual([
    [0, 'book', { bids: [['99', '1', 1]], asks: [['101', '1', 1]] }],
    [1000, 'book', { bids: [['98', '2', 1]], asks: [['100', '1', 1]] }],
  ] as never)
})

test('a symbol is the pair in some records, and the perpetual in others', async () => {
  const fields = 'kind: trade, coin: s, time: t, px: p, sz: q'
  const pair = `${fields}, where: {m: spot}, market: spot}, {${fields}, where: {m: perp}`
  const rows = [
    ...['t,s,m,p,q', '1775037600000,DOTUSDT,spot,1,1'],
    ...['1775037600001,DOTUSDT,perp,2,1', '1775037600002,kPEPE,perp,2,1', ''],
  ]
  await mappedEvents(pair, rows.join('\n'))
  const events = await readTape(at('of.tape.ndjson'))
  expect(events.map(({ coin }) => coin)).toEqual(['DOT/USDT', 'DOT', 'kPEPE'])
})

test('invalid numbers of a mapping are refused with its own line', () => {
  const refused = (field: string) => {
    writeFileSync(
      at('odd.yaml'),
      `records:\n  - {kind: trade, time: t, px: p, sz: q,\n     ${field}}\n`,
    )
    return userErrorOf(async () => readMapping(at('odd.yaml')))
  }
  const expected: [field: string, why: string][] = [
    ['pxTimes: x', 'pxTimes must be a number above 0'],
    ['szTimes: 0', 'szTimes must be a number above 0'],
    ['contract: abc', 'contract must be a size in coins or dollars, such as 0.01 or 100usd'],
  ]
  return Promise.all(
    expected.map(async ([field, why]) =>
      expect(await refused(field)).toBe(`${at('odd.yaml')}:3: records.0.${why}`),
    ),
  )
})
