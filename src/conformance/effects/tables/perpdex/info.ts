import type { Parameter } from '../../../../contract/parameters.ts'
import type { AskedOperation } from '../../../derived/asked-operation.ts'
import { isJsonObject } from '../../../parsed-json.ts'
import type { Effect, EffectEntry, EffectTable } from '../../effect.ts'
import {
  figures,
  folds,
  forRows,
  multiples,
  ofDexes,
  ofHolders,
  ofOrders,
  ofUsers,
  turnsRound,
} from '../../info-bodies.ts'
import {
  builderDexes,
  someResting,
  someSpotHolders,
  someTwapAddresses,
  twoCoins,
  twoTraders,
} from '../../known-values.ts'
import { both, differs, names } from '../../selection.ts'
import { span, steps } from '../../spans.ts'
import { bounded, keepsInside } from '../../time-bounds.ts'

const user: EffectEntry = { effect: ofUsers() }
const named: EffectEntry = { effect: names('user', twoTraders) }

/** Of a state what only trades change. */
const cash = (data: unknown) =>
  isJsonObject(data) && isJsonObject(data.marginSummary) ? data.marginSummary.totalRawUsd : null

const balances = (data: unknown) => (isJsonObject(data) ? data.balances : null)

const oids = (data: unknown) =>
  (Array.isArray(data) ? data : []).filter(isJsonObject).map(({ oid }) => oid)

const orders = {
  user: { effect: ofHolders(oids, someResting) },
  dex: { effect: ofDexes(oids) },
} as const

/** Of the market, whose accounts it does not name. */
const dexes: EffectEntry = {
  effect: differs(async (probe) => ['', ...(await builderDexes(probe)).slice(0, 1)]),
}

const hourly =
  (effect: Effect): Effect =>
  (asked: AskedOperation, parameter: Parameter) =>
    effect(asked.with({ body: { req: { interval: '1h' } } }), parameter)

const from: EffectEntry = { effect: forRows(bounded('start', 'time')) }
const until: EffectEntry = { effect: forRows(bounded('end', 'time')) }
const ledger = (edge: 'start' | 'end'): EffectEntry => ({
  effect: forRows(both(bounded(edge, 'time'), keepsInside(edge, 'time'))),
})

export const INFO_EFFECTS: EffectTable = {
  'perpdex.info': {
    type: { effect: differs(['meta', 'spotMeta', 'perpDexs']) },
    'meta.dex': dexes,
    'clearinghouseState.user': { effect: ofUsers(cash) },
    'clearinghouseState.dex': { effect: ofDexes(cash) },
    'spotClearinghouseState.user': { effect: ofHolders(balances, someSpotHolders) },
    'spotClearinghouseState.dex': { reason: 'there is one spot account' },
    'openOrders.user': orders.user,
    'openOrders.dex': orders.dex,
    'frontendOpenOrders.user': orders.user,
    'frontendOpenOrders.dex': orders.dex,
    'userFees.user': user,
    'userFills.user': user,
    'userFills.aggregateByTime': { effect: folds },
    'userFillsByTime.user': user,
    'userFillsByTime.startTime': from,
    'userFillsByTime.endTime': until,
    'userFillsByTime.aggregateByTime': { effect: folds },
    'userFillsByTime.reversed': { effect: forRows(turnsRound) },
    'candleSnapshot.req.coin': { effect: hourly(names('s', twoCoins)) },
    'candleSnapshot.req.interval': {
      effect: steps([span('15m'), span('1h'), span('4h')], { pick: 't' }),
    },
    'candleSnapshot.req.startTime': { effect: hourly(bounded('start', 't')) },
    'candleSnapshot.req.endTime': { effect: hourly(bounded('end', 't')) },
    'historicalOrders.user': user,
    'orderStatus.user': { effect: ofOrders },
    'orderStatus.oid': { effect: ofOrders },
    'userFunding.user': user,
    'userFunding.startTime': from,
    'userFunding.endTime': until,
    'userNonFundingLedgerUpdates.user': user,
    'userNonFundingLedgerUpdates.startTime': ledger('start'),
    'userNonFundingLedgerUpdates.endTime': ledger('end'),
    'portfolio.user': user,
    'webData2.user': named,
    'userTwapSliceFills.user': { effect: ofUsers((data) => data, someTwapAddresses) },
    'activeAssetData.user': named,
    'activeAssetData.coin': { effect: names('coin', twoCoins) },
    'allMids.dex': dexes,
    'l2Book.coin': { effect: names('coin', twoCoins) },
    'l2Book.nSigFigs': { effect: figures },
    'l2Book.mantissa': { effect: multiples },
  },
}
