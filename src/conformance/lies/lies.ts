/** All lies: those derived from the declarations, and those by hand. */

import { randomSource } from '../../random/random-source.ts'
import { BETWEEN_LIES } from './between-answers.ts'
import { HELD_OUT_LIES } from './held-out.ts'
import { REFUSAL_LIES } from './in-refusals.ts'
import { FAMILIES, type Family, type Lie } from './lying-transport.ts'
import { SOCKET_LIES } from './on-sockets.ts'
import { TIME_LIES } from './over-time.ts'

export const LIES: readonly Lie[] = [
  ...BETWEEN_LIES,
  ...TIME_LIES,
  ...SOCKET_LIES,
  ...REFUSAL_LIES,
  ...HELD_OUT_LIES,
]

/** So many lies by a seed: of each family alike, in the order of all. */
export function drawnLies(seed: number, count: number, all: readonly Lie[] = LIES): Lie[] {
  const random = randomSource(seed, 'drawn lies')
  const keys = new Map(all.map((lie) => [lie, random.unit()]))
  const shuffled = [...all].sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0))
  const families = Object.keys(FAMILIES) as Family[]
  const queues = families.map((family) => shuffled.filter((lie) => lie.family === family))
  const drawn = new Set<Lie>()
  while (drawn.size < count && queues.some(({ length }) => length > 0))
    for (const queue of queues) {
      const next = queue.shift()
      if (next && drawn.size < count) drawn.add(next)
    }
  return all.filter((lie) => drawn.has(lie))
}
