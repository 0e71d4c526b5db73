import { expect, test } from 'bun:test'
import { fakeRegistry } from '../fixtures/fake-market.ts'

test('a reset begins another run and leaves the previous one unchanged', async () => {
  const sandbox = (await fakeRegistry({ clock: 'held' })).get('default')
  if (!sandbox) throw new Error('there is no default sandbox')
  const { clock, tenancy, alerts, bookmarks, nonces, venueWeight } = sandbox
  alerts.forKey('demo').add({ subType: 'a', symbol: 'btc:hl', remark: '', shownMs: 5, price: '7' })
  bookmarks.set('here', 9_000)
  nonces.set('n', 1)
  venueWeight.spend(1, clock.nowMs())
  let fired = 0
  clock.after(1_000, () => fired++)

  sandbox.reset()
  expect(sandbox.clock).not.toBe(clock)
  expect(sandbox.tenancy).not.toBe(tenancy)
  expect([sandbox.alerts.list(), sandbox.venueWeight.saved]).toEqual([[], null])
  expect([sandbox.bookmarks.size, sandbox.nonces.size]).toEqual([0, 0])
  expect([alerts.list().length, bookmarks.size, nonces.size]).toEqual([1, 1, 1])
  await clock.advance(5_000)
  expect(fired).toBe(0)
})
