/** Several concurrent clients, each with sequential actions. */
import { type RandomSource, randomSource } from '../../src/random/random-source.ts'
import { heldThings } from './held-things.ts'
import { ServerRequests } from './server-requests.ts'
import type { StoredThings } from './stored-things.ts'
import { StoringClient } from './storing-client.ts'
import type { StoringServer } from './storing-server.ts'

const LANES = 6

export interface Lanes {
  round: number
  seed: number
  /** Called with each response. */
  whenAnswered?: () => void
  /** Whether storage trouble excuses a refusal. */
  mayRefuse?: () => boolean
  /** Whether to continue; errors after the end are due to the server's end. */
  goesOn: () => boolean
}

/** Runs until stopped; throws an unexpected response. */
export async function runLanes(
  { origin }: StoringServer,
  things: StoredThings,
  { round, seed, whenAnswered, mayRefuse, goesOn }: Lanes,
): Promise<void> {
  const random = randomSource(seed, `round ${round}`)
  const lane = async (number: number) => {
    const client = new StoringClient(origin, things, whenAnswered, mayRefuse)
    const own: RandomSource = random.fork(`lane ${number}`)
    for (let count = 0; goesOn(); count++)
      await client.step(own, `l${round}-${number}-${count}`, number === 0).catch((error) => {
        if (goesOn()) throw error
      })
  }
  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)))
}

/** Differences between the server's contents and the expected ones; empty on success. */
export async function compare({ origin }: StoringServer, things: StoredThings): Promise<string[]> {
  const held = await heldThings(new ServerRequests(origin))
  const found = things.differences(held)
  if (found.length === 0) things.settle(held)
  return found
}
