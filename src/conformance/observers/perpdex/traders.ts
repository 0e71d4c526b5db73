import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import type { ProbeRequest } from '../../probe-request.ts'
import { isSuccess, objectOf, objectsOf } from '../../response-reading.ts'
import { someOpenPosition, someTraders, UNUSED_ADDRESS } from '../../target-lookups.ts'
import { isClose, isSameJson } from '../../value-checks.ts'
import { among, bySuccess, dataFrom, dataIn, firstOf, type Observers } from '../observer.ts'
import { onlyOne, valuesWhenOmitted } from '../omitted-parameter.ts'

const pnls = (names: string) => (names === 'ts,v' ? 'short' : names === 'time,pnl' ? 'long' : null)

export const PERPDEX_TRADER_OBSERVERS: Observers = {
  'pnl-point-names': async (probe) => {
    const { address } = await someOpenPosition(probe)
    const curve = await dataIn(probe, { path: `/hl/pnls/${address}`, query: { period: 7 } })
    const body = { addresses: [address], pnlList: true, period: 7 }
    const rows = await dataIn(probe, { method: 'POST', path: '/hl/traders/statistics', body })
    const [one, listed] = [firstOf(curve), firstOf(firstOf(rows).pnlList)]
    const [here, there] = [one, listed].map((point) => pnls(Object.keys(point).join(',')))
    if (here === 'long' && there === 'short') return 'documented'
    return here !== undefined && here === there ? here : null
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
  'window-days': async (probe: Probe) => {
    for (const address of (await someTraders(probe)).slice(0, MAX_TRADERS)) {
      const path = `/hl/ledger-updates/net-flow/${address}`
      const alike = await valuesWhenOmitted(probe, path, 'days', ['7', '30'])
      if (alike.length < 2) return onlyOne(probe, alike)
    }
    probe.skip('nothing has flowed to or from the latest traders but within a week')
  },
  'drawdown-net-in': async (probe: Probe) => {
    let compared = 0
    for (const address of (await someTraders(probe)).slice(0, MAX_TRADERS)) {
      const query = { days: 30 }
      const { netIn } = await objectOf(probe, { path: `/hl/max-drawdown/${address}`, query })
      const path = `/hl/ledger-updates/net-flow/${address}`
      const { netPerpIn } = await objectOf(probe, { path, query })
      if (!isClose(netIn, netPerpIn)) return 'between'
      if (Number(netIn) !== 0) compared++
    }
    return compared > 0 ? 'window' : probe.skip('nothing has flowed to the latest traders')
  },
  'batch-drawdown-keys': async (probe) => {
    const { address } = await someOpenPosition(probe)
    const body = { addresses: [address], days: 30 }
    const path = '/hl/batch-max-drawdown'
    const row = firstOf(await dataIn(probe, { method: 'POST', path, body }))
    if (!('Address' in row)) return null
    return 'address' in row ? 'both' : 'capitals'
  },
  'batch-most': async (probe: Probe) => {
    const [address] = await someTraders(probe)
    const body = { addresses: Array(2_001).fill(address) }
    const request: ProbeRequest = { method: 'POST', path: '/hl/traders/accounts', body }
    const { length } = await objectsOf(probe, request)
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
  'page-beyond-last': async (probe) => {
    const asked = (pageNum: number): ProbeRequest => ({
      method: 'POST',
      path: '/hl/traders/discover',
      body: { pageNum, pageSize: 1, selects: ['address'], sort: { field: 'address' } },
    })
    const beyond = await probe.request(asked(21))
    if (!isSuccess(beyond)) return beyond.status < 500 ? 'refuse' : null
    const last = await objectOf(probe, asked(20))
    if (firstOf(last.list).address === undefined) probe.skip('there are fewer traders than 20')
    return isSameJson(dataFrom(beyond), last) ? 'last' : null
  },
  'smart-find-form': async (probe) => {
    const request = { method: 'POST', path: '/hl/smart/find', body: { period: 7 } } as const
    const data = await dataIn(probe, request)
    return Array.isArray(data) ? 'list' : isJsonObject(data) ? 'page' : null
  },
}

/** Accounts that are looked at, one call or two each. */
const MAX_TRADERS = 10

/** The latest traders of some coins. */
const accounts = async (probe: Probe): Promise<JsonObject[]> =>
  objectsOf(probe, {
    method: 'POST',
    path: '/hl/traders/accounts',
    body: { addresses: await someTraders(probe) },
  })
