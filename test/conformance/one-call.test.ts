/** The suite as a library call, against a service or a new sandbox. */
import { expect, test } from 'bun:test'
import { hostClock } from '../../src/clock/system-clock.ts'
import { conform } from '../../src/conformance/conform.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

async function served(): Promise<string> {
  const { registry } = await recordedRegistry({ clock: 'running' }, hostClock)
  return (await serveRegistry(registry)).origin
}
const only = ['authentication.']

test('a control plane creates a sandbox, which is checked and dropped', async () => {
  const origin = await served()
  const ended: string[] = []
  const report = await conform({
    controlUrl: `${origin}/_control`,
    only,
    onResult: ({ id }) => ended.push(id),
  })
  expect(report.counts.failed).toBe(0)
  expect(report.counts.passed).toBeGreaterThan(5)
  expect(ended).toHaveLength(report.results.length)
  const left = (await (await fetch(`${origin}/_control/sandboxes`)).json()) as { id: string }[]
  expect(left.map(({ id }) => id)).toEqual(['default'])
})

test('with one key, cases that need others are skipped', async () => {
  const baseUrl = await served()
  const keys = { full: { accessKey: 'demo', secretKey: 'demo-secret' } }
  const { counts } = await conform({ baseUrl, keys, only })
  expect(counts.failed).toBe(0)
  expect(counts.skipped).toBeGreaterThan(0)
})

test('an unusable target is reported', async () => {
  expect(conform({})).rejects.toThrow('conform needs baseUrl and keys, or controlUrl')
  const baseUrl = await served()
  const full = { accessKey: 'demo', secretKey: 'wrong' }
  expect(conform({ baseUrl, keys: { full } })).rejects.toThrow('does not accept the key')
  const right = { full: { accessKey: 'demo', secretKey: 'demo-secret' } }
  const none = conform({ baseUrl, keys: right, only: ['nothing'] })
  expect(none).rejects.toThrow('no case begins with nothing')
})
