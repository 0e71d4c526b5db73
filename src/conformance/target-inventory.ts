/** Who and what the examples of the declarations are filled with, from the target's own lists. */

import { CheckFailure, SkipCase } from './case-outcome.ts'
import type { TargetInventory } from './example-filler.ts'
import type { JsonObject } from './parsed-json.ts'
import type { Probe } from './probe.ts'
import { objectsOf } from './response-reading.ts'
import {
  closedPositions,
  flatOrder,
  openPositions,
  someCoins,
  someOrders,
  someTraders,
  UNUSED_ADDRESS,
} from './target-lookups.ts'

/** The same for all cases of a run; what a target does not have is left out. */
export const inventoryOf = (probe: Probe): Promise<TargetInventory> =>
  probe.once('inventory', readInventory)

async function readInventory(probe: Probe): Promise<TargetInventory> {
  const holding = (await orNull(() => openPositions(probe))) ?? []
  const closed = (await orNull(() => closedPositions(probe))) ?? []
  const filled = (await orNull(() => someOrders(probe, 'filled-orders'))) ?? []
  const ended = (await orNull(() => someOrders(probe, 'orders'))) ?? []
  const path = '/hl/twaps/top-impact'
  const twaps = (await orNull(() => objectsOf(probe, { path, query: { limit: 100 } }))) ?? []
  const told = probe.target.inventory ?? {}
  const running = twaps.map(({ address }) => String(address))
  const coins = (await orNull(() => someCoins(probe))) ?? []
  const people = [
    ...Object.values(told.personas ?? {}).map(({ address }) => address),
    ...Object.values(told.addresses ?? {}).flatMap((address) => address ?? []),
    ...((await orNull(() => someTraders(probe))) ?? []),
  ]
  return {
    people: people.slice(0, FILLINGS_MAX),
    addresses: {
      twap: orUnused([...running, ...people, ...holding.map(({ address }) => address)]),
    },
    oids: {
      filled: [
        ...new Set([
          ...(told.first?.orders ?? []),
          ...oidsOf(filled, ended),
          ...(await toldOids(probe)),
        ]),
      ],
    },
    twapIds: [...idsIn(twaps, 'twapId'), ...(told.twapIds ?? [])],
    builders: [...(told.builders ?? [])],
    openPositions: holding.slice(0, FILLINGS_MAX),
    completedPositions: closed.slice(0, FILLINGS_MAX),
    coins,
  }
}

/** How many values of a parameter are kept. */
const FILLINGS_MAX = 24

/** Orders that were filled first, then one of each other status. */
function oidsOf(filled: readonly JsonObject[], ended: readonly JsonObject[]): number[] {
  const others = new Map(ended.map((row) => [`${row.status} ${row.side}`, row]))
  return idsIn([...filled.slice(0, 3), ...others.values(), ...filled.slice(3, 8)], 'oid')
}

/** Orders of those who are told: filled ones of each role, and some that are open. */
async function toldOids(probe: Probe): Promise<number[]> {
  const { oids, addresses } = probe.target.inventory ?? {}
  const found: number[][] = []
  for (const address of Object.values(addresses ?? {})) {
    const path = `/hl/filled-orders/${address}/latest`
    const rows = (await orNull(() => objectsOf(probe, { path, query: { limit: 5 } }))) ?? []
    found.push(idsIn(rows.map(flatOrder), 'oid'))
  }
  const inTurn = [0, 1, 2, 3, 4].flatMap((at) => found.flatMap((of) => of.slice(at, at + 1)))
  return [...inTurn.slice(0, 3), ...(oids?.open ?? []).slice(0, 2), ...inTurn.slice(3)]
}

const idsIn = (rows: readonly JsonObject[], name: string): number[] =>
  rows.flatMap((row) => (row[name] === undefined ? [] : [Number(row[name])]))

const orUnused = (addresses: readonly string[]): readonly string[] =>
  addresses.length > 0 ? [...new Set(addresses)].slice(0, FILLINGS_MAX) : [UNUSED_ADDRESS]

/** null for what the target does not have; what is wrong with its lists, other cases say. */
async function orNull<T>(look: () => Promise<T>): Promise<T | null> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof SkipCase || error instanceof CheckFailure) return null
    throw error
  }
}
