import type { Deviation } from '../deviation.ts'
import { answer, body, data, deviationsOf, reading, rows } from './shorthand.ts'

const backwards = (list: unknown[]) => [...list].reverse()
const plus = (text: unknown, part = 1.1) => String(Number(text) * part)

/** Deviations of responses about the perpetual DEX. */
export const PERPDEX_DEVIATIONS: readonly Deviation[] = [
  ...deviationsOf('perpdex.trades.fills.order', {
    'fills are in no order': data(/fills.0x/, ([one, two, ...list]) => [two, ...list, one]),
  }),
  ...deviationsOf('perpdex.trades.coin', {
    'coin is not read': reading(/fills.0x|orders/, (query) => query.delete('coin')),
    'with coin one is missing': data(/[?&]coin=/, (list) =>
      Array.isArray(list) ? list.slice(1) : list,
    ),
  }),
  ...deviationsOf('perpdex.trades.top.order', {
    'the least trades come first': data(/top-trades/, backwards),
    'val is the size': rows(/top-trades/, (row) => ({ ...row, val: row.sz })),
  }),
  ...deviationsOf('perpdex.trades.builder.least', {
    'minVal is not read': reading(/builder/, (query) => query.delete('minVal')),
  }),
  ...deviationsOf('perpdex.orders.order', {
    'orders come oldest first': data(/\/orders.0x/, backwards),
    'filled orders come oldest first': data(/filled-orders.0x/, backwards),
  }),
  ...deviationsOf('perpdex.orders.status', {
    'filled is called done': answer(/orders/, (text) => text.replaceAll('"filled"', '"done"')),
    'status is in capitals': answer(/\/orders/, (text) =>
      text.replaceAll(/"status":"(\w+)"/g, (_, word) => `"status":"${word.toUpperCase()}"`),
    ),
  }),
  ...deviationsOf('perpdex.orders.by-id', {
    'an order by id has another side': data(/orders.oid/, (row) => ({ ...row, side: 'hold' })),
    'an order by id is null': body(/orders.oid/, (envelope) => ({ ...envelope, data: null })),
  }),
  ...deviationsOf('perpdex.orders.fills', {
    'a fill of an order is missing': data(/fills.oid/, (list) => list.slice(1)),
    'filledSize is the size left': rows(/filled-orders.0x/, (row) => ({ ...row, filledSize: '0' })),
  }),
  ...deviationsOf('perpdex.orders.top.value', {
    'val is by another price': rows(/top-open/, (row) => ({ ...row, val: plus(row.val) })),
    'distPct is a fraction': rows(/top-open/, (row) => ({ ...row, distPct: row.distPct / 100 })),
    'min_val is not read': reading(/top-open/, (query) => query.delete('min_val')),
  }),
  ...deviationsOf('perpdex.orders.stats', {
    'totalCount counts bids only': data(/stats/, (row) => ({ ...row, totalCount: row.bidCount })),
    'a threshold counts from below': reading(/stats/, (query) => {
      const given = Number(query.get('whale_threshold'))
      query.set('whale_threshold', String(10_000_000 - given))
    }),
  }),
  ...deviationsOf('perpdex.orders.filled-among-all', {
    'orders leave out filled ones': data(/\/orders.0x/, (list) =>
      list.filter(({ status }: { status: string }) => status !== 'filled'),
    ),
  }),
  ...deviationsOf('perpdex.positions.end', {
    'a current position has an end': data(/current-position/, (row) => ({
      ...row,
      endTime: row.startTime,
    })),
    'a completed position has no end': data(/completed-position/, ({ endTime: _, ...row }) => row),
  }),
  ...deviationsOf('perpdex.positions.times', {
    'startTime is a second late': data(/completed-position/, (row) => ({
      ...row,
      startTime: new Date(Date.parse(row.startTime) + 1000).toISOString(),
    })),
  }),
  ...deviationsOf('perpdex.positions.intervals', {
    'interval is not read': reading(/position/, (query) => query.set('interval', '1h')),
    'a minute is an interval': reading(/position/, (query) => {
      if (query.get('interval') === '1m') query.set('interval', '1h')
    }),
  }),
  ...deviationsOf('perpdex.positions.executions', {
    'what was sold is not counted': data(/executions/, (row) => ({
      ...row,
      executions: row.executions.map((one: object) => ({ ...one, sellSz: '0' })),
    })),
    'an average price is missing': answer(/executions/, (text) =>
      text.replaceAll(/AvgPx":"[^"]*"/g, 'AvgPx":null'),
    ),
  }),
  ...deviationsOf('perpdex.positions.two-lists', {
    'PnL by time is another': answer(/by-time/, (text) =>
      text.replaceAll(/"pnl":"([-\d.]+)"/g, (_, pnl) => `"pnl":"${Number(pnl) + 1}"`),
    ),
  }),
  ...deviationsOf('perpdex.accounts.values', {
    'spotValue is negative': rows(/accounts/, (row) => ({ ...row, spotValue: '-1' })),
    'totalValue leaves spot out': rows(/accounts/, (row) => ({ ...row, totalValue: '0' })),
  }),
  ...deviationsOf('perpdex.accounts.perp', {
    'perpValue has builder dexes in it': rows(/accounts/, (row) => ({
      ...row,
      perpValue: String(Number(row.perpValue) + 500),
    })),
  }),
  ...deviationsOf('perpdex.accounts.builder-perp', {
    'builderPerpValue is left at 0': rows(/accounts/, (row) => ({ ...row, builderPerpValue: '0' })),
    'dex is not read': reading(/clearinghouse/, (_, given) => {
      if (given) given.dex = ''
    }),
  }),
  ...deviationsOf('perpdex.accounts.state.sums', {
    'totalNtlPos is another': answer(/clearinghouse/, (text) =>
      text.replaceAll(/"totalNtlPos":"([1-9][\d.]*)"/g, '"totalNtlPos":"1$1"'),
    ),
  }),
  ...deviationsOf('perpdex.accounts.state.info', {
    'POST /info is of another user': reading(/info/, (_, given) => {
      if (given?.user) given.user = '0x000000000000000000000000000000000000dead'
    }),
  }),
  ...deviationsOf('perpdex.accounts.statistics', {
    'pnlList is always given': rows(/statistics/, (row) => ({ ...row, pnlList: [] })),
    'pnlList is never given': rows(/statistics/, (row) => ({ ...row, pnlList: null })),
    '30 days are the default': reading(/statistics/, (_, given) => {
      if (given) given.period ??= 30
    }),
  }),
  ...deviationsOf('perpdex.market.tickers', {
    'a ticker is of another instant': data(/tickers.coin/, (row) => ({
      ...row,
      price: plus(row.price),
    })),
  }),
  ...deviationsOf('perpdex.market.books', {
    'POST /info has an older book': answer(/info/, (text) =>
      text.replaceAll(/"px":"(\d+)/g, '"px":"1$1'),
    ),
  }),
  ...deviationsOf('perpdex.market.candles', {
    'POST /info counts other trades': answer(/info/, (text) =>
      text.replaceAll(/"n":(\d+)/g, '"n":1$1'),
    ),
  }),
  ...deviationsOf('perpdex.market.liquidations', {
    'the total leaves shorts out': data(/liquidations.stat\?/, (row) => ({
      ...row,
      totalFilled: '1',
    })),
    'a coin is missing': data(/stat-by-coin/, (list) => list.slice(1)),
  }),
  ...deviationsOf('perpdex.market.whales', {
    'a coin has all whales and one': data(/directions.*coin=/, (row) => ({
      ...row,
      longCount: row.longCount + 1000,
    })),
  }),
]
