import { expect, test } from 'tapewright/playwright'

test.use({ sandboxOptions: { clock: 'held' } })

const status = (page) => page.getByRole('status')
const mid = (page) => page.locator('#mid')

/** Opens the page with the keys of the sandbox and waits for the first book. */
async function connect(page, sandbox) {
  await page.goto('/')
  await page.getByLabel('Access key').fill(sandbox.keys.full.accessKey)
  await page.getByLabel('Secret key').fill(sandbox.keys.full.secretKey)
  await page.getByRole('button', { name: 'Connect' }).click()
  await sandbox.control.await({ subscriptions: 1 })
  await expect(status(page)).toHaveText('live')
}

test('shows the book of the service, best prices in the middle', async ({ page, sandbox }) => {
  await connect(page, sandbox)
  const pricesOf = async (side) =>
    (await page.locator(`#${side} td:nth-child(2)`).allTextContents()).map(Number)
  const [asks, bids] = [await pricesOf('asks'), await pricesOf('bids')]
  expect(asks).toHaveLength(8)
  expect(bids).toHaveLength(8)
  const prices = [...asks, ...bids]
  expect(prices).toEqual(prices.toSorted((one, other) => other - one))
})

test('shows exactly what the client of the service reads', async ({ page, sandbox }) => {
  await connect(page, sandbox)
  await sandbox.clock.advance(30_000)
  const book = await sandbox.client().perpdex.info({ body: { type: 'l2Book', coin: 'BTC' } })
  const [[bid], [ask]] = book.levels
  await expect(mid(page)).toHaveText(String((Number(bid.px) + Number(ask.px)) / 2))
})

test('moves when the clock is moved', async ({ page, sandbox }) => {
  await connect(page, sandbox)
  const before = await mid(page).textContent()
  await sandbox.clock.advance(60_000)
  await expect(mid(page)).not.toHaveText(before)
})

test('says that a book is old, though the connection is open', async ({ page, sandbox }) => {
  await connect(page, sandbox)
  await sandbox.control.scenario.set({ name: 'stale-book' })
  await sandbox.clock.advance(20_000)
  await expect(status(page)).toHaveText('stale')
})

test('comes back by itself after maintenance', async ({ page, sandbox }) => {
  await connect(page, sandbox)
  await sandbox.control.scenario.set({ name: 'maintenance' })
  await sandbox.clock.advance(10_000)
  await expect(status(page)).toHaveText('away: the service answers 503')
  await sandbox.clock.advance(120_000)
  await expect(status(page)).toHaveText('live')
})
