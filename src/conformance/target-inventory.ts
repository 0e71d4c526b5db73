/** Who and what the examples of the declarations are filled with, from the target's own lists. */
import type { TargetInventory } from './example-filler.ts'
import { CheckFailure, type Probe, SkipCase } from './probe.ts'
import { objectsOf } from './response-reading.ts'
import type { Target } from './target.ts'
import {
  someClosedPosition,
  someOpenPosition,
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
  const holding = await orNull(() => someOpenPosition(probe))
  const round = await orNull(() => someClosedPosition(probe))
  const orders = await orNull(() => someOrders(probe, 'filled-orders'))
  const { builders = [], twapIds = [] } = probe.target.inventory ?? {}
  const twaps = await orNull(() => objectsOf(probe, { path: '/hl/twaps/top-impact' }))
  return {
    addresses: { twap: String(twaps?.[0]?.address ?? holding?.address ?? UNUSED_ADDRESS) },
    oids: { filled: (orders ?? []).map(({ oid }) => Number(oid)) },
    twapIds: [
      ...(twaps ?? []).flatMap(({ twapId }) => (twapId === undefined ? [] : Number(twapId))),
      ...twapIds,
    ],
    builders: [...builders],
    openPositions: holding ? [holding] : [],
    completedPositions: round ? [round] : [],
  }
}

/** null for what the target does not have; what is wrong with its lists, other cases say. */
async function orNull<T>(look: () => Promise<T>): Promise<T | null> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof SkipCase || error instanceof CheckFailure) return null
    throw error
  }
}
