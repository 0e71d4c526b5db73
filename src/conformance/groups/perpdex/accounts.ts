/** Accounts of the perpetual DEX, their states and statistics. */

import type { Parameter } from '../../../contract/parameters.ts'
import type { TestedOperation } from '../../derived/tested-operation.ts'
import {
  builderDexes,
  type Effect,
  type EffectEntry,
  type EffectTable,
  manyTraders,
  recordsIn,
  twoBatches,
  twoTraders,
} from '../../effects/effect.ts'
import {
  both,
  differs,
  differsForSome,
  names,
  ordersBy,
  pages,
  switches,
} from '../../effects/selection.ts'
import { days, spans, widens } from '../../effects/spans.ts'
import {
  accountStatesOf,
  positionsIn,
  someOpenPosition,
  someTraders,
  UNUSED_ADDRESS,
} from '../../example-filler.ts'
import type { Case, Probe } from '../../probe.ts'
import type { ProbeRequest } from '../../probe-request.ts'
import {
  among,
  bySuccess,
  dataFrom,
  dataIn,
  firstOf,
  type Observers,
  onlyOne,
  valuesWhenOmitted,
} from '../../requirement.ts'
import {
  columnSum,
  dataOf,
  isClose,
  isJsonObject,
  isSameJson,
  isSuccess,
  type JsonObject,
  objectOf,
  objectsOf,
  retryUntilHeld,
  whileStill,
} from '../../responses.ts'

/**
 * Accounts, their statistics and their states (the service's documentation, Account, Statistics,
 * account states).
 */
export const ACCOUNT_CASES: readonly Case[] = [
  {
    id: 'perpdex.accounts.values',
    title: 'spot is never negative, and the total holds it where perpetual equity is not negative',
    checks: ['record.account.spot', 'record.account.total'],
    run: async (probe: Probe) => {
      for (const row of await accounts(probe, await someTraders(probe))) {
        const [spot, perp, total] = [row.spotValue, row.perpValue, row.totalValue].map(Number)
        probe.assert((spot ?? -1) >= 0, 'spotValue is not negative', row)
        const holds = (perp ?? 0) < 0 || (total ?? 0) >= (spot ?? 0) - 0.01
        probe.assert(holds, 'totalValue holds spotValue', row)
      }
    },
  },
  {
    id: 'perpdex.accounts.perp',
    title: 'perpValue is the account value of the main dex',
    checks: ['record.account.perp'],
    run: async (probe: Probe) => {
      const addresses = (await someTraders(probe)).slice(0, 5)
      // One by one: a single account may be unchanged where all together never are.
      for (const address of addresses)
        await retryUntilHeld(probe, () =>
          whileStill(
            async () => (await accounts(probe, [address]))[0]?.perpValue,
            async (perpValue) => {
              const [state] = await accountStatesOf(probe, [address])
              const value = state && summary(state).accountValue
              return isClose(perpValue, value, 1e-6)
                ? null
                : `perpValue of ${address} is its account value, ${value}`
            },
          ),
        )
    },
  },
  {
    id: 'perpdex.accounts.builder-perp',
    title: 'builderPerpValue is the account value of all builder dexes',
    checks: ['record.account.builderPerp', 'version.builderPerpValue'],
    run: async (probe: Probe) => {
      const dexs = await builderDexes(probe)
      const statesIn = (dex: string, of: readonly string[]) =>
        objectsOf(probe, {
          method: 'POST',
          path: '/hl/traders/clearinghouse-state',
          body: { addresses: of, dex },
        })
      const valueIn = async (address: string, dex: string) => {
        const [row] = await statesIn(dex, [address])
        return row ? Number(summary(row).accountValue) : 0
      }
      const traders = await someTraders(probe)
      // Most traders have nothing there, so a value would be no evidence.
      const owners: string[] = []
      for (const dex of dexs)
        for (const row of await statesIn(dex, traders))
          if (Number(summary(row).accountValue) > 0) owners.push(String(row.address))
      const addresses = [...new Set([...owners, ...traders])].slice(0, 5)
      for (const address of addresses)
        await retryUntilHeld(probe, () =>
          whileStill(
            async () => (await accounts(probe, [address]))[0]?.builderPerpValue,
            async (held) => {
              const values: number[] = []
              for (const dex of dexs) values.push(await valueIn(address, dex))
              const sum = values.reduce((total, value) => total + value, 0)
              return isClose(held, sum)
                ? null
                : `builderPerpValue of ${address} is that of its dexes`
            },
          ),
        )
    },
  },
  {
    id: 'perpdex.accounts.state.sums',
    title: 'the values of its positions add up to the notional of an account state',
    checks: ['record.state'],
    run: async (probe: Probe) => {
      for (const row of (await accountStatesOf(probe, await someTraders(probe))).slice(0, 20)) {
        const positions = positionsIn(row)
        const { totalNtlPos } = summary(row)
        const sum = columnSum(positions, 'positionValue')
        probe.assert(isClose(totalNtlPos, sum, 1e-4, 0.1), 'totalNtlPos is their sum', row)
        for (const { szi, coin } of positions)
          probe.assert(Number(szi) !== 0, `${coin} is held`, szi)
      }
    },
  },
  {
    id: 'perpdex.accounts.state.info',
    title: 'the state of an account is the same from POST /info and from the batch',
    checks: ['operation.perpdex.info', 'operation.perpdex.tradersClearinghouseState'],
    run: async (probe: Probe) => {
      const { address: user } = await someOpenPosition(probe)
      const held = (state: unknown) =>
        positionsIn({ state }).map(({ coin, szi, entryPx }) => [coin, szi, entryPx])
      await retryUntilHeld(probe, () =>
        whileStill(
          async () => {
            const body = { type: 'clearinghouseState', user }
            return held(await dataOf(probe, { method: 'POST', path: '/hl/info', body }))
          },
          async (info) => {
            const [row] = await accountStatesOf(probe, [user])
            return isSameJson(info, held(row?.state)) ? null : 'both have the same positions'
          },
        ),
      )
    },
  },
  {
    id: 'perpdex.accounts.statistics',
    title: 'statistics are of 7 days by default, and have a curve only on request',
    checks: ['record.statistics.pnlList', 'perpdex.statistics.period'],
    run: async (probe: Probe) => {
      const addresses = (await someTraders(probe)).slice(0, 2)
      await retryUntilHeld(probe, async () => {
        const usual = await statistics(probe, { addresses })
        const seven = await statistics(probe, { addresses, period: 7 })
        const counts = (rows: JsonObject[]) =>
          rows.map(({ positions, winRate }) => [positions, winRate])
        probe.assert(
          usual.every(({ pnlList }) => pnlList === null),
          'pnlList is null',
          usual,
        )
        return isSameJson(counts(usual), counts(seven)) ? null : 'without a period 7 days are meant'
      })
      // In this order: a position completed between two responses then counts in both.
      const seven = await statistics(probe, { addresses, period: 7 })
      const all = await statistics(probe, { addresses, period: 0, pnlList: true })
      for (const { pnlList } of all)
        probe.assert(Array.isArray(pnlList), 'pnlList is a curve when it is requested', pnlList)
      const grows = all.every((row, at) => Number(row.positions) >= Number(seven[at]?.positions))
      probe.assert(grows, 'all time has no fewer positions than 7 days', all)
    },
  },
]

const accounts = (probe: Probe, addresses: readonly string[]) =>
  objectsOf(probe, { method: 'POST', path: '/hl/traders/accounts', body: { addresses } })

const statistics = (probe: Probe, body: unknown) =>
  objectsOf(probe, { method: 'POST', path: '/hl/traders/statistics', body })

function summary({ state }: JsonObject): JsonObject {
  return isJsonObject(state) && isJsonObject(state.marginSummary) ? state.marginSummary : {}
}

// Batches of accounts that are large enough, or suitable, to show a difference.

/** For many accounts at once. */
const forMany =
  (effect: Effect): Effect =>
  async (requested: TestedOperation, parameter: Parameter) =>
    effect(requested.with({ body: { addresses: await manyTraders(requested.probe) } }), parameter)

/** For accounts with value beyond the main dex. */
const forBuilders =
  (effect: Effect): Effect =>
  async (requested: TestedOperation, parameter: Parameter) => {
    const { probe } = requested
    const body = { addresses: await someTraders(probe) }
    const rows = await objectsOf(probe, { method: 'POST', path: '/hl/traders/accounts', body })
    const addresses = rows
      .filter(({ builderPerpValue, spotValue }) => Number(builderPerpValue) + Number(spotValue) > 0)
      .map(({ address }) => String(address))
    if (addresses.length === 0) probe.skip('no account has anything besides the main dex')
    await effect(requested.with({ body: { addresses } }), parameter)
  }

const named: EffectEntry = { effect: names('address', twoBatches) }
const account: EffectEntry = { effect: differs(twoTraders) }

const numberOf = (name: string) => (data: unknown) =>
  isJsonObject(data) ? Number(data[name] ?? 0) : 0

/** Over all rows. */
const sumOf = (name: string) => (data: unknown) =>
  (Array.isArray(data) ? data : [])
    .filter(isJsonObject)
    .reduce((sum, row) => sum + Number(row[name] ?? 0), 0)

const returnOn = ({ realizedPnl, totalValue }: JsonObject) =>
  Number(realizedPnl) / Number(totalValue)

/** A search counts traders like the statistics of the same period. */
const asStatistics: Effect = (requested: TestedOperation, parameter: Parameter) =>
  retryUntilHeld(requested.probe, async () => {
    const period = 1
    const found = recordsIn(await requested.withValue(parameter, period).data()).slice(0, FOUND)
    const addresses = found.map(({ address }) => String(address))
    if (addresses.length === 0) requested.probe.skip('the search finds no account')
    const request = { method: 'POST', path: '/hl/traders/statistics' } as const
    const rows = await objectsOf(requested.probe, { ...request, body: { addresses, period } })
    const count = (of: readonly JsonObject[]) =>
      new Map(of.map(({ address, positions }) => [String(address), positions]))
    const [here, there] = [count(found), count(rows)]
    const other = addresses.find((address) => here.get(address) !== there.get(address))
    return other === undefined ? null : `positions of ${other} are those of ${period} day`
  })

/** Number of accounts compared. */
const FOUND = 20

/** Effects of account parameters, by operation and parameter. */
export const ACCOUNT_EFFECTS: EffectTable = {
  'perpdex.addrStat': {
    address: account,
    period: { effect: widens(numberOf('closePosCount'), [1, 30, 0]) },
  },
  'perpdex.batchAddrStat': {
    addresses: named,
    period: { effect: widens(sumOf('closePosCount'), [1, 7, 30, 0]) },
  },
  'perpdex.batchMaxDrawdown': {
    addresses: { effect: names((row) => row.Address ?? row.address, twoBatches) },
    days: { effect: forMany(differs([1, 90, 0])) },
    scope: { reason: 'there is one value' },
  },
  'perpdex.batchNetFlow': {
    addresses: named,
    days: { effect: forMany(differs([1, 90, 0])) },
  },
  'perpdex.batchPnls': {
    addresses: named,
    period: { effect: spans([days(1), days(7), days(30)], undefined, 'pnls') },
    scope: { listed: forBuilders(differs(['all', 'perp'])) },
  },
  'perpdex.maxDrawdown': {
    address: account,
    days: { effect: differsForSome([1, 90]) },
    scope: { reason: 'there is one value' },
  },
  'perpdex.netFlow': {
    address: { effect: differs(manyTraders) },
    days: { effect: differsForSome([1, 90]) },
  },
  'perpdex.performanceByCoin': {
    address: account,
    period: { effect: widens(sumOf('tradeCount'), [1, 0]) },
    limit: { counted: true },
  },
  'perpdex.pnls': { address: account, period: { effect: spans([days(1), days(7), days(30)]) } },
  'perpdex.portfolio': {
    address: account,
    window: {
      effect: both(
        spans([
          ['day', days(1)[1]],
          ['week', days(7)[1]],
          ['month', days(30)[1]],
        ]),
        differsForSome(['day', 'allTime']),
      ),
      checks: ['perpdex.portfolio.windows'],
    },
  },
  'perpdex.smartFind': {
    pageNum: { effect: pages('address') },
    pageSize: { counted: true },
    period: { effect: both(differs([1, 30]), asStatistics) },
    sort: {
      listed: ordersBy({
        'win-rate': 'winRate',
        'account-balance': 'totalValue',
        ROI: returnOn,
        pnl: 'realizedPnl',
        'position-count': 'positions',
        'profit-count': 'profitPositions',
        'last-operation': 'lastOperationAt',
        'avg-holding-period': 'avgHoldingSec',
        'current-position': 'currentPosition',
      }),
    },
    pnlList: { effect: switches('pnlList', { pageSize: 3 }) },
  },
  'perpdex.tradersAccounts': { addresses: named },
  'perpdex.tradersClearinghouseState': {
    addresses: named,
    dex: { caseId: 'perpdex.accounts.builder-perp' },
  },
  'perpdex.tradersSpotClearinghouseState': { addresses: named },
  'perpdex.tradersStatistics': {
    period: { effect: widens(sumOf('positions'), [1, 7, 30, 0]) },
    pnlList: { caseId: 'perpdex.accounts.statistics' },
    addresses: named,
  },
}

const pnls = (names: string) => (names === 'ts,v' ? 'short' : names === 'time,pnl' ? 'long' : null)

/** Observers of the open questions about traders. */
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
    for (const { address, totalValue, builderPerpValue } of await someAccounts(probe)) {
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
    const modes = new Set<'separated' | 'unified'>()
    for (const row of await someAccounts(probe)) {
      const [spot = 0, perp = 0, total = 0] = [row.spotValue, row.perpValue, row.totalValue].map(
        Number,
      )
      if (!(Math.abs(perp) > 1)) continue
      // Staked tokens and shares of a vault come on top: such an account shows neither.
      if (isClose(total, spot + perp, 1e-3)) modes.add('separated')
      else if (isClose(total, spot, 1e-3)) modes.add('unified')
    }
    const [mode, ...others] = modes
    if (mode === undefined) probe.skip('none of the latest traders has perpetual equity')
    return others.length > 0 ? 'by-account' : mode
  },
  'page-beyond-last': async (probe) => {
    const requested = (pageNum: number): ProbeRequest => ({
      method: 'POST',
      path: '/hl/traders/discover',
      body: { pageNum, pageSize: 1, selects: ['address'], sort: { field: 'address' } },
    })
    const beyond = await probe.request(requested(21))
    if (!isSuccess(beyond)) return beyond.status < 500 ? 'refuse' : null
    const last = await objectOf(probe, requested(20))
    if (firstOf(last.list).address === undefined) probe.skip('there are fewer traders than 20')
    return isSameJson(dataFrom(beyond), last) ? 'last' : null
  },
  'smart-find-form': async (probe) => {
    const request = { method: 'POST', path: '/hl/smart/find', body: { period: 7 } } as const
    const data = await dataIn(probe, request)
    return Array.isArray(data) ? 'list' : isJsonObject(data) ? 'page' : null
  },
}

/** Maximum number of accounts, one or two calls each. */
const MAX_TRADERS = 10

/** The latest traders of some coins. */
const someAccounts = async (probe: Probe): Promise<JsonObject[]> =>
  objectsOf(probe, {
    method: 'POST',
    path: '/hl/traders/accounts',
    body: { addresses: await someTraders(probe) },
  })
