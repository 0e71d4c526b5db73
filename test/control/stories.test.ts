/** Every included story is played against the market, without a browser, and holds what it says. */
import { expect, test } from 'bun:test'
import { control } from '../../src/clients/control/control.ts'
import { hostClock } from '../../src/clock/system-clock.ts'
import { figureOf, isMet, type StoryCondition } from '../../src/pages/console/story/player.ts'
import { SCENARIOS_FOLDER, STORIES_FOLDER } from '../../src/platform/environment.ts'
import { scenarioLibrary } from '../../src/sandbox/scenario/scenario-library.ts'
import { storyLibrary } from '../../src/sandbox/story/story-library.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

const library = scenarioLibrary(SCENARIOS_FOLDER)
const { registry } = await recordedRegistry({}, hostClock)
Object.assign(registry, { library })
const { origin } = await serveRegistry(registry)
const plane = control(origin)
const { stories, flaws } = storyLibrary([STORIES_FOLDER], () => library.names())()

const STEP_MS = 1_000

/** The seconds of market time until a condition holds; its last figure when it does not. */
async function proved(id: string, coin: string, until: StoryCondition): Promise<string> {
  let value: number | null = null
  for (let ms = 0; ms <= until.withinMs; ms += STEP_MS) {
    value = figureOf((await plane.market.events(id)).events, coin, until.figure)
    if (value !== null && isMet(until, value)) return 'holds'
    await plane.clock.advance(id, { ms: STEP_MS })
  }
  return `${until.figure} is ${value} after ${until.withinMs} ms`
}

test('all of them can be read', () => {
  expect(flaws).toEqual([])
  expect(stories.length).toBeGreaterThan(4)
})

test.each(stories)('$name', async ({ name, coin, steps }) => {
  // As the console does it; the clock moves where a viewer would wait.
  const { id } = await plane.sandboxes.create({ name, clock: 'held' })
  for (const { do: actions, until, waitMs, caption } of steps) {
    for (const { market, scenario, calm, speed } of actions) {
      if (calm) await plane.scenario.clear(id)
      if (scenario !== undefined) await plane.scenario.add(id, { name: scenario })
      if (speed !== undefined) await plane.playhead.set(id, { speed })
      if (market !== undefined) await plane.market.trigger(id, market as never)
    }
    if (until) expect([caption.en, await proved(id, coin, until)]).toEqual([caption.en, 'holds'])
    await plane.clock.advance(id, { ms: waitMs ?? STEP_MS })
  }
  const { scenarios } = await plane.sandboxes.get(id)
  expect(scenarios).toEqual([])
  await plane.sandboxes.drop(id)
})
