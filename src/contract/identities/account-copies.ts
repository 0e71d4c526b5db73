/** What an account's figures are where another answer repeats them. */

import { CONTRACT } from '../operations.ts'
import type { NativeState, SpotState } from '../records/account-state.ts'
import type { FrontendOrder } from '../records/order.ts'
import { sameState } from './account-positions.ts'
import { answerOf, atMost, type Identity, sameNumbers, sameRows } from './identity.ts'

const { perpdex } = CONTRACT

interface ShownAccount {
  clearinghouseState: NativeState
  openOrders: FrontendOrder[]
  spotState?: SpotState
  meta: { universe: { name: string; maxLeverage: number }[] } | null
}

export const webDataOfAccount: Identity = {
  id: 'web-data',
  sentence: 'webData2 has the state, the balances and the open orders of an account as they are.',
  source:
    'webData2, clearinghouseState, spotClearinghouseState, frontendOpenOrders; ' +
    'one fact through two endpoints',
  *compare(user) {
    const shown = (yield { type: 'webData2', user }) as ShownAccount | null
    const state = (yield { type: 'clearinghouseState', user, dex: '' }) as NativeState | null
    const spot = (yield { type: 'spotClearinghouseState', user }) as SpotState | null
    const orders =
      ((yield { type: 'frontendOpenOrders', user, dex: '' }) as FrontendOrder[] | null) ?? []
    if (!shown || !state) return []
    const most = new Map(shown.meta?.universe.map(({ name, maxLeverage }) => [name, maxLeverage]))
    return [
      ...sameState('state', state, shown.clearinghouseState),
      ...sameRows('orders', orders, shown.openOrders, ({ oid }) => oid),
      ...(spot && shown.spotState
        ? sameRows('spot', spot.balances, shown.spotState.balances, ({ token }) => token)
        : []),
      ...state.assetPositions.flatMap(({ position }) => {
        const { coin, maxLeverage } = position
        const limit = most.get(coin)
        return limit === undefined ? [] : [atMost(`${coin} most`, maxLeverage, limit, position)]
      }),
    ]
  },
}

export const accountOfStatistics: Identity = {
  id: 'statistics-account',
  sentence: 'Statistics have the values of the account that the batch of accounts has.',
  source: 'perpdex.tradersStatistics, perpdex.tradersAccounts; Statistics: account fields',
  *compare(user) {
    const body = { addresses: [user] }
    const [account] = (yield* answerOf(perpdex.tradersAccounts, { body })) ?? []
    const [row] =
      (yield* answerOf(perpdex.tradersStatistics, { body: { ...body, period: 0 } })) ?? []
    return account && row ? sameNumbers('', account, row) : []
  },
}
