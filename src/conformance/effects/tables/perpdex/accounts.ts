import type { Parameter } from '../../../../contract/parameters.ts'
import type { AskedOperation } from '../../../derived/asked-operation.ts'
import { isJsonObject, type JsonObject } from '../../../parsed-json.ts'
import { objectsOf, retryUntilHeld } from '../../../response-reading.ts'
import { someTraders } from '../../../target-lookups.ts'
import { type Effect, type EffectEntry, type EffectTable, recordsIn } from '../../effect.ts'
import { manyTraders, twoBatches, twoTraders } from '../../known-values.ts'
import { ordersBy, pages } from '../../pages.ts'
import { both, differs, differsForSome, names, switches } from '../../selection.ts'
import { days, spans, widens } from '../../spans.ts'

// Batches of accounts that are large enough, or of the kind, to show a difference.

/** Of many accounts at once. */
const forMany =
  (effect: Effect): Effect =>
  async (asked: AskedOperation, parameter: Parameter) =>
    effect(asked.with({ body: { addresses: await manyTraders(asked.probe) } }), parameter)

/** Of accounts that have something besides the main dex. */
const forBuilders =
  (effect: Effect): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const { probe } = asked
    const body = { addresses: await someTraders(probe) }
    const rows = await objectsOf(probe, { method: 'POST', path: '/hl/traders/accounts', body })
    const addresses = rows
      .filter(({ builderPerpValue, spotValue }) => Number(builderPerpValue) + Number(spotValue) > 0)
      .map(({ address }) => String(address))
    if (addresses.length === 0) probe.skip('no account has anything besides the main dex')
    await effect(asked.with({ body: { addresses } }), parameter)
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

/** Whom a search finds, it counts as the statistics of the same period do. */
const asStatistics: Effect = (asked: AskedOperation, parameter: Parameter) =>
  retryUntilHeld(asked.probe, async () => {
    const period = 1
    const found = recordsIn(await asked.withValue(parameter, period).data()).slice(0, FOUND)
    const addresses = found.map(({ address }) => String(address))
    if (addresses.length === 0) asked.probe.skip('the search finds nobody')
    const request = { method: 'POST', path: '/hl/traders/statistics' } as const
    const rows = await objectsOf(asked.probe, { ...request, body: { addresses, period } })
    const count = (of: readonly JsonObject[]) =>
      new Map(of.map(({ address, positions }) => [String(address), positions]))
    const [here, there] = [count(found), count(rows)]
    const other = addresses.find((address) => here.get(address) !== there.get(address))
    return other === undefined ? null : `positions of ${other} are those of ${period} day`
  })

/** Accounts that are looked at in two places. */
const FOUND = 20

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
