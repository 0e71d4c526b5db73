import type { Case } from '../../case.ts'
import { builderDexes } from '../../effects/known-values.ts'
import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import { dataOf, objectsOf, retryUntilHeld, whileStill } from '../../response-reading.ts'
import {
  accountStatesOf,
  positionsIn,
  someOpenPosition,
  someTraders,
} from '../../target-lookups.ts'
import { columnSum, isClose, isSameJson } from '../../value-checks.ts'

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
      // One by one: somebody stands still even where all together never do.
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
      // Most traders have nothing there, of whom a value says little.
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
    title: 'statistics are of 7 days when left out, and have a curve only when it is asked for',
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
      // In this order: between two answers a position may be completed, which then counts in both.
      const seven = await statistics(probe, { addresses, period: 7 })
      const all = await statistics(probe, { addresses, period: 0, pnlList: true })
      for (const { pnlList } of all)
        probe.assert(Array.isArray(pnlList), 'pnlList is a curve when it is asked for', pnlList)
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
