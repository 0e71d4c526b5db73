/** Identities of an account's state: its sums are those of its positions. */

import { Exact } from '../../decimal/exact.ts'
import { statesOf } from './account-money.ts'
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
      return { of: dex, left, relation: 'equal', right, records: assetPositions }
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
        const parts = assetPositions.map(({ position }) => Exact.of(position[part]))
        const left = Exact.of(marginSummary[total])
        const of = `${dex} ${total}`
        return {
          of,
          left,
          relation: 'equal' as const,
          right: Exact.sum(parts),
          records: parts.map(String),
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
      return { of: dex, left, relation: 'atMost', right, records: crossMarginSummary }
    })
  },
}
