import { answer, body, type Deviation, data, deviationsOf, reading, rows } from './deviation.ts'

/** What a service can do wrong in answers about coins, stocks, books and histories. */
export const ANSWER_DEVIATIONS: readonly Deviation[] = [
  ...deviationsOf('envelopes.a', {
    'errorCode is text': answer(/coin/, (text) => text.replace(':200,', ':"200",')),
    'errorCode is 0': answer(/mix/, (text) => text.replace('"errorCode":200', '"errorCode":0')),
    'error is null': answer(/index/, (text) => text.replace('"error":""', '"error":null')),
  }),
  ...deviationsOf('envelopes.b', {
    'code is a number': answer(/tickers/, (text) => text.replace('"code":"0"', '"code":0')),
    'msg is called message': answer(/stats/, (text) => text.replace('"msg"', '"message"')),
  }),
  ...deviationsOf('envelopes.b.latest-depth', {
    'latest-depth says "0"': answer(/latest-depth/, (text) => text.replace('"200"', '"0"')),
  }),
  ...deviationsOf('envelopes.b.message', {
    'the funding history says msg': answer(/funding/, (text) => text.replace('"message"', '"msg"')),
  }),
  ...deviationsOf('envelopes.c', {
    'failure in C has message': answer(/register/, (text) => text.replace('"error"', '"message"')),
  }),
  ...deviationsOf('envelopes.numbers', {
    'a price has an exponent': rows(/\/tickers/, (row) => ({ ...row, price: '1e5' })),
    'a value has commas': rows(/top-trades/, (row) => ({ ...row, val: '1,234.5' })),
    'a ratio is NaN': data(/active-stats/, (row) => ({ ...row, bidValueRatio: 'NaN' })),
    'a time has a fraction': rows(/top-trades/, (row) => ({ ...row, time: row.time + 0.5 })),
  }),
  ...deviationsOf('envelopes.parameters', {
    'limit is not read': reading(/top-trades/, (query) => query.delete('limit')),
    'the body is answered in another order': data(/accounts/, (list) => list.slice(1)),
  }),
  ...deviationsOf('coin.keys', {
    'a coin stands twice': data(/\/coin\?/, (list) => [list[0], ...list]),
  }),
  ...deviationsOf('coin.lists', {
    'a ticker too many': data(/coin.ticker/, (list) => [...list, { coin_key: 'dogecoin' }]),
  }),
  ...deviationsOf('index.count', {
    'count is a number': data(/getIndex/, (page) => ({ ...page, count: Number(page.count) })),
    'count is one too high': data(/getIndex/, (page) => ({ ...page, count: `${page.count}0` })),
  }),
  ...deviationsOf('stock.quotes', {
    'the default is one quote': data(/quotes/, (list) => list.slice(0, 1)),
    'tickers are not read': reading(/quotes/, (query) => query.delete('tickers')),
  }),
  ...deviationsOf('stock.gainers.order', {
    'losers come first': data(/top-gainer/, (list) => [...list].reverse()),
  }),
  ...deviationsOf('stock.gainers.markets', {
    'hk_stock is not read': reading(/gainer/, (query) => query.delete('hk_stock')),
    'a stock of HK is in USD': rows(/gainer/, (row) => ({ ...row, currency: 'USD' })),
  }),
  ...deviationsOf('stock.gainers.no-indexes', {
    'an index is ranked': data(/gainer/, (list) => [{ ...list[0], symbol: '^GSPC' }, ...list]),
  }),
  ...deviationsOf('stock.gainers.post', {
    'POST is of another market': reading(/gainer/, (_, given) => {
      if (given) given.hk_stock = false
      if (given) given.us_stock = true
    }),
  }),
  ...deviationsOf('futures.depth.order', {
    'asks fall': data(/full-depth/, (book) => ({ ...book, asks: [...book.asks].reverse() })),
    'bids rise': data(/latest-depth/, (book) => ({ ...book, bids: [...book.bids].reverse() })),
    'the sides are swapped': data(/full-depth/, (book) => ({
      ...book,
      asks: book.bids,
      bids: book.asks,
    })),
    'two asks are at one price': data(/latest-depth/, (book) => ({
      ...book,
      asks: [book.asks[0], ...book.asks],
    })),
  }),
  ...deviationsOf('futures.depth.latest.fields', {
    'length is of one side': data(/latest/, (book) => ({ ...book, length: book.bids.length })),
    'now is ISO 8601': data(/latest/, (book) => ({ ...book, now: '2026-01-01T00:00:00Z' })),
    'ds is text': data(/latest/, (book) => ({ ...book, ds: '1' })),
    'result is ok': data(/latest/, (book) => ({ ...book, result: 'ok' })),
  }),
  ...deviationsOf('futures.depth.latest.size', {
    'size is one too many': reading(/latest/, (query) => {
      query.set('size', String(Number(query.get('size')) + 1))
    }),
    'size is not read': reading(/latest/, (query) => query.delete('size')),
  }),
  ...deviationsOf('futures.depth.newest', {
    'latest-depth is of an older book': data(/latest/, (book) => ({
      ...book,
      bids: [['1', '1'], ...book.bids],
    })),
  }),
  ...deviationsOf('futures.depth.grouped', {
    'intervals are twice as wide': reading(/grouped/, (query) => {
      query.set('groupSize', String(Number(query.get('groupSize')) * 2))
    }),
    'an interval is left out': data(/grouped/, (book) => ({ ...book, bids: book.bids.slice(1) })),
    'a level is missing from a sum': data(/grouped/, (book) => ({
      ...book,
      asks: book.asks.map(([from, to]: string[]) => [from, to, '0.001']),
    })),
  }),
  ...deviationsOf('futures.depth.group-size', {
    'groupSize 0 is taken': reading(/grouped/, (query) => {
      if (query.get('groupSize') === '0') query.set('groupSize', '10')
    }),
    'groupSize has a default': reading(/grouped/, (query) => {
      if (!query.has('groupSize')) query.set('groupSize', '10')
    }),
  }),
  ...deviationsOf('futures.history.candles', {
    'high and low are swapped': rows(/history\?/, (row) => ({
      ...row,
      high: row.low,
      low: row.high === row.low ? '-1' : row.high,
    })),
    'the newest comes first': data(/funding-rate.history/, (list) => [...list].reverse()),
  }),
  ...deviationsOf('futures.history.raw-rate', {
    'rates are percentages': rows(/funding/, (row) => ({ ...row, close: `${row.close * 1e4}` })),
  }),
  ...deviationsOf('futures.history.window', {
    'start_time is not read': reading(/funding/, (query) => query.delete('start_time')),
    'end_time is not read': reading(/open-interest/, (query) => query.delete('end_time')),
  }),
  ...deviationsOf('futures.history.estimated.leverage', {
    'leverage is not read': reading(/estimated/, (query) => query.delete('leverage')),
    'empty is 25': reading(/estimated/, (query) => {
      if (!query.get('leverage')) query.set('leverage', '25')
    }),
  }),
  ...deviationsOf('futures.history.estimated.cells', {
    'to comes before from': answer(/estimated/, (text) =>
      text.replaceAll(/\["([\d.]+)","([\d.]+)",/g, '["$2","$1",'),
    ),
  }),
  ...deviationsOf('envelopes.prefix', {
    'paths are served without a prefix': (carrier) => ({
      ...carrier,
      request: (sent) =>
        carrier.request({ ...sent, path: sent.path.replace(/^\/coin/, '/v2/coin') }),
    }),
  }),
  ...deviationsOf('errors.silent-caps', {
    'too many addresses are an error': body(/statistics/, (whole) =>
      whole.data?.length === 50 ? { code: '400', msg: 'too many', data: null } : whole,
    ),
  }),
]
