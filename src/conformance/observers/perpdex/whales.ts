import type { Probe } from '../../probe.ts'
import { objectsOf } from '../../response-reading.ts'
import { column, isIncreasing } from '../../value-checks.ts'
import type { Observers } from '../observer.ts'

export const PERPDEX_WHALE_OBSERVERS: Observers = {
  'whale-funding-sign': async (probe: Probe) => {
    const request = { path: '/hl/whales/open-positions', query: { frSide: 'loss' } }
    const fees = column(await objectsOf(probe, request), 'fundingFee').filter((one) => one !== 0)
    if (fees.length === 0) probe.skip('no whale has paid funding')
    if (fees.every((one) => one > 0)) return 'paid'
    return fees.every((one) => one < 0) ? 'received' : null
  },
  'whale-ratio-order': async (probe) => {
    const path = '/hl/whales/history-long-ratio'
    const times = column(await objectsOf(probe, { path, query: { interval: '1d' } }), 'time')
    if (times.length < 2) return null
    return isIncreasing(times) ? 'oldest' : isIncreasing(times.toReversed()) ? 'newest' : null
  },
  'whale-event-coin': async (probe: Probe) => {
    const path = '/hl/whales/latest-events'
    const symbols = async (query: object) =>
      (await objectsOf(probe, { path, query: { limit: 100, ...query } })).map(
        ({ symbol }) => symbol,
      )
    const all = [...new Set(await symbols({}))]
    if (all.length < 2) probe.skip('whales have acted in one coin only')
    const coin = String(all.at(-1))
    return (await symbols({ coin })).every((one) => one === coin) ? 'filtered' : 'ignored'
  },
}
