/** A world that grows answers as the world does that it grows into. */
import { expect, test } from 'bun:test'
import { later, type TapeMs } from '../../src/clock/instant.ts'
import { filledExample, type TargetInventory } from '../../src/conformance/example-filler.ts'
import { ACTIVE_ACTIONS } from '../../src/contract/actions.ts'
import { OPERATIONS, PREFIXES } from '../../src/contract/index.ts'
import type { LoadedWorld } from '../../src/sandbox/loaded-world.ts'
import { Registry } from '../../src/sandbox/registry.ts'
import { memoryTransport } from '../../src/transport/memory/memory-transport.ts'
import { castOf } from '../../src/world/cast.ts'
import { factsOf } from '../../src/world/facts.ts'
import { growWorld } from '../../src/world/per-world.ts'
import { timelineOf } from '../../src/world/playback/timeline.ts'
import type { World } from '../../src/world/world.ts'
import { signed } from '../fixtures/fake-market.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { replayedWorld } from '../fixtures/replayed-growth.ts'
import { smallWorld } from '../fixtures/small-world.ts'

const whole = await smallWorld()
const MINUTE_MS = 60_000
const t0Ms = later(whole.startMs, MINUTE_MS)
/** Instants at which all is asked, and how far the world is grown by then. */
const ASKED = [0, 1_000, 30_000, 59_999, 60_000, 75_500, 119_000].map((ms) => later(t0Ms, ms))

const loaded = (world: World): LoadedWorld => ({
  id: 'small',
  timeline: timelineOf(world),
  facts: factsOf(world),
  cast: (moment) => castOf(world, moment),
})

/** What every example of a reading operation is answered, at instant after instant. */
async function answersOf(world: World, reach: (atMs: TapeMs) => void) {
  const settings = { clock: 'held', end: 'hold', now: whole.startMs } as const
  const registry = new Registry(async () => loaded(world), ACTIVE_ACTIONS, settings, fixedClock)
  const sandbox = await registry.open()
  const { request } = memoryTransport(registry)
  const answers: Record<string, string> = {}
  for (const atMs of ASKED) {
    reach(atMs)
    await sandbox.clock.advance(atMs - sandbox.clock.nowMs())
    expect(sandbox.position().atMs).toBe(atMs)
    const inventory = sandbox.world.cast(sandbox.facts().moment) as TargetInventory
    for (const operation of OPERATIONS) {
      const { method, access, id } = operation
      if (method !== 'GET' || access.kind === 'distributor') continue
      for (const example of operation.examples) {
        const { path, query } = filledExample(operation, example, inventory)
        const place = operation.path.replace(/:(\w+)/g, (_, name) => path?.[name] ?? '')
        const url = `${PREFIXES[0]}${place}?${signed('demo', -1)}&${new URLSearchParams({ ...query })}`
        answers[`${id}, ${example.name} at ${atMs - t0Ms}`] = request('GET', url).body
      }
    }
  }
  return answers
}

const expected = await answersOf(whole, () => {})

for (const [title, stepMs, aheadMs] of [
  ['in steps of some seconds, as far as is asked', 7_300, 0],
  ['in steps of a minute, further than is asked', 60_000, 45_000],
  ['at once', 600_000, 600_000],
] as const)
  test(`every answer is the same when it grows ${title}`, async () => {
    using replayed = replayedWorld(whole, t0Ms)
    const { world, growth } = replayed
    const answers = await answersOf(world, (atMs) => {
      for (const toMs of growth.grow(Math.min(whole.endMs, atMs + aheadMs), stepMs))
        for (const _ of growWorld(world, later(t0Ms, toMs - t0Ms)));
    })
    const differing = Object.keys(expected).filter((name) => answers[name] !== expected[name])
    for (const name of differing.slice(0, 12))
      console.log(name, firstDifference(answers[name] ?? '', expected[name] ?? ''))
    expect(differing).toEqual([])
    expect(Object.keys(answers).length).toBeGreaterThan(700)
  })

function firstDifference(one: string, other: string): [string, string] {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return [one.slice(Math.max(0, at - 60), at + 80), other.slice(Math.max(0, at - 60), at + 80)]
}
