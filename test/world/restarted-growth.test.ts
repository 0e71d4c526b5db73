/** A line whose growing thread has ended and is started again, or has to wait for its turn. */
import { afterAll, expect, test } from 'bun:test'
import { later } from '../../src/clock/instant.ts'
import { GrowthSlots, LineGrower, type StartGrowth } from '../../src/sandbox/worlds/line-grower.ts'
import { growInThread } from '../../src/sandbox/worlds/line-host.ts'
import { smallLine } from '../fixtures/small-line.ts'

const MINUTE_MS = 60_000
/** Longer than takeovers wait for further reports. */
const IDLE_MS = 600
const removals: (() => void)[] = []
afterAll(() => {
  for (const remove of removals) remove()
})

/** Like a restarted thread without threads: what exists is reported together with what is new. */
const reportingTwice: StartGrowth = (order, listener) => {
  let knownMs: number | null = null
  return growInThread(order, {
    ...listener,
    grown(toMs) {
      if (knownMs !== null) listener.grown(knownMs)
      listener.grown(toMs)
      knownMs = toMs
    },
  })
}

test('a report at the end of a takeover is taken over too', async () => {
  const { line, tapeEndMs, remove } = await smallLine(reportingTwice)
  removals.push(remove)
  const release = line.hold()
  for (let minute = 1; minute <= 9; minute += 2) {
    const untilMs = later(tapeEndMs, minute * MINUTE_MS)
    await line.ensure(untilMs)
    expect(line.timeline.endMs).toBeGreaterThanOrEqual(untilMs)
    // A takeover in progress would take over every report.
    await Bun.sleep(IDLE_MS)
  }
  release()
})

test('a line that found no turn to grow grows at the next request', async () => {
  const slots = new GrowthSlots(1)
  const free = await slots.take()
  const others = Array.from({ length: 64 }, () => slots.take())
  const failures: string[] = []
  const grown = Promise.withResolvers<number>()
  const host = {
    store: { take: () => ({ file: 'line', release: () => {} }), open: () => expect.unreachable() },
    slots,
    start: (_: unknown, listener: { grown(toMs: number): void }) => ({
      growTo: (untilMs: number) => listener.grown(untilMs),
      end: () => {},
    }),
    log: () => {},
    track: () => () => {},
  }
  const grower = new LineGrower(
    { baseFile: 'world', t0Ms: 0, mood: null, events: [] } as never,
    host,
    (_, toMs) => grown.resolve(toMs),
    ({ message }) => failures.push(message),
  )
  grower.grow(1)
  await Promise.resolve()
  await Promise.resolve()
  expect(failures.join()).toContain('no more than 64 may wait')
  free()
  for (const other of others) (await other)()
  grower.grow(2)
  expect(await grown.promise).toBe(2)
  grower.close(false)
})
