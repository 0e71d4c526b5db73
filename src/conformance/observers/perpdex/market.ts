/** Market-wide data of the perpetual venue, whales and forced closings. */
import type { AnswerTo } from '../../../contract/questions.ts'
import type { Probe } from '../../probe.ts'
import { type JsonObject, objectOf, objectsOf } from '../../response-reading.ts'
import { someCoin, someCoins } from '../../target-lookups.ts'
import { column, isClose, isSameJson } from '../../value-checks.ts'
import { byName, type Observers } from '../observer.ts'

export const PERPDEX_MARKET_OBSERVERS: Observers = {
  'top-coins-window': async (probe: Probe) => {
    const path = '/hl/open-interest/top-coins'
    const of = (interval: string) => objectsOf(probe, { path, query: { interval, limit: 50 } })
    const [short, long] = [await of('15m'), await of('180d')]
    const both = short.flatMap((row) => {
      const other = long.find(({ coin }) => coin === row.coin)
      return other ? [[Number(row.totalPv), Number(other.totalPv)] as const] : []
    })
    if (both.length === 0) probe.skip('no coin was traded within 15 minutes')
    return both.every(([one, other]) => isClose(one, other, 0.02)) ? 'traded' : 'opened'
  },
  'open-interest-step': async (probe: Probe) => {
    const path = `/hl/open-interest/history/${await coinName(probe)}`
    const { length } = await objectsOf(probe, { path, query: { interval: '3d' } })
    return length >= 3 && length < 24 ? 'few' : length >= 24 ? 'fine' : null
  },
  'book-summary-unit': async (probe: Probe) => {
    if ((await someCoin(probe)) !== 'BTC') probe.skip('the target does not list BTC')
    const rows = await objectsOf(probe, { path: '/hl/orderbooks/history-summaries/BTC' })
    const volumes = column(rows, 'bidVolume').filter((one) => one > 0)
    const middle = volumes.sort((a, b) => a - b)[volumes.length >> 1]
    if (middle === undefined) probe.skip('no summary of BTC has a bid')
    // So many bitcoins rest in no book, and for so few dollars nobody keeps one.
    return middle > 100_000 ? 'usd' : 'coin'
  },
  'twap-fill-form': byName(
    async (probe) => ({ path: `/hl/fills/twapid/${await someTwap(probe)}` }),
    { address: 'native', closedPnl: 'native', px: 'slice', price: 'simple' },
  ),
  'builder-fill-ids': async (probe: Probe) => {
    const [builder] = probe.target.inventory?.builders ?? []
    if (builder === undefined) probe.skip('no list of the service names a builder')
    const path = `/hl/fills/builder/${builder}/latest`
    const [fill] = await objectsOf(probe, { path, query: { limit: 1 } })
    if (fill === undefined) probe.skip('the builder has no fill')
    return 'tid' in fill && 'twapId' in fill ? 'present' : 'tid' in fill ? null : 'absent'
  },
  'whale-funding-sign': async (probe: Probe) => {
    const asked = { path: '/hl/whales/open-positions', query: { frSide: 'loss' } }
    const fees = column(await objectsOf(probe, asked), 'fundingFee').filter((one) => one !== 0)
    if (fees.length === 0) probe.skip('no whale has paid funding')
    if (fees.every((one) => one > 0)) return 'paid'
    return fees.every((one) => one < 0) ? 'received' : null
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
  'liquidation-window': async (probe: Probe) => {
    const path = '/hl/liquidations/stat'
    const of = (query: Record<string, string>) => objectOf(probe, { path, query })
    const usual = await of({})
    const alike: AnswerTo<'liquidation-window'>[] = []
    for (const interval of ['1m', '1h', '1d'] as const)
      if (isSameJson(await of({ interval }), usual)) alike.push(interval)
    return onlyOne(probe, alike)
  },
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

const coinName = async (probe: Probe) => encodeURIComponent(await someCoin(probe))

/** A TWAP that has bought or sold something. */
async function someTwap(probe: Probe): Promise<number> {
  const rows = await objectsOf(probe, { path: '/hl/twaps/top-impact' })
  const running = column(rows, 'twapId').filter(Number.isSafeInteger)
  for (const id of [...(probe.target.inventory?.twapIds ?? []), ...running].slice(0, 10))
    if ((await objectsOf(probe, { path: `/hl/fills/twapid/${id}` })).length > 0) return id
  probe.skip('no TWAP has filled anything of late')
}

async function heat(probe: Probe, coin: string, interval?: string): Promise<number> {
  const query = { coin, ...(interval === undefined ? {} : { interval }) }
  const path = '/hl/liquidations/estimated-heatmap'
  const { longTotal, shortTotal }: JsonObject = await objectOf(probe, { path, query })
  return Number(longTotal) + Number(shortTotal)
}

/** What an answer without the parameter is like, when it is like one alone. */
export function onlyOne<const A extends string>(probe: Probe, alike: readonly A[]): A | null {
  if (alike.length > 1) probe.skip(`it answers the same for ${alike.join(' and ')}`)
  return alike[0] ?? null
}
