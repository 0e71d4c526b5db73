/** Market views in Chromium show what a client receives. */
import { afterAll, expect, test } from 'bun:test'
import { client } from '../../src/clients/service/client.ts'
import { openConsole, state } from '../fixtures/console-page.ts'
import { consoleServer, textOf } from '../fixtures/console-server.ts'

const { origin, heldSandbox, plane, browser } = await consoleServer()
const service = client({ baseUrl: origin, accessKey: 'demo', secretKey: 'demo-secret' })

afterAll(() => service.close())

const digits = (text: string | null) => (text ?? '').replace(/[^\d.]/g, '')

test('the market view equals client responses: price, book, trades and depth', async () => {
  const { service, hash } = await heldSandbox('looked-at')
  await plane.clock.advance('looked-at', { ms: 15 * 60_000 })
  const { page, errors, close } = await openConsole(browser(), origin, hash('market/ETH'))
  await page.locator('.ladder-row').nth(20).waitFor()
  const price = await service.perpdex.ticker({ path: { coin: 'ETH' } })
  expect(Number(digits(await textOf(page, '.figures .large')))).toBe(Number(price?.price))
  // Of a whole day, not of the 24 hours that have begun in it.
  const day = { path: { coin: 'ETH', interval: '1m' }, query: { limit: 1440 } } as const
  const minutes = await service.perpdex.klinesWithTakerVol(day)
  const turnover = minutes.reduce((sum, { amount }) => sum + Number(amount), 0)
  const shown = await page.locator('.figures').getByText('$').first().textContent()
  const unit = { B: 1e9, M: 1e6 }[shown?.at(-1) ?? ''] ?? 1
  expect((Number(digits(shown)) * unit) / turnover).toBeCloseTo(1, 2)
  const book = await service.perpdex.info({ body: { type: 'l2Book', coin: 'ETH' } })
  const bids = page.locator('.ladder-side:not(.asks) .ladder-row')
  expect(Number(digits(await bids.first().locator('span').nth(1).textContent()))).toBe(
    Number(book?.levels[0][0]?.px),
  )
  await page.locator('.trade-row').nth(3).waitFor()
  await page.locator('.depth canvas').waitFor()
  expect(errors).toEqual([])
  service.close()
  await close()
})

test('a coin that the market does not have is said to be none, with the nearest one', async () => {
  for (const view of ['market', 'positions']) {
    const { page, errors, close } = await openConsole(browser(), origin, `#/${view}/BTCC`)
    await page.getByText('This market has no coin “BTCC”').waitFor()
    expect(await page.locator('.figures, .chart-place, canvas, .error-note').count()).toBe(0)
    await page.getByRole('button', { name: 'Did you mean BTC?' }).click()
    await page.locator('.figures .large').waitFor()
    expect(new URL(page.url()).hash).toContain(`#/${view}/BTC`)
    expect(errors).toEqual([])
    await close()
  }
})

test('candles go back to the beginning without a gap', async () => {
  const hash = '#/market/BTC?interval=4h'
  const { page, requested, close } = await openConsole(browser(), origin, hash)
  const requests = () => requested.filter((url) => url.includes('/klines-with-taker-vol/BTC/4h'))
  await page.locator('.candles canvas').first().waitFor()
  const chart = page.locator('.chart-place')
  const { x, y, width, height } = (await chart.boundingBox()) as Box
  do {
    await page.mouse.move(x + 40, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width - 90, y + height / 2, { steps: 4 })
    await page.mouse.up()
  } while (requests().length < 2)
  const [first, second] = requests().map((url) => new URL(url).searchParams)
  expect(first?.get('endTime')).toBeNull()
  // The previous page ends right where the first one begins.
  const newest = await service.perpdex.klinesWithTakerVol({
    path: { coin: 'BTC', interval: '4h' },
    query: { limit: 1000 },
  })
  expect(Number(second?.get('endTime'))).toBe((newest[0]?.openTime ?? 0) - 1)
  await page.locator('.to-present').click()
  await page.locator('.to-present').waitFor({ state: 'detached' })
  await close()
})

interface Box {
  x: number
  y: number
  width: number
  height: number
}

test('a coin is found by its name, and the address keeps view, coin and interval', async () => {
  const { page, close } = await openConsole(browser(), origin, '#/market/BTC')
  await page.getByRole('button', { name: /^BTC/ }).click()
  await page.getByRole('combobox', { name: 'Name of a coin' }).fill('solana')
  await page.getByRole('option', { name: /^SOL/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^SOL/ }).waitFor()
  await page.getByRole('button', { name: '15m', exact: true }).click()
  expect(new URL(page.url()).hash).toBe('#/market/SOL?interval=15m')
  await page.reload()
  await state(page, 'live')
  await page.getByRole('button', { name: /^SOL/ }).waitFor()
  expect(
    await page.getByRole('button', { name: '15m', exact: true }).getAttribute('aria-pressed'),
  ).toBe('true')
  await close()
})

test('positions, whales, news and indexes equal client responses', async () => {
  const { page, errors, close } = await openConsole(browser(), origin, '#/positions/BTC')
  const falling = await service.perpdex.liquidationsTopPositions({
    query: { coin: 'BTC', interval: '1d', limit: 50 },
  })
  await page.locator('.falling tbody tr').first().waitFor()
  expect(await page.locator('.falling tbody tr').count()).toBe(falling.length)
  for (const name of ['heatmap', 'funding', 'interest', 'longShort', 'liquidated'])
    await page.locator(`.${name} canvas`).first().waitFor()
  await page.getByRole('link', { name: 'Whales' }).click()
  const whales = await service.perpdex.whalePositions({ query: { take: 100 } })
  await page.locator('.whale-positions tbody tr').first().waitFor()
  expect(await page.locator('.whale-positions tbody tr').count()).toBe(whales.length)
  await page.getByRole('link', { name: 'Indexes' }).click()
  const { list } = await service.index.list()
  await page.getByRole('link', { name: list[0]?.en_name ?? '', exact: true }).click()
  await page
    .locator('dialog')
    .getByText(list[0]?.describe ?? '')
    .waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'News', exact: true }).click()
  for (const [name, language] of [
    ['English', 'en'],
    ['Simplified Chinese', 'cn'],
    ['Traditional Chinese', 'tc'],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).click()
    const [newest] = await service.content.newsflash({ query: { language } })
    await page
      .locator('.flashes h3')
      .getByText(newest?.title ?? '', { exact: true })
      .first()
      .waitFor()
  }
  expect(errors).toEqual([])
  await close()
})

test('the leaderboard links to a trader: positions, orders, fills, closed positions', async () => {
  const { page, errors, close } = await openConsole(
    browser(),
    origin,
    '#/traders?sort=snapTotalValue',
  )
  const { list } = (await service.perpdex.tradersDiscover({
    body: { pageSize: 1, period: 30, sort: { field: 'snapTotalValue', dir: 'desc' } },
  })) as { list: { address: string }[] }
  const address = list[0]?.address ?? ''
  await page.locator(`a[title="${address}"]`).click()
  await page.getByRole('heading', { name: address }).waitFor()
  const [account] = await service.perpdex.tradersClearinghouseState({
    body: { addresses: [address] },
  })
  const positions = account?.state.assetPositions ?? []
  expect(positions.length).toBeGreaterThan(0)
  await page
    .locator('.trader-part tbody tr')
    .nth(positions.length - 1)
    .waitFor()
  await page.locator('.trader-curve canvas').first().waitFor()
  const fills = await service.perpdex.fillsOfAddress({ path: { address }, query: { limit: 1 } })
  for (const [name, isExpected] of [
    ['Fills', fills.length > 0],
    ['Open orders', false],
    ['Closed positions', false],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).click()
    const rows = page.locator('.trader-part tbody tr')
    await (isExpected ? rows : rows.or(page.locator('.trader-part .note'))).first().waitFor()
  }
  expect(errors).toEqual([])
  await close()
})
