/** The market of a sandbox with market events: copied, reset, or while it is created. */
import { expect, test } from 'bun:test'
import { sandboxStateOf } from '../../src/sandbox/snapshot/state-parts.ts'
import { START_MS } from '../fixtures/fake-market.ts'
import { pause } from '../fixtures/pause.ts'
import { scheduledSandbox } from '../fixtures/scheduled-market.ts'

const FALL = { kind: 'move', coin: 'BTC', pct: -5, overS: 120, revertPct: 50 }

test('a copy is in the same market, a reset sandbox in that of its start', async () => {
  const { sandbox, trigger, lines, registry, call } = await scheduledSandbox()
  const { world } = sandbox
  await trigger(FALL)
  const state = sandboxStateOf(sandbox)
  expect(state.progress.marketEvents).toEqual([
    { event: FALL, askedMs: START_MS, fromMs: START_MS, scenario: null },
  ])
  const copy = await registry.copy(state, { name: 'copy' })
  expect(lines).toHaveLength(2)
  expect(lines[1]).toEqual(lines[0] as never)
  expect(copy.marketEvents.list).toEqual(sandbox.marketEvents.list)
  await call('sandbox.reset')
  expect(sandbox.marketEvents.list).toEqual([])
  expect(sandbox.world).toBe(world)
  copy.reset()
  expect(copy.marketEvents.list).toHaveLength(1)
})

test('a reset schedules the events of the initial scenario again', async () => {
  const { call, lines, registry } = await scheduledSandbox()
  const market = [{ at: '5s', event: FALL }]
  const body = { name: 'fallen', scenario: { title: 'A fall', market, rules: [] } }
  expect((await call('sandbox.create', { body })).status).toBe(200)
  const fallen = registry.get('fallen')
  expect(fallen?.marketEvents.timed).toEqual([
    { event: FALL as never, requestedMs: START_MS, fromMs: START_MS + 5_000 },
  ])
  expect((await call('sandbox.reset', { params: { id: 'fallen' } })).status).toBe(200)
  expect(fallen?.marketEvents.list).toHaveLength(1)
  expect(lines[1]).toEqual(lines[0] as never)
  const wrong = {
    ...body,
    name: 'wrong',
    scenario: { ...body.scenario, market: [{ ...market[0], event: { ...FALL, coin: 'ETH' } }] },
  }
  expect((await call('sandbox.create', { body: wrong })).body.error).toContain('no coin "ETH"')
  expect(registry.get('wrong')).toBe(undefined as never)
})

test('a sandbox that is reset while its market is prepared gets no event', async () => {
  const { sandbox, trigger, call, lines, delay } = await scheduledSandbox()
  const { world } = sandbox
  const prepare = delay()
  const triggered = trigger(FALL)
  while (lines.length === 0) await pause()
  const reset = call('sandbox.reset')
  prepare()
  expect((await triggered).body.error).toContain('was reset')
  expect((await reset).status).toBe(200)
  expect([sandbox.marketEvents.list, lines.length]).toEqual([[], 1])
  expect(sandbox.world).toBe(world)
})

test('the market stops while another one is prepared, and continues from there', async () => {
  const { sandbox, trigger, lines, delay } = await scheduledSandbox()
  const prepare = delay()
  const triggered = trigger(FALL)
  while (lines.length === 0) await pause()
  await sandbox.clock.advance(3_000)
  expect(sandbox.position().atMs).toBe(START_MS as never)
  prepare()
  expect((await triggered).body).toMatchObject({ asked: START_MS, from: START_MS })
  expect(sandbox.position().atMs).toBe((START_MS + 3_000) as never)
})

test('a market at speed max gets events too, and continues so', async () => {
  const { sandbox, trigger } = await scheduledSandbox()
  sandbox.playhead.set(sandbox.clock.nowMs(), { speed: 'max' })
  sandbox.player.reposition()
  expect((await trigger(FALL)).status).toBe(200)
  expect(sandbox.playhead.speed).toBe('max')
})
