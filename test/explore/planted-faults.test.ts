/** Faults that are planted into a client are found from a seed, and shrunk to few actions. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createSandbox } from '../../src/index.ts'
import type { SandboxHandle } from '../../src/server/embedding/create-sandbox.ts'
import { ExploreError, exploreWith } from '../../src/server/explore/explore.ts'
import { parsePlan } from '../../src/server/explore/plan.ts'
import { exploredClient, type Planted } from '../fixtures/explored-client.ts'

const explore = exploreWith(createSandbox)

/** Keeps the server of the process from one exploration to the next. */
let kept: SandboxHandle
beforeAll(async () => {
  kept = await createSandbox({ clock: 'held' })
})
afterAll(() => kept.close())

/** Planted faults of two kinds with the judges that may find them: each costs some seconds. */
const FOUND: [planted: Planted, judges: string[]][] = [
  ['crash-on-html', ['exit']],
  ['no-resubscribe', ['not-recovered']],
]

test.each(FOUND)(
  '%s is found within 200 runs, with at most three actions',
  async (planted, judges) => {
    const options = { runs: 200, coins: ['BTC'], shrinkRuns: 30 }
    const error = await explore(exploredClient(planted), options).then(
      () => null,
      (found: unknown) => found,
    )
    expect(error).toBeInstanceOf(ExploreError)
    const { judge, plan, message } = error as ExploreError
    expect(judges).toContain(judge)
    expect(parsePlan('plan', plan).actions.length).toBeLessThanOrEqual(3)
    expect(message).toContain('smallest plan')
  },
)

test('the sound client survives what finds the others', async () => {
  const { runs } = await explore(exploredClient(null), { runs: 4, coins: ['BTC'] })
  expect(runs).toBe(4)
})
