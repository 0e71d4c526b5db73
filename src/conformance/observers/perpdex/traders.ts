/** Analytics of accounts. */

import type { Probe, ProbeRequest } from '../../probe.ts'
import {
  isJsonObject,
  isSuccess,
  type JsonObject,
  objectOf,
  objectsOf,
} from '../../response-reading.ts'
import { someClosedPosition, someTraders, UNUSED_ADDRESS } from '../../target-lookups.ts'
import { isClose, isSameJson } from '../../value-checks.ts'
import { among, bySuccess, dataFrom, dataIn, type Observers } from '../observer.ts'
import { onlyOne } from './market.ts'

export const PERPDEX_TRADER_OBSERVERS: Observers = {
  'completed-by-time-coin': async (probe: Probe) => {
    const { address } = await someClosedPosition(probe)
    const path = `/hl/traders/${address}/completed-trades/by-time`
    const count = async (body: object) => {
      const data = await dataIn(probe, { method: 'POST', path, body })
      return Array.isArray(data) ? data.length : isJsonObject(data) ? Number(data.total) : 0
    }
    if ((await count({})) === 0) probe.skip('the account has no completed trade by time')
    return (await count({ coin: 'NONE' })) > 0 ? 'ignored' : 'counts'
  },
  'dex-unknown': bySuccess(
    () => ({
      method: 'POST',
      path: '/hl/traders/clearinghouse-state',
      body: { addresses: [UNUSED_ADDRESS], dex: 'nosuchdex' },
    }),
    'empty',
    'refuse',
  ),
  'trader-period': async (probe: Probe) => {
    const { address } = await someClosedPosition(probe)
    const path = `/hl/traders/${address}/addr-stat`
    return onlyOne(probe, await leftOut(probe, path, 'period', ['7', '0']))
  },
  'window-days': async (probe: Probe) => {
    for (const address of (await someTraders(probe)).slice(0, MOST)) {
      const path = `/hl/ledger-updates/net-flow/${address}`
      const alike = await leftOut(probe, path, 'days', ['7', '30'])
      if (alike.length < 2) return onlyOne(probe, alike)
    }
    probe.skip('nothing has flowed to or from the latest traders but within a week')
  },
  'drawdown-net-in': async (probe: Probe) => {
    let compared = 0
    for (const address of (await someTraders(probe)).slice(0, MOST)) {
      const query = { days: 30 }
      const { netIn } = await objectOf(probe, { path: `/hl/max-drawdown/${address}`, query })
      const path = `/hl/ledger-updates/net-flow/${address}`
      const { netPerpIn } = await objectOf(probe, { path, query })
      if (!isClose(netIn, netPerpIn)) return 'between'
      if (Number(netIn) !== 0) compared++
    }
    return compared > 0 ? 'window' : probe.skip('nothing has flowed to the latest traders')
  },
  'batch-most': async (probe: Probe) => {
    const [address] = await someTraders(probe)
    const body = { addresses: Array(2_001).fill(address) }
    const asked: ProbeRequest = { method: 'POST', path: '/hl/traders/accounts', body }
    const { length } = await objectsOf(probe, asked)
    return among(length, ['2000', '50'])
  },
  'account-mode': async (probe: Probe) => {
    for (const row of await accounts(probe)) {
      const [spot, perp, total] = [row.spotValue, row.perpValue, row.totalValue].map(Number)
      if (!(Math.abs(perp as number) > 1)) continue
      if (isClose(total, (spot as number) + (perp as number), 1e-3)) return 'separated'
      return isClose(total, spot, 1e-3) ? 'unified' : null
    }
    probe.skip('none of the latest traders has perpetual equity')
  },
  'portfolio-builder-dexes': async (probe: Probe) => {
    for (const { address, totalValue, builderPerpValue } of await accounts(probe)) {
      const [total, builders] = [Number(totalValue), Number(builderPerpValue)]
      if (isClose(total, total + builders, 0.01)) continue
      const data = await objectOf(probe, { path: `/hl/portfolio/${address}/week` })
      const curve = Array.isArray(data.accountValue) ? data.accountValue : []
      const last = (curve.at(-1) as JsonObject | undefined)?.value
      if (isClose(last, total, 1e-3)) return 'left-out'
      return isClose(last, total + builders, 1e-3) ? 'counted' : null
    }
    probe.skip('none of the latest traders has equity on a builder dex')
  },
}

/** Accounts that are looked at, one call or two each. */
const MOST = 10

/** The latest traders of some coins. */
const accounts = async (probe: Probe): Promise<JsonObject[]> =>
  objectsOf(probe, {
    method: 'POST',
    path: '/hl/traders/accounts',
    body: { addresses: await someTraders(probe) },
  })

/** Which of some values a parameter may have had when it was left out, or that it may not be. */
async function leftOut<const A extends string>(
  probe: Probe,
  path: string,
  name: string,
  values: readonly A[],
): Promise<(A | 'refuse')[]> {
  const exchange = await probe.request({ path })
  if (!isSuccess(exchange)) return exchange.status < 500 ? ['refuse'] : []
  const alike: A[] = []
  for (const value of values)
    if (isSameJson(await dataIn(probe, { path, query: { [name]: value } }), dataFrom(exchange)))
      alike.push(value)
  return alike
}
