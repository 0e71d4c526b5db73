/** Who and what the examples of the declarations are filled with, from the target's own lists. */
import type { Known } from './filling.ts'
import { NOBODY, someHolding, someOrders, someRound } from './finding-out.ts'
import { Finding, type Probe, Skip } from './probe.ts'
import { rowsOf } from './reading.ts'
import type { Target } from './target.ts'

const found = new WeakMap<Target, Promise<Known>>()

/** The same for all cases of a run; what a target does not have is left out. */
export function knownOf(probe: Probe): Promise<Known> {
  const { target } = probe
  const known = found.get(target) ?? find(probe)
  found.set(target, known)
  return known
}

async function find(probe: Probe): Promise<Known> {
  const holding = await maybe(() => someHolding(probe))
  const round = await maybe(() => someRound(probe))
  const orders = await maybe(() => someOrders(probe, 'filled-orders'))
  const twaps = await maybe(() => rowsOf(probe, { path: '/hl/twaps/top-impact' }))
  return {
    addresses: { twap: holding?.address ?? NOBODY },
    oids: { filled: (orders ?? []).map(({ oid }) => Number(oid)) },
    twapIds: (twaps ?? []).flatMap(({ twapId }) => (twapId === undefined ? [] : Number(twapId))),
    builders: [],
    openPositions: holding ? [holding] : [],
    completedPositions: round ? [round] : [],
  }
}

/** null for what the target does not have; what is wrong with its lists, other cases say. */
async function maybe<T>(look: () => Promise<T>): Promise<T | null> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof Skip || error instanceof Finding) return null
    throw error
  }
}
