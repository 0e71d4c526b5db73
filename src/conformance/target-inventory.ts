/** Who and what the examples of the declarations are filled with, from the target's own lists. */

import { CheckFailure, SkipCase } from './case-outcome.ts'
import type { TargetInventory } from './example-filler.ts'
import type { JsonObject } from './parsed-json.ts'
import type { Probe } from './probe.ts'
import { objectsOf } from './response-reading.ts'
import type { Target } from './target.ts'
import {
  closedPositions,
  openPositions,
  someCoins,
  someOrders,
  UNUSED_ADDRESS,
} from './target-lookups.ts'

const inventories = new WeakMap<Target, Promise<TargetInventory>>()

/** The same for all cases of a run; what a target does not have is left out. */
export function inventoryOf(probe: Probe): Promise<TargetInventory> {
  const { target } = probe
  const known = inventories.get(target)
  if (known) return known
  const found = readInventory(probe)
  inventories.set(target, found)
  // What was not answered once may be answered the next time.
  found.catch(() => inventories.delete(target))
  return found
}

async function readInventory(probe: Probe): Promise<TargetInventory> {
  const holding = (await orNull(() => openPositions(probe))) ?? []
  const closed = (await orNull(() => closedPositions(probe))) ?? []
  const filled = (await orNull(() => someOrders(probe, 'filled-orders'))) ?? []
  const ended = (await orNull(() => someOrders(probe, 'orders'))) ?? []
  const path = '/hl/twaps/top-impact'
  const twaps = (await orNull(() => objectsOf(probe.lookup, { path, query: { limit: 100 } }))) ?? []
  const told = probe.target.inventory ?? {}
  const running = twaps.map(({ address }) => String(address))
  const coins = (await orNull(() => someCoins(probe))) ?? []
  return {
    addresses: { twap: orUnused([...running, ...holding.map(({ address }) => address)]) },
    oids: { filled: oidsOf(filled, ended) },
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
  return [...idsIn(filled.slice(0, 8), 'oid'), ...idsIn([...others.values()], 'oid')]
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
