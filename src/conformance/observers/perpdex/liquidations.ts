/** Liquidations of the perpetual DEX. */
import type { AnswerTo } from '../../../contract/questions.ts'
import type { JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import { objectOf } from '../../response-reading.ts'
import { someCoin, someCoins } from '../../target-lookups.ts'
import { isClose, isSameJson } from '../../value-checks.ts'
import { bySuccess, type Observers } from '../observer.ts'
import { onlyOne } from '../omitted-parameter.ts'

export const PERPDEX_LIQUIDATION_OBSERVERS: Observers = {
  'liquidation-window': async (probe: Probe) => {
    const path = '/hl/liquidations/stat'
    const of = (query: Record<string, string>) => objectOf(probe, { path, query })
    const usual = await of({})
    const alike: AnswerTo<'liquidation-window'>[] = []
    for (const interval of ['1m', '1h', '1d'] as const)
      if (isSameJson(await of({ interval }), usual)) alike.push(interval)
    return onlyOne(probe, alike)
  },
  'top-positions-interval': bySuccess(
    async (probe) => ({
      path: '/hl/liquidations/top-positions',
      query: { coin: await someCoin(probe) },
    }),
    '1d',
    'refuse',
  ),
  'estimated-heatmap-interval': async (probe: Probe) => {
    for (const coin of (await someCoins(probe)).slice(0, 10)) {
      const totals = (interval?: string) => heat(probe, coin, interval)
      const [usual, all, day] = [await totals(), await totals('60d'), await totals('1d')]
      if (isClose(all, day, 0.01)) continue
      return isClose(usual, all, 0.002) ? 'all' : isClose(usual, day, 0.002) ? 'day' : null
    }
    probe.skip('all positions are of the last day, or none is')
  },
}

async function heat(probe: Probe, coin: string, interval?: string): Promise<number> {
  const query = { coin, ...(interval === undefined ? {} : { interval }) }
  const path = '/hl/liquidations/estimated-heatmap'
  const { longTotal, shortTotal }: JsonObject = await objectOf(probe, { path, query })
  return Number(longTotal) + Number(shortTotal)
}
