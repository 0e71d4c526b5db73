/** The default recording, cast, behind a registry: the market that users meet. */
import path from 'node:path'
import type { Machine } from '../src/clock/machine.ts'
import { ACTIVE_ACTIONS } from '../src/contract/actions.ts'
import { Registry, type StageDoor } from '../src/sandbox/registry.ts'
import { DEFAULT_TAPE, stageDoor } from '../src/sandbox/stages.ts'
import type { Wish } from '../src/sandbox/wish.ts'
import { still } from './still-machine.ts'

const HOME = path.join(import.meta.dir, '..')

const doorOfOwn = () =>
  stageDoor({
    tape: DEFAULT_TAPE,
    seed: 1,
    recordings: path.join(HOME, 'recordings'),
    cacheDir: path.join(HOME, '.cache', 'worlds'),
    say: () => {},
  })

const stages = doorOfOwn()

/** Who and what there is, as the cast says. */
export interface Cast {
  coins: string[]
  symbols: string[]
  coinKeys: string[]
  /** One for each role. */
  addresses: Record<string, string>
  oids: { open: number[]; filled: number[]; cancelled: number[] }
  openPositions: { address: string; coin: string }[]
}

/**
 * A registry over the default recording with its default sandbox open, its clock held, on a
 * machine that stands still unless another is given.
 */
export const realRegistry = (wish: Wish = {}, by: Machine = still) => registryOf(stages, wish, by)

/** The same, sharing nothing that was read of the world with anybody. */
export const ownRegistry = () => registryOf(doorOfOwn(), {}, still)

async function registryOf(door: StageDoor, wish: Wish, by: Machine) {
  const registry = new Registry(door, ACTIVE_ACTIONS, { clock: 'held', ...wish }, by)
  const sandbox = await registry.open()
  const cast = () => sandbox.stage.cast(sandbox.facts().moment) as Cast
  return { registry, sandbox, cast }
}
