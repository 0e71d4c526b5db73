/** Market events in the journal, and the accepted ones. */
import { expect, test } from 'bun:test'
import type { MarketEvent } from '../../src/market/events/market-event.ts'
import { MARKET_EVENTS_MAX } from '../../src/sandbox/sandbox-config.ts'
import { fakeRegistry, START_MS } from '../fixtures/fake-market.ts'

const MOVE: MarketEvent = { kind: 'move', coin: 'BTC', pct: -5, overS: 10 }
const HALT: MarketEvent = { kind: 'halt', coin: 'BTC', forS: 5 }

async function heldSandbox() {
  const registry = await fakeRegistry()
  const sandbox = await registry.create({ clock: 'held', end: 'hold' })
  const { marketEvents, journal } = sandbox
  const ask = (event: MarketEvent, afterMs = 0) => {
    const requested = marketEvents.next([{ event, afterMs }], sandbox.position().atMs, 'fall')
    marketEvents.add(requested)
    marketEvents.report(requested)
  }
  const entries = () =>
    [...journal.after(0)].flatMap((entry) =>
      entry.kind === 'market'
        ? [[entry.event, entry.id, entry.subject, entry.tapeMs - START_MS, entry.rule]]
        : [],
    )
  return { sandbox, ask, entries }
}

test('an event is recorded when it is requested, begins and ends', async () => {
  const { sandbox, ask, entries } = await heldSandbox()
  ask(MOVE)
  ask({ kind: 'depth', factor: 2, forS: 3 }, 4_000)
  await sandbox.clock.advance(30_000)
  expect(entries()).toEqual([
    ['asked', 1, 'move of BTC', 0, 'fall'],
    ['begun', 1, 'move of BTC', 0, 'fall'],
    ['asked', 2, 'depth of all coins', 0, 'fall'],
    ['begun', 2, 'depth of all coins', 4_000, 'fall'],
    ['ended', 2, 'depth of all coins', 7_000, 'fall'],
    ['ended', 1, 'move of BTC', 10_000, 'fall'],
  ])
})

test('the playhead’s position decides which events are still planned', async () => {
  const { sandbox, ask, entries } = await heldSandbox()
  ask(MOVE, 10_000)
  sandbox.playhead.set(sandbox.clock.nowMs(), { atMs: START_MS + 15_000 })
  sandbox.player.reposition()
  await sandbox.clock.advance(30_000)
  expect(entries().map(([event]) => event)).toEqual(['asked', 'ended'])
})

test('an event that contradicts a planned one is refused, and both are named', async () => {
  const { sandbox, ask } = await heldSandbox()
  ask(MOVE, 10_000)
  expect(() => ask(HALT, 12_000)).toThrow(
    'the halt of BTC would overlap market event 1 (move of BTC), which acts from 10 s to 20 s ' +
      'from now: a coin that is halted does not move',
  )
  ask(HALT, 20_000)
  expect(sandbox.marketEvents.list.map(({ id }) => id)).toEqual([1, 2])
})

test('the number of events is bounded', async () => {
  const { sandbox, ask } = await heldSandbox()
  for (let at = 0; at < MARKET_EVENTS_MAX; at++) ask(HALT, at * 5_000)
  const more = () => ask(HALT, MARKET_EVENTS_MAX * 5_000)
  expect(more).toThrow('there are 100 market events, at most 100')
  sandbox.reset()
  expect(sandbox.marketEvents.list).toEqual([])
})
