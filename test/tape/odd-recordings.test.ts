/** Unusual valid recordings, and lines skipped without a trace. */
import { afterEach, expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ImportRequest } from '../../src/tape/tape-import.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { parquetTrades, plainSamples, TARDIS } from '../fixtures/archive-samples.ts'
import { HAR } from '../fixtures/har-sample.ts'
import { SPOT_STREAM } from '../fixtures/raw-stream-samples.ts'
import { userErrorOf } from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const OUT = at('of.tape.ndjson')
const { trades } = TARDIS

afterEach(() => rmSync(OUT, { force: true }))

/** Imports one file with this content. */
async function imported(name: string, content: string | Buffer, request: ImportRequest = {}) {
  writeFileSync(at(name), content)
  const report = await importTape([at(name)], OUT, request)
  const [, ...events] = readFileSync(OUT, 'utf8').split('\n')
  return { ...report, events }
}

/** The refusal, without the folder. */
async function refusalOf(name: string, content: string | Buffer, request: ImportRequest = {}) {
  const why = await userErrorOf(() => imported(name, content, request))
  return why.replaceAll(at('x').slice(0, -1), '')
}

test('numbers that no instrument could have together are refused with their line', async () => {
  const long = trades.replace(',sell,100,0.25', ',sell,123456789012345,0.25')
  expect(await refusalOf('long.csv', long)).toBe(
    'long.csv: line 3 has price "123456789012345", others have 3 digits before the point and 1 ' +
      'behind it: 15 in all are exact',
  )
  const { header } = await imported('long.csv', long, { tolerate: 1 })
  expect(header.counts).toEqual({ trade: 1 })
})

test('digits of a refused event do not count against accepted ones', async () => {
  const [head, first, second] = trades.split('\n')
  const empty = second?.replace(',sell,100,0.25', ',sell,12345678901234,0')
  const odd = [head, empty, first, second, ''].join('\n')
  expect(await refusalOf('empty.csv', odd)).toBe('empty.csv: line 2 has "0" as a size')
  const { header } = await imported('empty.csv', odd, { tolerate: 1 })
  expect([header.counts, header.instruments[0]?.pxDecimals]).toEqual([{ trade: 2 }, 1])
})

test("a file of another container than the named form's is refused", async () => {
  const wrong = 'which the form named with --from is read from'
  const columns = 'columns exchange, symbol, timestamp, local_timestamp, id, side, price, amount'
  for (const from of ['usdm', 'venue-native', 'venue-archive'])
    expect(await refusalOf('of.parquet', parquetTrades(), { from })).toBe(
      `of.parquet: is not lines of JSON, ${wrong}: ${columns}`,
    )
  expect(await refusalOf('of.csv', trades, { from: 'har' })).toBe(
    `of.csv: is not a HAR document, ${wrong}: ${columns}`,
  )
  expect(await refusalOf('of.har', HAR, { from: 'usdm' })).toBe(
    `of.har: is not lines of JSON, ${wrong}: a HAR document`,
  )
  expect(await refusalOf('of.log', SPOT_STREAM, { from: 'candles' })).toStartWith(
    `of.log: is not a table, ${wrong}: JSON with the fields `,
  )
  const why = 'is not "<local clock, ns> <JSON frame>", and no JSON object'
  expect(await refusalOf('of.csv', trades, { from: 'usdm' })).toBe(`of.csv: line 1 ${why}`)
})

test('in a named form, the first line may be the tolerated one', async () => {
  const whole = await imported('whole.log', SPOT_STREAM)
  const begun = await imported('begun.log', `the collector, begun\n${SPOT_STREAM}`, {
    from: 'spot',
    tolerate: 1,
  })
  expect(begun.events).toEqual(whole.events)
})

test('frames whose times are in another unit are refused, and move no other', async () => {
  const frame = (time: number, tid: number) =>
    JSON.stringify({
      channel: 'trades',
      data: [{ coin: 'BTC', side: 'A', px: '100', sz: '1', time, tid }],
    })
  const why = 'that is not between the years 2000 and 2100, as ms: another unit?'
  expect(await refusalOf('s.log', frame(1775037600, 1))).toBe(
    `s.log: line 1 has a time "1775037600" ${why}`,
  )
  const lines = [frame(1775037600000, 1), frame(1775037600001000, 2), frame(1775037600002, 3)]
  expect(await refusalOf('us.log', lines.join('\n'))).toBe(
    `us.log: line 2 has a time "1775037600001000" ${why}`,
  )
  const { header } = await imported('us.log', lines.join('\n'), { tolerate: 1 })
  expect([header.counts, header.endMs]).toEqual([{ trade: 2 }, 1775037600002])
  const spot = SPOT_STREAM.replaceAll(/"E":(\d{10})\d{3}/g, '"E":$1')
  expect(await refusalOf('s.log', spot)).toStartWith('s.log: line 3 has a time "1775037600" ')
})

const ODDITIES: Record<string, (text: string) => string> = {
  'a mark of its encoding': (text) => `\ufeff${text}`,
  'empty lines at its end': (text) => `${text}\n \r\n`,
  'line ends of two characters and no last one': (text) => text.trim().replaceAll('\n', '\r\n'),
  'an empty line before the first': (text) => `\n${text}`,
}

for (const [what, odd] of Object.entries(ODDITIES))
  test(`a file with ${what} equals one without`, async () => {
    for (const [name, content] of Object.entries(plainSamples())) {
      if (name.endsWith('.har')) continue
      const [plain, other] = [await imported(name, content), odd(content.toString())]
      expect((await imported(name, other)).events).toEqual(plain.events)
    }
  })

test('an empty line within a table, or within lines of records, is skipped', async () => {
  const { events } = await imported('some.csv', trades)
  const spaced = trades.replaceAll('\n', '\n\n')
  expect((await imported('some.csv', spaced)).events).toEqual(events)
  expect(await refusalOf('some.csv', spaced.replace('buy', 'BUY'))).toBe(
    'some.csv: line 3 has side "BUY", known: buy and sell',
  )
  const fills = plainSamples()['fills.ndjson']?.toString() ?? ''
  const whole = await imported('fills.ndjson', fills)
  const { events: same } = await imported('fills.ndjson', fills.replaceAll('\n', '\n\n'))
  expect(same).toEqual(whole.events)
})

test('after a tolerated change of a book the chain is broken', async () => {
  const lines = SPOT_STREAM.trim().split('\n')
  const broken = lines.map((line) => line.replace('["98.50","2.00"]', '["x","2.00"]'))
  const later = lines.map((line) => line.replace('["100.50","0.50"]', '["x","0.50"]'))
  expect(await refusalOf('waiting.log', broken.join('\n'))).toBe(
    'waiting.log: line 2 has "x" for a decimal string',
  )
  expect(await refusalOf('waiting.log', broken.join('\n'), { tolerate: 1 })).toStartWith(
    "waiting.log: line 4 breaks the chain of BTC/USDT's book: its U is 7, the book is at 4",
  )
  const next = lines[3]?.replaceAll('"U":7,"u":8', '"U":9,"u":10') ?? ''
  const chain = [...later, next].join('\n')
  expect(await refusalOf('later.log', chain, { tolerate: 1 })).toStartWith(
    "later.log: line 7 breaks the chain of BTC/USDT's book: its U is 9, the book is at 6",
  )
})

test('a stream that goes back in time is reported', async () => {
  const frame = (time: number) => {
    const data = [{ coin: 'BTC', side: 'B', px: '7', sz: '1', tid: time, time }]
    return `${JSON.stringify({ channel: 'trades', data })}\n`
  }
  const start = 1_768_478_400_000
  const inOrder = await imported('in-order', frame(start) + frame(start + 7_200_000))
  expect(inOrder.late).toMatchObject({ count: 0 })
  const swapped = await imported('swapped', frame(start + 7_200_000) + frame(start))
  expect(swapped.late).toMatchObject({ count: 1, mostMs: 7_200_000 })
})
