import type { Deviation } from '../deviation.ts'
import { answer, data, deviationsOf, reading, rows } from './shorthand.ts'

/** Deviations of books and histories of pairs. */
export const FUTURES_DEVIATIONS: readonly Deviation[] = [
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
]
