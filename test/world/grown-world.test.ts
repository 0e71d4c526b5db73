/** A growing world answers like the world it grows into. */
import { afterAll, expect, test } from 'bun:test'
import { later, type TapeMs } from '../../src/clock/instant.ts'
import { oneSlice } from '../../src/clock/turns.ts'
import { ACTIVE_ACTIONS } from '../../src/contract/actions.ts'
import { timelineOf } from '../../src/market/playback/timeline.ts'
import { growWorld } from '../../src/market/world/cache.ts'
import { castOf } from '../../src/market/world/cast.ts'
import { factsOf } from '../../src/market/world/facts.ts'
import type { World } from '../../src/market/world/world.ts'
import type { LoadedWorld } from '../../src/sandbox/loaded-world.ts'
import { Registry } from '../../src/sandbox/registry.ts'
import { allAnswers, differences } from '../fixtures/all-answers.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { replayedWorld } from '../fixtures/replayed-growth.ts'
import { smallWorld } from '../fixtures/small-world.ts'

const whole = await smallWorld()
const MINUTE_MS = 60_000
const t0Ms = later(whole.startMs, MINUTE_MS)
/** Instants of requests, and the end of growth by then. */
const REQUESTED = [0, 30_000, 59_999, 60_000, 119_000].map((ms) => later(t0Ms, ms))

const loaded = (world: World): LoadedWorld => ({
  id: 'small',
  source: 'a small world',
  timeline: timelineOf(world),
  facts: factsOf(world),
  cast: (moment) => castOf(world, moment),
  coins: [],
  namesOf: (coin) => [coin],
  standings: () => oneSlice(() => []),
  change: () => null,
})

/** Responses at successive instants. */
async function answersOf(world: World, reach: (atMs: TapeMs) => void) {
  const settings = { clock: 'held', end: 'hold', now: whole.startMs } as const
  const registry = new Registry(async () => loaded(world), ACTIVE_ACTIONS, settings, fixedClock)
  const sandbox = await registry.open()
  const answers: Record<string, string> = {}
  for (const atMs of REQUESTED) {
    reach(atMs)
    await sandbox.clock.advance(atMs - sandbox.clock.nowMs())
    expect(sandbox.position().atMs).toBe(atMs)
    for (const [name, body] of Object.entries(allAnswers(registry, sandbox)))
      answers[`${name} at ${atMs - t0Ms}`] = body
  }
  return answers
}

let expected = await answersOf(whole, () => {})
// Else the process would keep them until it ends.
afterAll(() => {
  expected = {}
})

for (const [title, stepMs, aheadMs] of [
  ['in steps of some seconds, as far as is requested', 7_300, 0],
  ['in steps of a minute, further than is requested', 60_000, 45_000],
  ['at once', 600_000, 600_000],
] as const)
  test(`every answer is the same when it grows ${title}`, async () => {
    using replayed = replayedWorld(whole, t0Ms)
    const { world, growth } = replayed
    const answers = await answersOf(world, (atMs) => {
      for (const toMs of growth.grow(Math.min(whole.endMs, atMs + aheadMs), stepMs))
        for (const _ of growWorld(world, later(t0Ms, toMs - t0Ms)));
    })
    expect(differences(answers, expected)).toEqual([])
    expect(Object.keys(answers).length).toBeGreaterThan(500)
  })
