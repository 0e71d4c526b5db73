/** Runs of the conformance suite by the control plane, in a thread of their own. */
import { expect, test } from 'bun:test'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

const { control: call } = await serveRegistry((await recordedRegistry()).registry)

interface Run {
  state: string
  ended: string | null
  total: number
  counts: { passed: number; failed: number; skipped: number }
  requirements: { seen: number }
  error: string
}

async function control(method: string, path: string, sent?: object) {
  const { status, body } = await call(method, path, sent)
  return { status, body: body as unknown as Run }
}

test('a run counts its cases, and keeps its result until the next one', async () => {
  const started = await control('POST', '/conformance', { only: ['authentication.'] })
  expect(started.body).toMatchObject({ state: 'running', target: 'this server', failures: [] })
  const busy = await control('POST', '/conformance', {})
  expect(busy.status).toBe(429)
  const over = await ended()
  expect(over.ended).toBe(null)
  const { passed, failed, skipped } = over.counts
  expect([passed + failed + skipped, failed]).toEqual([started.body.total, 0])
  expect(over.requirements.seen).toBeGreaterThan(0)

  const none = await control('POST', '/conformance', { only: ['no-such-case'] })
  expect(none.status).toBe(400)
  expect(none.body.error).toContain('no-such-case')
  expect((await control('GET', '/conformance')).body).toEqual(over)
})

test('a run that is stopped has its results so far, and its sandbox is gone', async () => {
  const { body: before } = await control('GET', '/sandboxes')
  const { body } = await control('POST', '/conformance', {})
  await control('DELETE', '/conformance')
  const over = await ended()
  expect(over.ended).toBe('it was interrupted')
  expect(over.counts.passed + over.counts.skipped).toBeLessThanOrEqual(body.total)
  expect((await control('GET', '/sandboxes')).body).toEqual(before)
})

async function ended() {
  for (;;) {
    const { body } = await control('GET', '/conformance')
    if (body.state === 'over') return body
    await Bun.sleep(20)
  }
}
