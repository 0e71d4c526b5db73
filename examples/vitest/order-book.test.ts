import { expect, test } from 'vitest'
import { createSandbox } from 'tapewright'

test('prices stand while the clock is held, and move when it does', async () => {
  await using sandbox = await createSandbox({ clock: 'held' })
  const service = sandbox.client()

  const before = await service.perpdex.tickers()
  expect(await service.perpdex.tickers()).toEqual(before)
  await sandbox.clock.advance(60_000)
  expect(await service.perpdex.tickers()).not.toEqual(before)
})

test('a book whose source falls silent is shown as stale', async () => {
  await using sandbox = await createSandbox({ clock: 'held', scenario: 'stale-book' })
  const service = sandbox.client()

  const staleBook = new Promise<string>((resolve) => {
    service.subscribe('l2Book', { coin: 'BTC' }, ({ coin }, { stale }) => {
      if (stale) resolve(coin)
    })
  })
  await sandbox.control.await({ subscriptions: 1 })
  // The clock moves by a minute at once.
  await sandbox.clock.advance(60_000)
  expect(await staleBook).toBe('BTC')
})
