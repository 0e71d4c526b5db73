/** Small files after bug reports of other tools, each handled correctly. */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ACTIVE_ACTIONS } from '../../src/contract/actions.ts'
import { Registry } from '../../src/sandbox/registry.ts'
import { RECORDED_ROUTES } from '../../src/sandbox/session/socket-upgrade.ts'
import { worldProvider } from '../../src/sandbox/world-provider.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import type { UnknownForm } from '../../src/tape/importers/form-choice.ts'
import { readMapping } from '../../src/tape/importers/mapping/mapping.ts'
import { suggestedMapping } from '../../src/tape/importers/mapping/mapping-suggestion.ts'
import { Redaction } from '../../src/tape/recorder/redaction/redaction.ts'
import { normalise } from '../../src/tape/replay/market/normalisation.ts'
import type { BookData } from '../../src/tape/tape-event.ts'
import type { ImportRequest } from '../../src/tape/tape-import.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { movedClock } from '../fixtures/moved-clock.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { readTape, userErrorOf } from '../fixtures/sample-tape.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { tapeCommand } from '../fixtures/tape-command.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const tape = tapeCommand()
const at = temporaryFolder()
const CASES = path.join(PROJECT_FOLDER, 'test/fixtures/imports')
const ROUNDED = 'digits beyond the fifteenth of a number, which was rounded'

/** Imports a case, or a file of this test, under a name of its own. */
async function imported(name: string, request: ImportRequest = {}) {
  const file = path.isAbsolute(name) ? name : path.join(CASES, name)
  const out = at(`${path.basename(name)}.tape.ndjson`)
  const report = await importTape([file], out, { secrets: new Redaction({}), ...request })
  return { ...report, out, events: await readTape(out) }
}

async function normalised(name: string) {
  const { out: recording } = await imported(name)
  const out = `${recording}.market.tape.ndjson`
  const historyOut = `${recording}.history.csv`
  const report = await normalise({ files: [recording], out, historyOut }, RECORDED_ROUTES)
  return { ...report, out, events: await readTape(out) }
}

/** A file of this test. */
function written(name: string, text: string): string {
  writeFileSync(at(name), text)
  return at(name)
}

/** `POST /info` responses of a tape's market some seconds after its end. */
async function playedOn(tape: string, seconds: number, history: string[] = []) {
  const recordings = path.join(PROJECT_FOLDER, 'recordings')
  const places = { recordings, cacheDir: at('worlds'), log: () => {} }
  const worlds = worldProvider({ ...places, tape, seed: 1, history })
  const { systemClock } = movedClock()
  const options = { clock: 'held', epoch: 'tape', questions: { 'info-types': 'all' } } as const
  const registry = new Registry(worlds, ACTIVE_ACTIONS, options, systemClock)
  const sandbox = await registry.open()
  await sandbox.clock.advance(seconds * 1000)
  const { request } = memoryTransport(registry)
  return (body: object) => {
    const query = signedQuery({ accessKey: 'demo' }, systemClock)
    const answer = request('POST', `/api/upgrade/v2/hl/info?${query}`, JSON.stringify(body))
    return JSON.parse(answer.body).data
  }
}

test('a coin whose price is one observed step continues after the tape', async () => {
  const { out, header } = await normalised('one_step_coin.har')
  expect(header.instruments.map(({ coin, pxDecimals }) => [coin, pxDecimals])).toEqual([
    ['BTC', 1],
    ['@220', 3],
  ])
  const mids = (await playedOn(out, 40))({ type: 'allMids' })
  expect(Object.keys(mids).sort()).toEqual(['@220', 'BTC'])
  expect(Number(mids['@220'])).toBeWithin(0.9, 1.1)
})

test('so does one of an exchange with whole prices', async () => {
  const { out, header } = await imported('stable_tardis_trades.csv')
  expect(header.instruments.map(({ pxDecimals }) => pxDecimals)).toEqual([3, 1])
  const [stable] = header.instruments
  const book = (await playedOn(out, 40))({ type: 'l2Book', coin: stable?.coin })
  for (const side of book.levels) expect(Number(side[0].px)).toBeWithin(0.9, 1.1)
})

test("decimals are the venue's where the recording names them", async () => {
  const file = written(
    'pairs.har',
    harOf([
      ['spotMetaAndAssetCtxs', [SPOT_META, [{ coin: '@33', markPx: '0.00000052' }]]],
      ['allMids', { '@33': '0.00000052', '@7': '0.00000052', BTC: '92010' }],
      ['meta', { universe: [{ name: 'BTC', szDecimals: 5, maxLeverage: 40 }] }],
    ]),
  )
  const { header, out } = await normalised(file)
  const decimals = header.instruments.map((one) => [one.coin, one.pxDecimals, one.szDecimals])
  expect(decimals.sort()).toEqual([
    ['@33', 8, 0],
    ['@7', 8, 0],
    ['BTC', 1, 5],
  ])
  expect((await playedOn(out, 0))({ type: 'allMids' })['@33']).toBe('0.00000052')
})

const SPOT_META = {
  tokens: [
    { name: 'USDC', index: 0, szDecimals: 8 },
    { name: 'CHEAP', index: 5, szDecimals: 0 },
  ],
  universe: [{ name: '@33', tokens: [5, 0], index: 33 }],
}

/** A document of responses to `POST /info`, a second apart. */
function harOf(said: readonly (readonly [type: string, data: unknown])[]): string {
  const entries = said.map(([type, data], at) => ({
    startedDateTime: `2025-12-04T10:00:0${at}.000Z`,
    time: 10,
    request: {
      method: 'POST',
      url: 'https://api.hyperliquid.xyz/info',
      headers: [],
      postData: { mimeType: 'application/json', text: JSON.stringify({ type }) },
    },
    response: {
      status: 200,
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      content: { mimeType: 'application/json', text: JSON.stringify(data) },
    },
  }))
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'c', version: '1' }, entries } })
}

test('numbers of more than fifteen digits are rounded and counted, not left out', async () => {
  const meta = await normalised('digits_meta.har')
  expect(meta.leftOut.map(({ what, count }) => [what, count])).toEqual([[ROUNDED, 1]])
  expect(meta.events.find(({ kind }) => kind === 'interest')?.data).toEqual({
    openInterest: '1082156.5716',
  })
  const candle = await normalised('digits_candle.har')
  expect(candle.leftOut.map(({ what }) => what)).toEqual([ROUNDED])
  expect(candle.recognised.map(({ what }) => what)).toContain('info/candleSnapshot')
  const context = await imported('digits_ctx.log')
  expect([...context.leftOut]).toEqual([[ROUNDED, 1]])
  expect(context.events.find(({ kind }) => kind === 'interest')?.data).toEqual({
    openInterest: '605822.2558',
  })
  const bars = await imported('digits_BTC-1m.csv', { coin: 'BTC' })
  expect([...bars.leftOut]).toContainEqual([ROUNDED, 1])
  const doubles = await imported('double_artifact_tardis_trades.parquet')
  expect([...doubles.leftOut]).toEqual([[ROUNDED, 2]])
  expect(doubles.header.instruments[0]).toMatchObject({ pxDecimals: 1, szDecimals: 1 })
})

test('a history with one absurd volume casts a world of the usual size', async () => {
  const { out } = await normalised('digits_candle.har')
  const history = [`${path.dirname(out)}/digits_candle.har.tape.ndjson.history.csv`]
  const ask = await playedOn(out, 20, history)
  const req = { coin: 'BTC', interval: '1m', startTime: 1_764_760_000_000 }
  const counts = ask({ type: 'candleSnapshot', req }).map(({ n }: { n: number }) => n)
  expect(counts.length).toBeGreaterThan(1000)
  expect(Math.max(...counts)).toBeLessThan(30_000)
  const worlds = readdirSync(at('worlds')).map((name) => statSync(path.join(at('worlds'), name)))
  expect(Math.max(...worlds.map(({ size }) => size))).toBeWithin(1e6, 100e6)
})

test('an unreadable number is refused with its file, row and column', async () => {
  const head = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount\n'
  const row = 'binance-futures,BTCUSDT,1735689600000000,1735689600001000,1,buy,'
  const refusalOf = async (cells: string) =>
    (
      await userErrorOf(() => imported(written('trades.csv', `${head}${row}${cells}\n`)))
    ).replaceAll(at('x').slice(0, -1), '')
  expect(await refusalOf('93500,1_000')).toBe(
    'trades.csv: line 2 has "1_000" for a number, column amount',
  )
  expect(await refusalOf('12345678901234567,1')).toBe(
    'trades.csv: line 2 has "12345678901234567" for a decimal string, column price',
  )
  expect(await refusalOf(',1')).toBe(
    'trades.csv: line 2 lacks a number that it needs, column price',
  )
})

test('trade ids are kept up to 2^53, and repeated trades are skipped', async () => {
  const tids = async (name: string, request: ImportRequest = {}) => {
    const { events, leftOut } = await imported(name, request)
    return [events.map(({ data }) => (data as { tid?: number }).tid), Object.fromEntries(leftOut)]
  }
  const table = await tids('tid_tardis_trades.csv')
  expect(table).toEqual([[999999999999999, 1e15, 1062032029372010, 9007199254740991], {}])
  const mapping = readMapping(path.join(CASES, 'tid_map.yaml'))
  const twice = { 'trade that was there already (same tid)': 2 }
  expect(await tids('tid_map.jsonl', { mapping })).toEqual([
    [999999999999999, 1062032029372010],
    twice,
  ])
  expect(await tids('tid_native.jsonl')).toEqual([[999999999999999, 1062032029372010], {}])
})

test('a trade in two mapped files is imported once', async () => {
  const line = '{"t":1735689600000,"s":"BTC","side":"B","p":"93500","q":"0.01","i":7}\n'
  const files = ['a.jsonl', 'b.jsonl'].map((name) => written(name, line))
  const mapping = readMapping(path.join(CASES, 'tid_map.yaml'))
  const { header, leftOut } = await importTape(files, at('twice.tape.ndjson'), { mapping })
  expect([header.counts, leftOut.size]).toEqual([{ trade: 1 }, 1])
})

test('non-numeric ids are counted', async () => {
  const rows = readFileSync(path.join(CASES, 'tid_tardis_trades.csv'), 'utf8')
  const odd = rows
    .replace('9007199254740991', '9007199254740993')
    .replace(',1000000000000000,', ',x,')
  const { events, leftOut } = await imported(written('ids.csv', odd))
  expect(events.filter(({ data }) => 'tid' in data)).toHaveLength(2)
  expect([...leftOut]).toEqual([
    ['id of a trade that is no whole number below 2^53: the trade has none', 2],
  ])
})

test('a snapshot of another instant is another book', async () => {
  const { events, crossed } = await imported('always_snapshot_incremental_book_L2.csv')
  const best = events.map(({ kind, data }) => {
    const { bids, asks } = data as unknown as BookData
    return [kind, bids.length, asks.length, bids[0]?.[0], asks[0]?.[0]]
  })
  expect(best).toEqual([
    ['book', 2, 2, '100', '101'],
    ['book', 2, 2, '101', '102'],
    ['book', 2, 2, '102', '103'],
  ])
  expect(crossed).toEqual([])
})

test('a crossed book is reported with its first time', async () => {
  const rows = readFileSync(path.join(CASES, 'always_snapshot_incremental_book_L2.csv'), 'utf8')
  const file = written(
    'deltas_incremental_book_L2.csv',
    rows.replace(/(?<=[24]03000,)true/g, 'false'),
  )
  expect((await imported(file)).crossed).toEqual([
    { coin: 'BTC', count: 1, firstMs: 1735689600200, bid: '101', ask: '101' },
  ])
  const out = at('crossed.tape.ndjson')
  const [code, text] = await tape('import', file, '--out', out)
  expect(code).toBe(0)
  expect(text).toContain(
    '  crossed: the book of BTC once, first at 2025-01-01T00:00:00.200Z: bid 101, ask 101',
  )
})

/** Trades of a symbol, a row each, in an exchange's form. */
const tradesOf = (exchange: string, symbol: string, px: string, amount: string) =>
  'exchange,symbol,timestamp,local_timestamp,id,side,price,amount\n' +
  `${exchange},${symbol},1583020803145000,1583020803307160,1,sell,${px},${amount}\n`

test('contracts of a known exchange become coins, which is reported', async () => {
  const { events, knownContracts } = await imported('contracts_bitmex_trades_XBTUSD.csv')
  expect(events[0]?.data).toEqual({ side: 'A', px: '8531.5', sz: '0.25224169' })
  expect([...knownContracts]).toEqual([['XBTUSD', { size: '1', of: 'usd' }]])
  const sizes = {
    'deribit BTC-PERPETUAL': '0.2',
    'deribit BTC_USDC-PERPETUAL': '1000',
    'okex-swap BTC-USD-SWAP': '20',
    'okex-swap ETH-USD-SWAP': '2',
    'bybit BTCUSD': '0.2',
    'bybit BTCUSDT': '1000',
    'huobi-dm BTC_CQ': '20',
    'binance-delivery ETHUSD_PERP': '2',
    'cryptofacilities PI_XBTUSD': '0.2',
    'cryptofacilities PF_XBTUSD': '1000',
    'binance-futures BTCUSDT': '1000',
  }
  for (const [market, sz] of Object.entries(sizes)) {
    const [exchange = '', symbol = ''] = market.split(' ')
    const file = written(`${exchange}_${symbol}.csv`, tradesOf(exchange, symbol, '5000', '1000'))
    const { events: own } = await imported(file)
    expect([market, own[0]?.data]).toEqual([market, { side: 'A', px: '5000', sz, tid: 1 }] as never)
  }
})

test('unknown contract sizes are requested', async () => {
  const file = written('quanto.csv', tradesOf('bitmex', 'ETHUSD', '200', '1000'))
  const why = (await userErrorOf(() => imported(file))).replaceAll(at('x').slice(0, -1), '')
  expect(why).toBe(
    'quanto.csv: line 2 has a size in contracts of bitmex: --contract ETHUSD=100usd or ' +
      'ETHUSD=0.01 says what one is worth, in dollars or coins; ETHUSD=1 where sizes are coins',
  )
  const contracts = new Map([['ETHUSD', { size: '0.01', of: 'coin' } as const]])
  expect((await imported(file, { contracts })).events[0]?.data).toMatchObject({ sz: '10' })
})

test('open interest in contracts becomes coins too', async () => {
  const text =
    'exchange,symbol,timestamp,local_timestamp,funding_timestamp,funding_rate,' +
    'predicted_funding_rate,open_interest,last_price,index_price,mark_price\n' +
    'bitmex,XBTUSD,1583020803145000,1583020803307160,,0.0001,,500000,5000,5000,5000\n'
  const { events } = await imported(written('ticker.csv', text))
  expect(events.find(({ kind }) => kind === 'interest')?.data).toEqual({ openInterest: '100' })
})

test('trades too large to be cast are findings, and refused before a world is made', async () => {
  const { out, leftOut } = await imported('digits_BTC-1m.csv', { coin: 'BTC' })
  expect([...leftOut].at(0)).toEqual([
    'trade worth more than 9,007,199,254, which cannot be cast: contracts need --contract',
    4,
  ])
  const why =
    'a trade of 873917.71 BTC at 92010 is worth 80,409,168,497, and at most 9,007,199,254 is ' +
    'exact: if sizes are contracts, import with --contract'
  const [code, found] = await tape('verify', out)
  expect([code, found]).toEqual([1, expect.stringContaining(why)] as never)
  expect(await userErrorOf(() => playedOn(out, 0))).toContain(`the tape cannot be cast: ${why}`)
})

/** Trades in won, one in each six seconds. */
function wonTrades(name: string, sizes: readonly string[]): string {
  const rows = sizes.map((sz, at) => {
    const time = `${1_783_020_803_100 + at * 6000}000`
    return `upbit,KRW-BTC,${time},${time},${at},buy,140000000,${sz}\n`
  })
  const head = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount\n'
  return written(name, head + rows.join(''))
}

test('a trade in won may be worth what is exact, and its accounts have it', async () => {
  const { out, leftOut, header } = await imported(
    wonTrades('won.csv', ['50', ...Array.from({ length: 80 }, () => '0.01')]),
  )
  expect([...leftOut]).toEqual([])
  expect(header.instruments.map((one) => one.coin)).toEqual(['BTC/KRW'])
  expect((await tape('verify', out))[0]).toBe(0)
  const ask = await playedOn(out, 12)
  const [{ coin = '' } = {}] = header.instruments
  const trades = ask({ type: 'recentTrades', coin }) as { sz: string; users: string[] }[]
  const large = trades.find(({ sz }) => sz === '50.0')
  const fills = large?.users.map((user) =>
    ask({ type: 'userFills', user }).some((fill: { sz: string }) => fill.sz === '50.0'),
  )
  expect(fills).toEqual([true, true])
  const mids = (await playedOn(out, 520))({ type: 'allMids' })
  expect(Number(mids[coin])).toBeWithin(120e6, 160e6)
})

test('trades whose sums are no longer exact are refused with what would fit', async () => {
  const sizes = Array.from({ length: 30 }, () => '64')
  const { out } = await imported(wonTrades('sums.csv', sizes))
  expect(await userErrorOf(() => playedOn(out, 40))).toMatch(
    /^the tape cannot be cast: its amounts add up to more than 9,007,199,254 .+--contract/,
  )
})

test('two raw streams of the same minutes are refused, and may be merged', async () => {
  const stream = (name: string, symbol: string, fromS: number) => {
    const lines = Array.from({ length: 300 }, (_, at) => {
      const T = 1_735_689_600_000 + (fromS + at) * 1000
      return JSON.stringify({ e: 'trade', E: T, T, s: symbol, t: at, p: '100', q: '1', m: true })
    })
    return written(name, `${lines.join('\n')}\n`)
  }
  const files = [stream('a.log', 'BTCUSDT', 0), stream('b.log', 'ETHUSDT', 20)]
  const out = at('both.tape.ndjson')
  const refusalOf = async (names: string[], request: ImportRequest = {}) =>
    (await userErrorOf(() => importTape(names, out, request))).replaceAll(at('x').slice(0, -1), '')
  const why =
    'b.log: is still 180 s before the end of a.log: give files in their order; recordings of ' +
    'the same time are imported each by itself and combined with tape merge'
  expect(await refusalOf(files)).toBe(why)
  expect(await refusalOf(files, { tolerate: 1000 })).toBe(why)
  expect(await refusalOf(files.toReversed())).toStartWith('a.log: is still 220 s before the end')
  const next = stream('next.log', 'BTCUSDT', 300)
  const { late } = await importTape([files[0] ?? '', next], out)
  expect(late.count).toBe(0)
})

test('a file that begins with older trades, repeated on a subscription, is accepted', async () => {
  const start = 1_735_689_600_000
  const frame = (coin: string, tid: number, time: number) => {
    const data = [{ coin, side: 'B', px: '7', sz: '1', tid, time }]
    return `${JSON.stringify({ channel: 'trades', data })}\n`
  }
  const first = written('first.log', frame('BTC', 1, start) + frame('BTC', 2, start + 600_000))
  const second = written('second.log', frame('RARE', 3, start) + frame('BTC', 4, start + 601_000))
  const { header, late } = await importTape([first, second], at('older.tape.ndjson'))
  expect([header.counts, late.count]).toEqual([{ trade: 4 }, 1])
})

test('the greeting of the venue is skipped and counted', async () => {
  const greeted = [['greeting of the venue', 1]]
  for (const [name, count] of Object.entries({ 'greeting_first.log': 1, 'greeting_mid.log': 2 })) {
    const { forms, header, leftOut } = await imported(name)
    expect([name, forms, header.counts.trade]).toEqual([name, ['venue-native'], count])
    expect([...leftOut]).toEqual(greeted as never)
  }
})

test('lists of lists are mapped by position, in one document or a line each', async () => {
  const mapping = readMapping(path.join(CASES, 'list.yaml'))
  const { events } = await imported('list_as_lines.jsonl', { mapping })
  expect(events.map(({ time, data }) => [time, data])).toEqual([
    [1570752000011, { side: 'B', px: '0.03', sz: '10', tid: 1 }],
    [1570752001011, { side: 'A', px: '0.031', sz: '5', tid: 2 }],
  ] as never)
  const lines = readFileSync(path.join(CASES, 'list_as_lines.jsonl'), 'utf8').trim().split('\n')
  const whole = `[${lines.join(',')}]`
  const pretty = JSON.stringify(JSON.parse(whole), null, 2)
  for (const [name, text] of Object.entries({ 'list.json': whole, 'pretty.json': pretty }))
    expect((await imported(written(name, text), { mapping })).events).toEqual(events)
})

test('lists of candles are candles, and lists of objects are records', async () => {
  const rows = [0, 1, 2].map((at) => [1764842220000 + at * 60_000, '9', '9.5', '8', '9.2', '4'])
  const { forms, header } = await imported(written('BTCUSDT.json', JSON.stringify(rows)))
  expect([forms, header.counts]).toEqual([['candles'], { trade: 12 }])
  const objects = readFileSync(path.join(CASES, 'tid_map.jsonl'), 'utf8').trim().split('\n')
  const mapping = readMapping(path.join(CASES, 'tid_map.yaml'))
  const listed = written('objects.json', `[${objects.join(',')}]`)
  expect((await imported(listed, { mapping })).header.counts).toEqual({ trade: 2 })
  const broken = written('broken.json', `[${objects.join(',')}`)
  expect(await userErrorOf(() => imported(broken, { mapping }))).toContain('is not whole JSON')
})

test('of two values of a column only one needs to be named', async () => {
  const mapping = readMapping(path.join(CASES, 'aggTrades.yaml'))
  const { events } = await imported('aggTrades.csv', { mapping })
  expect(events.map(({ data }) => (data as { side: string }).side)).toEqual(['A', 'B'])
  const text = readFileSync(path.join(CASES, 'aggTrades.csv'), 'utf8')
  const third = written('third.csv', `${text}3,93500,0.01,1,1,1735689600200,maybe\n`)
  expect(await userErrorOf(() => imported(third, { mapping }))).toContain(
    'line 4 has side "maybe"; buy is false, sell true',
  )
})

test('a float of 32 bits is the shortest decimal that gives it', async () => {
  const { events } = await imported('float32_tardis_trades.parquet')
  expect(events.map(({ data }) => (data as { px: string }).px)).toContain('96543.21')
})

test('a table without a row, and files of other forms, are refused with a hint', async () => {
  expect(await userErrorOf(() => imported('empty_tardis_trades.csv'))).toBe(
    `${path.join(CASES, 'empty_tardis_trades.csv')}: there is no record in it`,
  )
  const feather = written('trades.feather', 'ARROW1\0\0 and so on')
  expect(await userErrorOf(() => imported(feather))).toEndWith(
    'trades.feather: is a Feather or Arrow file: write it as Parquet first, such as with ' +
      'pandas: read_feather(file).to_parquet(other)',
  )
})

test('a line before the header of a table is skipped', async () => {
  const rows = readFileSync(path.join(CASES, 'stable_tardis_trades.csv'), 'utf8')
  const { events } = await imported('stable_tardis_trades.csv')
  const preceded = written('preceded.csv', `https://www.example.com\n# by nobody\n\n${rows}`)
  expect((await imported(preceded)).events).toEqual(events)
})

test('columns of the best bid and ask are suggested as such', async () => {
  const file = written('best.csv', 'time,symbol,bid,bid_size,ask,ask_size\n1,BTC,1,2,3,4\n')
  const unknown = await imported(file).catch((error) => error)
  const suggested = suggestedMapping((unknown as UnknownForm).sample)
  expect(suggested).toContain('kind: bbo')
  for (const line of ['bidPx: bid', 'bidSz: bid_size', 'askPx: ask', 'askSz: ask_size'])
    expect(suggested).toContain(`    ${line}\n`)
})
