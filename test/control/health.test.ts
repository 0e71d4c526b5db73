/** `/_control/health`: whether the server is ready, and why not. */
import { expect, test } from 'bun:test'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { readOpenMetrics } from '../fixtures/open-metrics.ts'
import { serve } from '../fixtures/test-server.ts'

async function health(origin: string) {
  const answer = await fetch(`${origin}/_control/health`)
  const page = readOpenMetrics(await (await fetch(`${origin}/_control/metrics`)).text())
  return [answer.status, await answer.json(), page.value('tapewright_ready')]
}

const READY = [200, { live: true, ready: true }, 1]
const notReady = (why: string) => [
  503,
  { live: true, ready: false, why: expect.stringContaining(why) },
  0,
]

test('a server whose sandboxes are there is ready', async () => {
  const { origin } = await serve()
  expect(await health(origin)).toEqual(READY)
})

test('one whose event loop was held up is not ready for some seconds', async () => {
  let passedMs = 0
  let fire = () => {}
  const systemClock = {
    ...fixedClock,
    monotonicMs: () => passedMs,
    startTimer: (_: number, task: () => void) => {
      fire = task
      return () => {}
    },
  }
  const { origin, registry } = await serve({}, null, systemClock)
  registry.metrics.eventLoop.start()
  passedMs += 4_321_000
  fire()
  expect(await health(origin)).toEqual(notReady('held up for 4320980 ms'))
  passedMs += 20_000
  expect(await health(origin)).toEqual(READY)
})
