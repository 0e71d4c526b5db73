/** Identities of an account's state: its sums are those of its positions. */

import { Exact } from '../../decimal/exact.ts'
import { dexName, statesOf } from './account-money.ts'
import type { Identity } from './identity.ts'

export const rawDollars: Identity = {
  id: 'raw-usd',
  sentence: 'The value of an account is its raw dollars plus the signed value of its positions.',
  source: 'clearinghouseState',
  *compare(user) {
    const states = yield* statesOf(user)
    return states.map(([dex, { marginSummary, assetPositions }]) => {
      const signed = assetPositions.map(({ position: { szi, positionValue } }) =>
        szi.startsWith('-') ? Exact.of(positionValue).negated() : Exact.of(positionValue),
      )
      const right = Exact.of(marginSummary.totalRawUsd).plus(Exact.sum(signed))
      const left = Exact.of(marginSummary.accountValue)
      const records = { marginSummary, assetPositions }
      return { of: dexName(dex), left, relation: 'equal', right, records }
    })
  },
}

export const marginSums: Identity = {
  id: 'margin-sums',
  sentence: 'Notional and margin used of an account are the sums over its positions.',
  source: 'clearinghouseState',
  *compare(user) {
    const states = yield* statesOf(user)
    return states.flatMap(([dex, { marginSummary, assetPositions }]) =>
      (
        [
          ['totalNtlPos', 'positionValue'],
          ['totalMarginUsed', 'marginUsed'],
        ] as const
      ).map(([total, part]) => {
        const parts = assetPositions.map(({ position }) => ({
          coin: position.coin,
          [part]: position[part],
        }))
        const left = Exact.of(marginSummary[total])
        const of = `${dexName(dex)} ${total}`
        return {
          of,
          left,
          relation: 'equal' as const,
          right: Exact.sum(assetPositions.map(({ position }) => Exact.of(position[part]))),
          records: parts,
        }
      }),
    )
  },
}

export const openAccounts: Identity = {
  id: 'maintenance',
  sentence: 'The maintenance margin of cross positions is at most what stands behind them.',
  source: 'clearinghouseState; an account with less is liquidated at once',
  *compare(user) {
    const states = yield* statesOf(user)
    return states.map(([dex, { crossMaintenanceMarginUsed, crossMarginSummary }]) => {
      const left = Exact.of(crossMaintenanceMarginUsed)
      const right = Exact.of(crossMarginSummary.accountValue)
      const records = { crossMaintenanceMarginUsed, crossMarginSummary }
      return { of: dexName(dex), left, relation: 'atMost', right, records }
    })
  },
}
