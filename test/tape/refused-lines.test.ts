import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { createTape } from '../../src/tape/tape-writer.ts'
import {
  BTC,
  EVENTS_OF_EVERY_KIND,
  readTape,
  userErrorOf,
  writeTape,
} from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()

/** The line number of each kind in a tape of EVENTS_OF_EVERY_KIND. */
const LINE = Object.fromEntries(EVENTS_OF_EVERY_KIND.map(({ kind }, i) => [kind, i + 2]))

/** Changes the line of one kind; returns the reader's error. */
async function refused(kind: string, change: (line: string) => string): Promise<string> {
  await writeTape(at('good'), EVENTS_OF_EVERY_KIND)
  const lines = readFileSync(at('good'), 'utf8').split('\n')
  const index = (LINE[kind] ?? 0) - 1
  const before = lines[index] ?? ''
  lines[index] = change(before)
  expect(lines[index]).not.toBe(before)
  writeFileSync(at('bad'), lines.join('\n'))
  const why = await userErrorOf(() => readTape(at('bad')))
  expect(why).toStartWith(`${at('bad')}: line ${index + 1} `)
  return why
}

const REPLACED: [kind: string, from: string, to: string, message: string][] = [
  ['trade', '{"time":1010', '{"time":999', 'goes back in time, from 1010 to 999'],
  ['trade', '"time":1010', '"time":1010.5', 'needs "time" in whole milliseconds'],
  ['trade', '"time":1010', '"time":"1010"', 'needs "time" in whole milliseconds'],
  ['trade', '"seq":7', '"seq":6', 'has seq 6 after 6, it must rise'],
  ['trade', '"seq":7,', '', 'needs "seq" as a whole number'],
  ['trade', '"kind":"trade"', '"kind":"quote"', 'has kind "quote", known are trade, book'],
  ['trade', '"coin":"BTC"', '"coin":"DOGE"', 'names coin "DOGE", which is not among'],
  ['trade', '"data":{', '"dada":{', 'needs a "data" object'],
  ['trade', '{"time"', '{"time', 'is not JSON'],
  ['trade', '"side":"A"', '"side":"S"', 'needs side "B" or "A"'],
  ['trade', '"px":"100"', '"px":100', 'has 100 as a price'],
  ['trade', '"px":"100"', '"px":"1e2"', 'has "1e2" as a price'],
  ['trade', '"px":"100"', '"px":"0.0"', 'has "0.0" as a price'],
  ['trade', '"px":"100"', '"px":"-1"', 'has "-1" as a price'],
  ['trade', '"px":"100"', '"px":"0100"', 'has "0100" as a price'],
  ['trade', '"px":"100"', '"px":"100.25"', 'has price "100.25", of BTC it has at most 1 decimals'],
  ['trade', '"px":"100"', '"px":"123456789012345"', 'has price "123456789012345"'],
  ['trade', '"sz":"0.5"', '"sz":"0"', 'has "0" as a size'],
  ['trade', '"sz":"0.5"', '"sz":"0.000001"', 'has size "0.000001"'],
  ['trade', '"tid":7', '"tid":"7"', 'has a tid that is no whole number'],
  ['trade', '"hash":"0xab"', '"hash":3', 'has a hash that is no text'],
  ['trade', '["0x1","0x2"]', '["0x1"]', 'has users that are not two addresses'],
  ['trade', '"tid":7', '"sourceTimeMs":2000', 'has a sourceTimeMs that does not lie before'],
  ['book', '["99","3.5",2]', '["100","3.5",2]', 'has bids that are not ordered from the best'],
  ['book', '["102","4",3]', '["100.5","4",3]', 'has asks that are not ordered from the best'],
  ['book', '["102","4",3]', '["102","4"]', 'has a level that is not [px, sz, n] (asks, level 2)'],
  ['book', '["102","4",3]', '["102","0",3]', 'has "0" as a size (asks, level 2)'],
  ['book', '["102","4",3]', '["102","4",-1]', 'has -1 as a number of orders'],
  ['book', '"asks":[', '"asks":0,"x":[', 'needs a list of asks'],
  ['delta', '["100","0",0]', '["100","0.0",0]', 'has "0.0" as a size'],
  ['bbo', '"ask":null', '"ask":0', 'has a level that is not [px, sz, n] (ask)'],
  ['mark', '"100.55"', '100.55', 'needs "mark" as a decimal string'],
  ['funding', '"-0.0000125"', '"--0.1"', 'needs "rate" as a decimal string'],
  ['interest', '"12345.678"', '"-1"', 'needs "openInterest" as a decimal string'],
  ['liquidation', '"long"', '"both"', 'needs position "long" or "short"'],
  ['liquidation', '[7]', '[]', 'needs the tids of the trades'],
  ['exchange', '"coin":""', '"coin":"BTC"', 'needs an empty coin, as every exchange'],
  ['exchange', '"method":"GET"', '"method":1', 'needs "method" as text'],
  ['exchange', '"application/json"', '1', 'needs "headers" as an object of texts'],
  ['exchange', '"startedMs":1011', '"startedMs":1013', 'has a startedMs that does not lie before'],
  ['exchange', '"requestBody":""', '"requestBase64":"?"', 'needs "requestBase64" in base64'],
  ['exchange', '"requestBody":""', '"a":""', 'needs either "requestBody" or "requestBase64"'],
  ['exchange', '"status"', '"error":1,"status"', 'has "error" that is no text'],
  ['frame', '"text":', '"base64":"","text":', 'needs either "text" or "base64"'],
  ['frame', '"text":', '"control":"close","text":', 'has control "close", it is "ping" or "pong"'],
  ['connection', '"event":"close"', '"event":"shut"', 'needs event "open", "close" or "error"'],
  ['connection', '"event":"close"', '"event":"open"', 'needs "url" as text'],
  ['connection', '"by":"client"', '"by":"me"', 'needs "by" as "client", "service" or "recorder"'],
  ['account', '"address":"0x1', '"address":"0xg', 'needs "address": 0x and 40'],
  ['account', '"cash":"-0.5"', '"cash":1', 'has "cash" that is no decimal string'],
  ['account', '"orders":[]', '"orders":[{}]', 'has a row of orders that is none (row 1)'],
  ['gap', '"fromMs":1014', '"fromMs":1016', 'has a fromMs that does not lie before its time'],
  ['gap', '"lost":2', '"lost":-1', 'has "lost" that is no whole number'],
  ['gap', '"why"', '"because"', 'needs "why" as text'],
  ['frame', '"direction":"in"', '"direction":"up"', 'needs direction "in" or "out"'],
]

for (const [kind, from, to, message] of REPLACED)
  test(`a ${kind} line is refused with ${to || `no ${from}`}`, async () => {
    expect(await refused(kind, (line) => line.replace(from, to))).toContain(message)
  })

test('an empty line, two events on a line and a line in two are refused', async () => {
  expect(await refused('mark', () => '')).toContain('is not JSON: it is empty')
  expect(await refused('mark', (line) => `${line},${line}`)).toContain('is not JSON')
  expect(await refused('mark', (line) => line.replace(',', ',\n'))).toContain('is not JSON')
  expect(await refused('mark', () => '[]')).toContain('needs "time"')
  expect(await refused('mark', () => 'null')).toContain('is not an event object')
})

test('the writer refuses the same lines as the reader', async () => {
  const tape = await createTape(at('out'), { source: 'test', instruments: [BTC] })
  const [first, , mark] = EVENTS_OF_EVERY_KIND
  await tape.write(first as never)
  const refusals = [
    { ...mark, time: 999 },
    { ...mark, time: 1000.5 },
    { ...mark, kind: 'quote' },
    { ...mark, coin: '' },
    { ...mark, data: { mark: 100, oracle: '100' } },
    { ...first, data: { bids: [], asks: [['100.25', '1', 1]] } },
  ]
  for (const event of refusals)
    expect(await userErrorOf(() => tape.write(event as never))).toContain('event 2')
  await tape.abandon()
})
