import type { Probe } from '../../probe.ts'
import { objectsOf } from '../../response-reading.ts'
import { someTraders } from '../../target-lookups.ts'
import { column } from '../../value-checks.ts'
import { byName, type Observers } from '../observer.ts'

export const PERPDEX_FILL_OBSERVERS: Observers = {
  'fill-form': byName(
    async (probe) => ({
      path: `/hl/fills/${(await someTraders(probe))[0]}`,
      query: { limit: 1 },
    }),
    { px: 'native', price: 'simple' },
  ),
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
}

/** A TWAP that has bought or sold something. */
async function someTwap(probe: Probe): Promise<number> {
  const rows = await objectsOf(probe, { path: '/hl/twaps/top-impact' })
  const running = column(rows, 'twapId').filter(Number.isSafeInteger)
  for (const id of [...(probe.target.inventory?.twapIds ?? []), ...running].slice(0, 10))
    if ((await objectsOf(probe, { path: `/hl/fills/twapid/${id}` })).length > 0) return id
  probe.skip('no TWAP has filled anything of late')
}
