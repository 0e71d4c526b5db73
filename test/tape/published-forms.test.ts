/** Small files in the forms that exchanges and vendors publish: read, or suggested how to read. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { UnknownForm } from '../../src/tape/importers/form-choice.ts'
import { readMapping } from '../../src/tape/importers/mapping/mapping.ts'
import { suggestedMapping } from '../../src/tape/importers/mapping/mapping-suggestion.ts'
import { Redaction } from '../../src/tape/recorder/redaction/redaction.ts'
import type { ImportRequest } from '../../src/tape/tape-import.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { readTape, userErrorOf } from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()

function written(name: string, text: string): string {
  writeFileSync(at(name), text)
  return at(name)
}

async function imported(file: string, request: ImportRequest = {}) {
  const out = `${file}.tape.ndjson`
  const report = await importTape([file], out, { secrets: new Redaction({}), ...request })
  return { ...report, events: await readTape(out) }
}

/** The trades of a file as the suggestion reads it, after changes that a person would make. */
async function suggested(file: string, change = (text: string) => text) {
  const refusal = await imported(file).then(
    () => null,
    (error) => error,
  )
  if (!(refusal instanceof UnknownForm)) throw refusal
  const map = written(`${file.split('/').at(-1)}.yaml`, change(suggestedMapping(refusal.sample)))
  const { events } = await imported(file, { mapping: readMapping(map) })
  return events.map((event) => {
    const { kind, coin, data } = event as { kind: string; coin: string; data: object }
    return [kind, coin, data]
  })
}

const BOTH = [
  ['trade', 'BTC', { side: 'B', px: '68000.1', sz: '0.001', tid: 5001 }],
  ['trade', 'BTC', { side: 'A', px: '68000', sz: '0.002', tid: 5002 }],
]
const lines = (...records: object[]) => `${records.map((one) => JSON.stringify(one)).join('\n')}\n`

test.each([
  [
    'Gate, deals without a header',
    'BTC_USDT-202604.csv',
    '1775001600.123456,5001,68000.1,0.001,buy\n1775001601.123456,5002,68000.0,0.002,sell\n',
  ],
  [
    'HTX, trades without a header',
    'BTCUSDT-trades-2026-04-01.csv',
    '5001,1775001600123,68000.1,0.001,buy\n5002,1775001601123,68000.0,0.002,sell\n',
  ],
  [
    'Binance, trades without a header',
    'BTCUSDT-trades-2026-04.csv',
    '5001,68000.10,0.00100000,68.0001,1775001600123456,False,True\n' +
      '5002,68000.00,0.00200000,136.0,1775001601123456,True,True\n',
  ],
  [
    'KuCoin',
    'BTCUSDT-trades-kucoin.csv',
    'trade_id,trade_time,price,size,side\n5001,1775001600123,68000.1,0.001,buy\n' +
      '5002,1775001601123,68000.0,0.002,sell\n',
  ],
  [
    'Bitget, with a quote volume before the size',
    'BTCUSDT_UMCBL.csv',
    'trade_id,timestamp,price,side,volume(quote),size(base)\n' +
      '5001,1775001600123,68000.1,buy,68.0001,0.001\n' +
      '5002,1775001601123,68000.0,sell,136.0,0.002\n',
  ],
  [
    'Kaiko, with a flag of the seller',
    'cbse_btcusd_trades.csv',
    'id,exchange,symbol,date,price,amount,sell\n' +
      '5001,cbse,btcusd,1775001600123,68000.1,0.001,false\n' +
      '5002,cbse,btcusd,1775001601123,68000.0,0.002,true\n',
  ],
  [
    'Kraken, rows in an answer',
    'XBTUSD-Trades.json',
    JSON.stringify({
      error: [],
      result: {
        XXBTZUSD: [
          ['68000.10000', '0.00100000', 1775000597.8277369, 'b', 'm', '', 5001],
          ['68000.00000', '0.00200000', 1775000598.2804112, 's', 'l', '', 5002],
        ],
        last: '1775000698280411248',
      },
    }),
  ],
  [
    'Deribit, trades in an answer',
    'BTC-PERPETUAL.json',
    JSON.stringify({
      jsonrpc: '2.0',
      id: 9267,
      result: {
        trades: [
          [5001, 'buy', 68000.1, 0.001, 1775001600123],
          [5002, 'sell', 68000.0, 0.002, 1775001601123],
        ].map(([trade_id, direction, price, amount, timestamp]) => ({
          trade_id,
          timestamp,
          mark_price: 68948.95,
          price,
          instrument_name: 'BTC-PERPETUAL',
          index_price: 68956.73,
          direction,
          amount,
        })),
        has_more: true,
      },
    }),
  ],
  [
    'OKX, frames after an acknowledgement',
    'okx.jsonl',
    lines(
      { event: 'subscribe', arg: { channel: 'trades', instId: 'BTC-USDT' }, connId: 'a4d3ae55' },
      {
        arg: { channel: 'trades', instId: 'BTC-USDT' },
        data: [
          ['5001', '68000.1', '0.001', 'buy'],
          ['5002', '68000', '0.002', 'sell'],
        ].map(([tradeId, px, sz, side]) => ({
          instId: 'BTC-USDT',
          tradeId,
          px,
          sz,
          side,
          ts: '1775000897897',
        })),
      },
    ),
  ],
  [
    'Kraken, frames of the second version',
    'kraken.jsonl',
    lines(
      { channel: 'status', type: 'update', data: [{ system: 'online' }] },
      {
        channel: 'trade',
        type: 'snapshot',
        data: [
          [5001, 'buy', 68000.1, 0.001],
          [5002, 'sell', 68000, 0.002],
        ].map(([trade_id, side, price, qty]) => ({
          symbol: 'BTC/USD',
          side,
          price,
          qty,
          trade_id,
          timestamp: '2026-04-01T07:48:36.925533Z',
        })),
      },
    ),
  ],
])('%s: the suggestion reads it as it is', async (_, name, text) => {
  const read = await suggested(written(name, text))
  expect(read.map(([kind, coin, data]) => [kind, String(coin).split('/')[0], data])).toEqual(BOTH)
})

test('CoinAPI, whose own time is no coin', async () => {
  const text =
    'time_exchange;time_coinapi;guid;price;base_amount;taker_side\n' +
    '2026-04-01T00:00:00.1230000Z;2026-04-01T00:00:00.2230000Z;6a4e;68000.1;0.001;BUY\n' +
    '2026-04-01T00:00:01.1230000Z;2026-04-01T00:00:01.2230000Z;6a4f;68000.0;0.002;SELL\n'
  const read = await suggested(written('BITSTAMP_SPOT_BTCUSD.csv', text))
  expect(read.map(([, coin]) => coin)).toEqual(['BTC', 'BTC'])
})

test('Databento, whose times have no common name', async () => {
  const text =
    'ts_recv,ts_event,rtype,publisher_id,instrument_id,action,side,depth,price,size,symbol\n' +
    '1775001600123456789,1775001600123400000,0,1,5482,T,B,0,68000.100000000,1,BTCJ6\n' +
    '1775001601123456789,1775001601123400000,0,1,5482,T,A,0,68000.000000000,2,BTCJ6\n'
  const read = await suggested(written('databento.csv', text))
  expect(read.map(([kind, coin]) => [kind, coin])).toEqual([
    ['trade', 'BTCJ6'],
    ['trade', 'BTCJ6'],
  ])
})

test('BitMEX, whose times have a D', async () => {
  const text =
    'timestamp,symbol,side,size,price,tickDirection,trdMatchID\n' +
    '2026-04-01D00:00:03.123456000,XBTUSD,Buy,100,68000.5,PlusTick,43fd5a7f\n'
  const usd = (map: string) => map.replace('sz: size', 'sz: size\n    szUnit: usd')
  const [trade] = await suggested(written('20260401.csv', text), usd)
  expect(trade?.[2]).toMatchObject({ side: 'B', px: '68000.5' })
})

test('CryptoDataDownload: a preamble, volumes by their units, newest first', async () => {
  const text =
    'https://www.CryptoDataDownload.com\n' +
    'Unix,Date,Symbol,Open,High,Low,Close,Volume BTC,Volume USDT,tradecount\n' +
    '1775005200000,2026-04-01 01:00:00,BTCUSDT,68000,68100,67900,68050,120.5,8194000.1,5400\n' +
    '1775001600000,2026-04-01 00:00:00,BTCUSDT,67950,68010,67900,68000,100.4,6834000.1,4400\n'
  const { events } = await imported(written('Binance_BTCUSDT_1h.csv', text), { coin: 'BTC' })
  const trades = events as unknown as { time: number; coin: string; data: { px: string } }[]
  expect([trades.length, trades[0]?.time, trades[0]?.data.px]).toEqual([8, 1775001600000, '67950'])
})

test('Kraken, rows of a time, a price and a size: prices tell the side', async () => {
  const text = '1775000000,68000.1,0.1\n1775000003,68000.2,0.3\n1775000009,67999.9,0.02\n'
  const read = await suggested(written('XBTUSD.csv', text))
  expect(read.map(([, coin, data]) => [coin, (data as { side: string }).side])).toEqual([
    ['BTC', 'B'],
    ['BTC', 'B'],
    ['BTC', 'A'],
  ])
})

test.each([
  [
    'Bybit, books of 500 levels',
    lines(
      {
        topic: 'orderbook.500.BTCUSDT',
        type: 'snapshot',
        ts: 1775001600123,
        data: { s: 'BTCUSDT', b: [['68000.0', '1.5']], a: [['68000.1', '0.7']], u: 1 },
      },
      {
        topic: 'orderbook.500.BTCUSDT',
        type: 'delta',
        ts: 1775001600223,
        data: { s: 'BTCUSDT', b: [['67999.9', '2']], a: [], u: 2 },
      },
    ),
  ],
  [
    'OKX, books',
    lines(
      {
        arg: { channel: 'books', instId: 'BTC-USDT' },
        action: 'snapshot',
        data: [
          {
            asks: [['68000.1', '0.7', '0', '1']],
            bids: [['68000', '1.5', '0', '1']],
            ts: '1775001600123',
          },
        ],
      },
      {
        arg: { channel: 'books', instId: 'BTC-USDT' },
        action: 'update',
        data: [{ asks: [], bids: [['67999.9', '2', '0', '1']], ts: '1775001600223' }],
      },
    ),
  ],
])('%s: a snapshot and its changes', async (name, text) => {
  const read = await suggested(written(`${name.slice(0, 3)}.jsonl`, text))
  expect(read).toEqual([
    ['book', 'BTC', { bids: [['68000', '1.5', 1]], asks: [['68000.1', '0.7', 1]] }],
    ['delta', 'BTC', { bids: [['67999.9', '2', 1]], asks: [] }],
  ])
})

test('Binance since 2025: candles in microseconds, and not in two units', async () => {
  const row = (time: string) => `${time},1,2,1,2,27,${time},8.5,1,0,0,0\n`
  const file = written('BTCUSDT-1m.csv', row('1775001600000000') + row('1775001660000000'))
  expect((await imported(file)).events).toHaveLength(8)
  const mixed = written('ETHUSDT-1m.csv', row('1775001600') + row('1775001660000'))
  expect(await userErrorOf(() => imported(mixed))).toContain('milliseconds')
})

test('options are not quotes', async () => {
  const text =
    'exchange,symbol,timestamp,local_timestamp,type,strike_price,expiration,bid_price,bid_amount,' +
    'ask_price,ask_amount\n' +
    'deribit,BTC-26JUN26-70000-C,1775001600123000,1775001600223000,call,70000,1782460800000000,' +
    '0.049,10,0.051,12\n'
  const message = await userErrorOf(() => imported(written('deribit_options_chain.csv', text)))
  expect(message).toContain('options')
})

test('a row of trades that comes again is one trade, by exchange and symbol', async () => {
  const row = (exchange: string, id: number) =>
    `${exchange},BTCUSDT,1775001600123000,1775001600223000,${id},buy,68000.1,0.001\n`
  const text =
    'exchange,symbol,timestamp,local_timestamp,id,side,price,amount\n' +
    [row('bybit', 7), row('bybit', 7), row('binance-futures', 7), row('bybit', 8)].join('')
  const { events, leftOut } = await imported(written('trades.csv', text))
  expect(events).toHaveLength(3)
  expect([...leftOut.values()]).toContain(1)
})

test('a line of JSON that cannot be right is refused by its field', async () => {
  const map = written(
    'fields.yaml',
    'records:\n  - {kind: trade, coinName: BTC, time: t, px: p, sz: q, side: s}\n',
  )
  const refusalOf = async (record: object) => {
    const file = written(
      'fields.jsonl',
      lines({ t: 1775001600123, p: '1', q: '1', s: 'buy', ...record }),
    )
    return userErrorOf(() => imported(file, { mapping: readMapping(map) }))
  }
  expect(await refusalOf({ p: 'one' })).toContain('p')
  expect(await refusalOf({ p: 'one' })).toContain('in p has "one"')
  expect(await refusalOf({ q: null })).toMatch(/\bq\b/)
  expect(await refusalOf({ t: 'late' })).toMatch(/\bt\b.*"late"/)
})
