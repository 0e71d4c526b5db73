/** The pages in a real browser. They load nothing from other hosts. */
import { expect, test } from 'bun:test'
import { CHANNELS, OPERATIONS } from '../../src/contract/catalogue.ts'
import { DEMO_INVITE, DEMO_KEYS } from '../../src/contract/documents/demo-keys.ts'
import { watchedPage } from '../fixtures/browser.ts'
import { pageVisits } from '../fixtures/page-visits.ts'

const { sandbox, origin, control, TOKEN, guarded, visit, browser } = await pageVisits()

test('the start page lists the keys and the running sandboxes', async () => {
  await control('POST', '/sandboxes', { name: 'fast', speed: 20, scenario: 'stale-book' })
  const page = await visit('/', '#running td')
  expect(await page.title()).toBe('Start · Tapewright')
  const text = await page.locator('main').textContent()
  for (const { accessKey, secretKey } of DEMO_KEYS) {
    expect(text).toContain(accessKey)
    expect(text).toContain(secretKey)
  }
  expect(text).toContain(DEMO_INVITE)
  expect(text).toContain(origin)
  const rows = await page.locator('#running tbody tr').allInnerTexts()
  expect(rows[0]).toMatch(/^default\theld, .*as recorded\t2026-01-15 .* % of synth seed 1\t/)
  expect(rows[1]).toMatch(/^fast\t.*20 times.*stale-book/)
  for (const link of await page.locator('main a').all()) {
    const to = (await link.getAttribute('href')) ?? ''
    expect([to, (await fetch(new URL(to, origin))).status]).toEqual([to, 200])
  }
  await control('DELETE', '/sandboxes/fast')
})

test('the table of keys fits on a phone', async () => {
  const { page } = await watchedPage(browser())
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${origin}/`)
  // Its frame scrolls where the table is too wide.
  const hidden = '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)'
  expect(await page.evaluate(`${hidden}(document.querySelector('.keys').parentElement)`)).toBe(0)
  await page.close()
})

test('running sandboxes are shown to holders of the token', async () => {
  const page = await visit('/', 'h1', guarded.origin).catch((error: Error) => error)
  // The browser logs every error response; here that is the 401 of the token.
  expect(String(page)).toContain('401')
  const { page: again } = await watchedPage(browser())
  await again.goto(`${guarded.origin}/`)
  await again.waitForSelector('#access:not([hidden])')
  expect(await again.locator('#running').isVisible()).toBe(false)
  await again.getByLabel('Token of the control plane').fill(TOKEN)
  await again.keyboard.press('Enter')
  await again.waitForSelector('#running td')
  expect(await again.locator('#running tbody').textContent()).toContain('default')
})

test('the page of the sockets shows every channel, and finds them', async () => {
  const page = await visit('/asyncapi', 'main h3')
  expect(await page.locator('main h3').count()).toBe(CHANNELS.length)
  await page.getByRole('searchbox').fill('leverage')
  const found = page.locator('li[data-words]:visible a')
  expect(await found.count()).toBeWithin(1, CHANNELS.length)
  await found.first().click()
  const anchor = decodeURIComponent(new URL(page.url()).hash)
  expect(await page.locator(`main h3${anchor}`).count()).toBe(1)
})

test('the reference finds operations by their contents, and opens one', async () => {
  const page = await visit('/reference', 'main li')
  expect(await page.locator('li[data-words]').count()).toBe(OPERATIONS.length + 2)
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.className')).toBe('skip')
  await page.getByRole('searchbox').fill('HL_TICKERS')
  expect(await page.locator('li[data-words]:visible').allInnerTexts()).toEqual([
    'Last price of a coin GET /hl/tickers/coin/:coin',
    'Last prices of all coins GET /hl/tickers',
  ])
  expect(await page.locator('[role=status]').textContent()).toBe(
    `2 of ${OPERATIONS.length + 2} found`,
  )
  await page.keyboard.press('Enter')
  await page.waitForURL(`${origin}/reference/perpdex.ticker`)
  expect(await page.locator('h1').textContent()).toBe('Last price of a coin')
  await page.goBack()
  await page.getByRole('searchbox').fill('no such words')
  expect(await page.locator('.group:visible').count()).toBe(0)
})

test('every operation has a page that a phone can open', async () => {
  for (const { id, title } of OPERATIONS) {
    const answer = await fetch(`${origin}/reference/${id}`)
    const text = await answer.text()
    expect([id, answer.status, text.includes(id)]).toEqual([id, 200, true])
    expect(text).toContain(`<title>${Bun.escapeHTML(title)} · Tapewright</title>`)
    // All types of POST /info are on one page.
    expect([id, text.length < 80_000]).toEqual([id, true])
  }
})

test('the keys of the pages are those of the default sandbox', () => {
  const keys = [...sandbox.tenancy.keys.values()].map(({ accessKey, secretKey }) => ({
    accessKey,
    secretKey,
  }))
  const shown = DEMO_KEYS.map(({ accessKey, secretKey }) => ({ accessKey, secretKey }))
  expect(keys).toEqual(expect.arrayContaining(shown))
  expect(sandbox.inviteToken).toBe(DEMO_INVITE)
})
