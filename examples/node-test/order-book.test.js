import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { createSandbox } from 'tapewright'

let sandbox

beforeEach(async () => {
  sandbox = await createSandbox({ clock: 'held', scenario: 'stale-book' })
})

afterEach(() => sandbox.close())

test('prices stand while the clock is held, and move when it does', async () => {
  const service = sandbox.client()

  const before = await service.perpdex.tickers()
  assert.deepEqual(await service.perpdex.tickers(), before)
  await sandbox.clock.advance(60_000)
  assert.notDeepEqual(await service.perpdex.tickers(), before)
})

test('a book whose source falls silent is shown as stale', async () => {
  const service = sandbox.client()

  const staleBook = new Promise((resolve) => {
    service.subscribe('l2Book', { coin: 'BTC' }, ({ coin }, { stale }) => {
      if (stale) resolve(coin)
    })
  })
  await sandbox.control.await({ subscriptions: 1 })
  // The clock moves by a minute at once.
  await sandbox.clock.advance(60_000)
  assert.equal(await staleBook, 'BTC')
})
