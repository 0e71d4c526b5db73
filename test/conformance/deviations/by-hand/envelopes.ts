import type { Deviation } from '../deviation.ts'
import { answer, data, deviationsOf, reading, rows } from './shorthand.ts'

/** Deviations of response envelopes. */
export const ENVELOPES_DEVIATIONS: readonly Deviation[] = [
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
  ...deviationsOf('envelopes.prefix', {
    'paths are served without a prefix': {
      request: (sent) => ({ ...sent, path: sent.path.replace(/^\/coin/, '/v2/coin') }),
    },
  }),
]
