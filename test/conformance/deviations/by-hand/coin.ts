import type { Deviation } from '../deviation.ts'
import { data, deviationsOf } from './shorthand.ts'

/** Deviations of coins. */
export const COIN_DEVIATIONS: readonly Deviation[] = [
  ...deviationsOf('coin.keys', {
    'a coin stands twice': data(/\/coin\?/, (list) => [list[0], ...list]),
  }),
  ...deviationsOf('coin.lists', {
    'a ticker too many': data(/coin.ticker/, (list) => [...list, { coin_key: 'dogecoin' }]),
  }),
]
