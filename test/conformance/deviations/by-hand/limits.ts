import type { Deviation } from '../deviation.ts'
import { answer, data, deviationsOf, reading } from './shorthand.ts'

/** Deviations of limits and fixed sets of values. */
export const LIMIT_DEVIATIONS: readonly Deviation[] = [
  ...deviationsOf('limits.addresses.large', {
    'the 2000th address is not read': reading(/accounts/, (_, given) => {
      given?.addresses.splice(1999)
    }),
    'the 2001st address is read': reading(/accounts/, (_, given) => {
      if (given?.addresses.length > 2000) given.addresses.shift()
    }),
    'too many states are an error': answer(/spot-clearing/, (text) =>
      text.length > 100_000 ? '{"code":"400","msg":"too many","data":null}' : text,
    ),
  }),
  ...deviationsOf('limits.addresses.small', {
    'statistics read 51': reading(/statistics/, (_, given) => {
      if (given?.addresses.length > 50) given.addresses.shift()
    }),
  }),
  ...deviationsOf('limits.coins', {
    'coin_list reads 50': reading(/coin.ticker/, (query) => {
      const keys = query.get('coin_list')?.split(',').slice(0, 50) ?? []
      query.set('coin_list', keys.join(','))
    }),
    'coin_list reads the last 100': reading(/coin.config/, (query) => {
      const keys = query.get('coin_list')?.split(',').slice(-100) ?? []
      query.set('coin_list', keys.join(','))
    }),
  }),
  ...deviationsOf('limits.interest', {
    'pageSize is not read': reading(/interest/, (query) => query.delete('pageSize')),
    'a page has an item more': data(/interest/, (page) => ({
      ...page,
      list: [...page.list, page.list[0]],
    })),
  }),
  ...deviationsOf('limits.indicator', {
    'size is not read': reading(/dataRecords/, (query) => query.delete('size')),
    'open_time 8 is refused': reading(/dataRecords/, (query) => {
      if (query.get('open_time') === '8') query.set('open_time', '7')
    }),
  }),
  ...deviationsOf('limits.positions', {
    'limit is not read': {
      ...reading(/position/, (query) => query.delete('limit')),
      ...data(/position-pnl/, (row) => ({ ...row, pnls: Array(21).fill(row.pnls[0]) })),
    },
  }),
  ...deviationsOf('limits.gainers', {
    'limit is not read by POST': reading(/gainer/, (_, given) => {
      Reflect.deleteProperty(given ?? {}, 'limit')
    }),
    'limit is one too high': reading(/gainer/, (query) => {
      if (query.has('limit')) query.set('limit', '3')
    }),
  }),
  ...deviationsOf('limits.values', {
    'usd is not known': reading(/interest/, (query) => {
      if (query.get('currency') === 'usd') query.set('currency', 'dollar')
    }),
    'a language that is none is taken': reading(/ai-coins/, (_, given) => {
      if (given?.language === 'nosuch') given.language = 'EN'
    }),
  }),
]
