import type { Deviation } from '../deviation.ts'
import { answer, data, deviationsOf, reading } from './shorthand.ts'

/** Deviations of features of the whole market. */
export const MIX_DEVIATIONS: readonly Deviation[] = [
  ...deviationsOf('mix.scale.coins', {
    'coins are not read': reading(/scale/, (query) => query.delete('coins')),
  }),
  ...deviationsOf('mix.scale.percent', {
    'percent is of a hundred': answer(/scale/, (text) =>
      text.replaceAll(/"percent":"(-?[\d.]+)"/g, (_, part) => `"percent":"${part * 100 + 1}"`),
    ),
  }),
  ...deviationsOf('mix.liquidations.sums', {
    'shorts are left out': data(/liq/, ({ detail }) => ({
      detail: { ...detail, liqLong24h: '1', liqShort24h: '2' },
    })),
  }),
  ...deviationsOf('mix.liquidations.currency', {
    'usd is the default': reading(/liq/, (query) => {
      if (!query.has('currency')) query.set('currency', 'usd')
    }),
  }),
]
