/** Files in the forms of backtesters, notebooks and vendors: read, or refused with a way. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { zstdCompressSync } from 'node:zlib'
import { UnknownForm } from '../../src/tape/importers/form-choice.ts'
import { readMapping } from '../../src/tape/importers/mapping/mapping.ts'
import { suggestedMapping } from '../../src/tape/importers/mapping/mapping-suggestion.ts'
import type { ImportRequest } from '../../src/tape/tape-import.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { readTape, userErrorOf } from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()

function written(name: string, content: string | Buffer): string {
  writeFileSync(at(name), content)
  return at(name)
}

async function imported(file: string, request: ImportRequest = {}) {
  const out = `${file}.tape.ndjson`
  const report = await importTape([file], out, request)
  return { ...report, events: await readTape(out) }
}

async function suggestion(file: string): Promise<string> {
  const refusal = await imported(file).catch((error) => error)
  if (!(refusal instanceof UnknownForm)) throw refusal
  return suggestedMapping(refusal.sample)
}

const refusalOf = async (name: string, content: string | Buffer) =>
  (await userErrorOf(() => imported(written(name, content)))).replaceAll(at('x').slice(0, -1), '')

/** Minutes of a candle each, after the first. */
const candles = (...minutes: number[]) =>
  JSON.stringify(minutes.map((minute) => [1_509_836_520_000 + minute * 60_000, 1, 2, 1, 2, 4]))

test('intervals in which nothing was traded have no candle, and are counted', async () => {
  const { events, leftOut } = await imported(
    written('DOGE_USDT-1m.json', candles(0, 1, 2, 5, 6, 8)),
  )
  expect(events).toHaveLength(24)
  expect(leftOut).toEqual(new Map([['interval without a candle', 3]]))
})

test('also before the length of a candle shows', async () => {
  const { events, leftOut } = await imported(written('DOGE_USDT-2m.json', candles(0, 4, 8, 10, 12)))
  expect(leftOut).toEqual(new Map([['interval without a candle', 2]]))
  const spans = events.map(({ time }) => time - 1_509_836_520_000)
  expect(spans.slice(0, 4)).toEqual([0, 39_999, 79_999, 119_999])
  expect(await refusalOf('DOGE_USDT-3m.json', candles(0, 2, 5))).toContain(
    'the candles are of 2 min',
  )
})

test('the index of a notebook is the time of its candles', async () => {
  const rows = '2024-01-01,4.5,7,4,5,2012.5\n2024-01-02,5,6,4.5,5.5,4761.5\n'
  for (const header of [',Open,High,Low,Close,Volume', ',Open,High,Low,Close,Volume,n']) {
    const { events } = await imported(written('BTCUSD.csv', `${header}\n${rows}`))
    expect([events.length, events[0]?.time]).toEqual([8, 1_704_067_200_000])
  }
})

test('times of candles may have fractions of a second', async () => {
  const timed = (zone: string) =>
    `timestamp,open,high,low,close,volume\n${['01', '02']
      .map((minute) => `2021-12-31 23:${minute}:00.000000${zone},46319,46385,46319,46377,2.5`)
      .join('\n')}\n`
  const { events } = await imported(written('BTCUSD-1m.csv', timed('+00:00')))
  expect(events[0]?.time).toBe(1_640_991_660_000)
  expect(await refusalOf('BTCUSD-2m.csv', timed(''))).toContain('is a time without its zone')
})

test('a table of levels is no table of trades', async () => {
  const header = 'symbol,timestamp,first_update_id,last_update_id,side,update_type,price,qty,pu'
  const row = (time: number, ...cells: string[]) => ['BTCUSDT', time, 1, 2, ...cells, -1].join()
  const rows = [
    row(1_667_346_579_146, 'b', 'snap', '20377.00', '1.770'),
    row(1_667_346_579_146, 'a', 'snap', '20377.10', '0.5'),
    row(1_667_346_579_939, 'a', 'set', '20377.10', '0.000'),
    row(1_667_346_579_939, 'a', 'set', '20377.20', '2'),
  ]
  const file = written('BTCUSDT_T_DEPTH.csv', `${header}\n${rows.join('\n')}\n`)
  const map = written('depth.yaml', await suggestion(file))
  const { events } = await imported(file, { mapping: readMapping(map) })
  expect(events.map(({ kind, data }) => [kind, data] as [string, object])).toEqual([
    ['book', { bids: [['20377', '1.77', 1]], asks: [['20377.1', '0.5', 1]] }],
    [
      'delta',
      {
        bids: [],
        asks: [
          ['20377.1', '0', 0],
          ['20377.2', '2', 1],
        ],
      },
    ],
  ])
})

test.each([
  ['btcusdt-trades.csv', 'BTC'],
  ['XRP_ETH-trades.csv', 'XRP/ETH'],
  ['BCHEUR.csv', 'BCH/EUR'],
  ['2024-12-01_XRPUSDT_ob500.csv', 'XRP'],
])('the name %s says the coin %s', async (name, coin) => {
  const file = written(name, '1672531436,90.540000,1.10448420\n')
  expect(await suggestion(file)).toContain(`coinName: ${coin} # by the file's name`)
})

test.each(['WBTC.csv', 'trades.csv', 'public_trades_list.csv'])(
  'the name %s says none',
  async (name) => {
    const file = written(name, '1672531436,90.540000,1.10448420\n')
    expect(await suggestion(file)).toContain("coinName: '???'")
  },
)

test('binary forms are named, packed or not', async () => {
  const databento = Buffer.from('DBN\u0001\0\0\0\0')
  for (const content of [databento, zstdCompressSync(databento)])
    expect(await refusalOf('trades.dbn', content)).toBe(
      'trades.dbn: is a DBN file of Databento: write it as CSV first, such as with its package: ' +
        'DBNStore.from_file(file).to_csv(other)',
    )
  expect(await refusalOf('trades.pkl', Buffer.from('80049501', 'hex'))).toContain('a Python pickle')
})

test('JSON by columns is refused with the way to records', async () => {
  const way =
    'is JSON by columns: write a record a line first, such as with pandas: ' +
    'to_json(other, orient="records", lines=True)'
  const byColumn = { date: { 0: 1_672_677_900_000, 1: 1 }, open: { 0: 1, 1: 2 } }
  const split = { columns: ['date', 'open'], index: [0], data: [[1_672_677_900_000, 1]] }
  for (const document of [byColumn, split, { date: [1, 2], open: [3, 4] }])
    expect(await refusalOf('candles.json', JSON.stringify(document))).toBe(`candles.json: ${way}`)
})

test('an object over several lines is one record, whose list can be mapped', async () => {
  const trades = [1, 2, 3].map((n) => ({ px: 100 + n, sz: 1, time: 1_775_037_600_000 + n, tid: n }))
  const answer = { uri: 'https://venue.example/info', result: { coin: 'BTC', trades } }
  const file = written('answer.json', `${JSON.stringify(answer, null, 2)}\n`)
  const suggested = await suggestion(file)
  expect(suggested).toContain('each: result.trades')
  const fields = ['each: result.trades', 'coin: result.coin', 'time: time', 'px: px', 'sz: sz']
  const record = ['  - kind: trade', ...fields.map((field) => `    ${field}`)]
  const mapping = readMapping(written('answer.yaml', ['records:', ...record, ''].join('\n')))
  const { events } = await imported(file, { mapping })
  expect(events.map(({ coin, time }) => [coin, time - 1_775_037_600_000])).toEqual([
    ['BTC', 1],
    ['BTC', 2],
    ['BTC', 3],
  ])
  expect(await refusalOf('two.json', '{\n "a": 1\n}\n{\n "a": 2\n}\n')).toContain('jq -c .')
})

const KRAKEN = 'txid,ordertxid,pair,time,type,ordertype,price,cost,fee,vol,margin,misc,ledgers'

test("the suggestion for an account's trades of Kraken has their side", async () => {
  const rows = [
    ['"TP5UCE","O3IFQO","ADAEUR","2021-11-05 23:58:39.113","buy","market",1.716269,49.9,0.1,29.1'],
    ['"TKI53X","O2WS3P","XXBTZEUR","2021-11-19 20:33:54.1631","sell","limit",51300.2,750,2,0.0146'],
    ['"TOG76X","O4IW4X","XETHXXBT","2021-11-21 13:22:20.0391","sell","limit",0.0711,0.1,0,2'],
  ].map((row) => `${row},0,"","L7BBSK,LBQL4X"\n`)
  const file = written('trades.csv', `${KRAKEN}\n${rows.join('')}`)
  const text = await suggestion(file)
  expect(text).toContain('    side: type\n')
  const map = written('trades.yaml', text)
  const { events, header } = await imported(file, { mapping: readMapping(map) })
  expect(events.map(({ coin, data }) => [coin, (data as { side: string }).side])).toEqual([
    ['ADA', 'B'],
    ['BTC', 'A'],
    ['ETH', 'A'],
  ])
  expect(header.instruments.map(({ quote }) => quote).sort()).toEqual(['BTC', 'EUR', 'EUR'])
})

test('a ledger of an account is said to have no prices', async () => {
  const ledger =
    'txid,refid,time,type,subtype,aclass,asset,amount,fee,balance\n' +
    'L1,TOUPQD,2021-05-11 18:55:10,trade,,currency,ZEUR,-200.0,0.32,299.68\n'
  expect(await suggestion(written('ledgers.csv', ledger))).toContain(
    '# It has balances and no price, like the ledger of an account: export its trades instead.\n',
  )
})

test('candles of three days and of weeks are read, also with a gap', async () => {
  for (const days of [3, 7]) {
    const rows = [0, 1, 3].map((place) => {
      const day = new Date(Date.UTC(2024, 0, 1 + place * days)).toISOString().slice(0, 10)
      return `${day},4.5,7,4,5,2012.5\n`
    })
    const file = written(`BTCUSD-${days}d.csv`, `time,open,high,low,close,volume\n${rows.join('')}`)
    const { events, leftOut } = await imported(file)
    expect(events.map(({ time }) => time).at(-1)).toBe(Date.UTC(2024, 0, 1 + 4 * days) - 1)
    expect(leftOut).toEqual(new Map([['interval without a candle', 1]]))
  }
})

test('a sign of the size is the side, as Bitfinex writes it', async () => {
  const sides = [
    ['A', '0.12'],
    ['B', '0.005'],
  ]
  const table = 'id,mts,amount,price\n1,1574694478000,-0.12,7245.1\n2,1574694478808,0.005,7245.3\n'
  const list = '[[1,1574694478000,-0.12,7245.1],[2,1574694478808,0.005,7245.3]]\n'
  for (const [name, text, side] of [
    ['BTCUSD-table.csv', table, "'???' # the column of the taker's side, or of a size with a sign"],
    ['BTCUSD-list.json', list, '"2" # its sign is the side'],
  ] as const) {
    const file = written(name, text)
    const suggested = await suggestion(file)
    expect(suggested).toContain(`    side: ${side}`)
    const completed = suggested.replace("side: '???'", 'side: amount')
    const { events } = await imported(file, { mapping: readMapping(written('of.yaml', completed)) })
    expect(events.map(({ data }) => data)).toMatchObject(
      sides.map(([side, sz], at) => ({ side, sz, px: ['7245.1', '7245.3'][at] })),
    )
  }
})

test('so is that of a level of a book', async () => {
  const rows = 'ts,price,amount\n1574694478000,7245,-2\n1574694478000,7244,3\n'
  const records = ['kind: level', 'coinName: BTC', 'time: ts', 'px: price', 'sz: amount']
  const map = `records:\n  - ${[...records, 'side: amount'].join('\n    ')}\n`
  const { events } = await imported(written('book.csv', rows), {
    mapping: readMapping(written('book.yaml', map)),
  })
  expect(events.map(({ data }) => data)).toEqual([
    { bids: [['7244', '3', 1]], asks: [['7245', '2', 1]] },
  ] as never)
})
