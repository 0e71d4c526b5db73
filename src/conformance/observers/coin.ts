import { byName, type Observers } from './observer.ts'

export const COIN_OBSERVERS: Observers = {
  'coin-ticker-variant': byName(() => ({ path: '/coin/ticker', query: { coin_list: 'bitcoin' } }), {
    degree_7day_usd: 'current',
    usdt_funding_rate: 'older',
  }),
}
