/** Operations and control calls tried on their pages, in a real browser. */
import { expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import { CONTROL_OPERATIONS } from '../../src/server/control/operations.ts'
import { pageVisits } from '../fixtures/page-visits.ts'

const { origin, control, TOKEN, guarded, visit, stay } = await pageVisits()

/** Goes to an operation and opens its request. */
async function operation(page: Page, tag: string, path: string, method: string) {
  const open = await closeRequest(page)
  const closed = page.getByRole('button', { name: `Open Group - ${tag}`, exact: true })
  if (await closed.isVisible()) await closed.click()
  await page.locator(`[data-sidebar-id$="tag/${tag}/${method}${path}"] > a`).click()
  await page
    .getByRole('button', { name: `Test Request (${method.toLowerCase()} ${path})`, exact: true })
    .click()
  await open.waitFor()
  return open
}

/** Closes the request that is open. */
async function closeRequest(page: Page): Promise<Locator> {
  const open = page.getByRole('dialog', { name: 'API Client' })
  if (await open.isVisible())
    await page.getByRole('button', { name: 'Close Client' }).filter({ visible: true }).click()
  await open.waitFor({ state: 'hidden' })
  return open
}

/** Sends it; returns the response, and the status that the page shows. */
async function execute(request: Locator) {
  const page = request.page()
  const answer = page.waitForResponse((one) => /\/api\/|\/_control\//.test(one.url()))
  await request.locator('[data-addressbar-action="send"]').filter({ visible: true }).click()
  const response = await answer
  const status = response.status()
  await request.getByText(`${status} ${response.statusText()}`).first().waitFor()
  return { status, body: await response.text(), url: new URL(response.url()) }
}

test('trials are signed with the selected key', async () => {
  const page = await stay('/swagger', 'h1')
  const path = '/api/upgrade/v2/hl/tickers'
  const tickers = await operation(page, 'perpdex', path, 'GET')
  const read = await execute(tickers)
  expect(read.status).toBe(200)
  expect(JSON.parse(read.body).data.length).toBeGreaterThan(5)
  expect(read.url.searchParams.get('AccessKeyId')).toBe('demo')
  await page.getByLabel('Sign with').selectOption('demo-bare')
  const refused = await execute(tickers)
  expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('HL_TICKERS')])
})

test('a POST is signed too, and by a typed key', async () => {
  const page = await stay('/swagger', 'h1')
  await page.getByLabel('Sign with').selectOption('another key')
  await page.getByLabel('access key').fill('demo-sub')
  await page.getByLabel('secret key').fill('demo-sub-secret')
  const path = '/api/upgrade/v2/hl/traders/clearinghouse-state'
  const { status, body, url } = await execute(await operation(page, 'perpdex', path, 'POST'))
  expect(status).toBe(200)
  expect(JSON.parse(body).data).not.toBeEmpty()
  expect(url.searchParams.get('AccessKeyId')).toBe('demo-sub')
})

test('without a signature the refusal is shown', async () => {
  const page = await stay('/swagger', 'h1')
  await page.getByLabel('Sign with').selectOption('nothing')
  const tickers = await operation(page, 'perpdex', '/api/upgrade/v2/hl/tickers', 'GET')
  const { status, body } = await execute(tickers)
  expect([status, JSON.parse(body).msg]).toEqual([401, 'Invalid signature'])
})

test('the page of operations lists every one, and finds one', async () => {
  const page = await stay('/swagger', 'h1')
  expect(await listed(page)).toBe(OPERATIONS.length)
  await page.getByRole('button', { name: 'Open Search' }).click()
  await page.getByRole('combobox', { name: 'Enter search query' }).fill('coin tickers')
  await page.getByRole('option', { name: 'Coin tickers' }).first().click()
  await page.waitForURL('**/swagger#*tag/coin/GET/api/upgrade/v2/coin/ticker')
})

/** Operations in the menu, after opening its groups. */
async function listed(page: Page): Promise<number> {
  await closeRequest(page)
  const closed = page.getByRole('button', { name: /^Open Group - (?!Models)/ })
  while ((await closed.count()) > 0) await closed.first().click()
  return page.locator('[data-sidebar-id] > a', { hasText: 'HTTP Method' }).count()
}

test('a sandbox has its own page, which signs with its own keys', async () => {
  const { body } = await control('POST', '/sandboxes', { name: 'of-its-own' })
  const { accessKey } = body.keys.full
  const page = await visit('/s/of-its-own/swagger', 'h1')
  await page.waitForSelector('#key option[data-secret]', { state: 'attached' })
  expect(await page.getByLabel('Sign with').inputValue()).toBe(accessKey)
  expect(await page.locator('#key').textContent()).not.toContain('demo')
  const tickers = await operation(page, 'perpdex', '/api/upgrade/v2/hl/tickers', 'GET')
  const read = await execute(tickers)
  expect([read.status, read.url.pathname]).toEqual([200, '/s/of-its-own/api/upgrade/v2/hl/tickers'])
  expect((await fetch(`${origin}/s/unknown/swagger`)).status).toBe(404)
})

test('the page of the control plane lists every call and makes them', async () => {
  const page = await visit('/_control', 'h1')
  const read = await execute(await operation(page, 'sandbox', '/_control/sandboxes', 'GET'))
  expect([read.status, JSON.parse(read.body)[0].id]).toEqual([200, 'default'])
  const advance = '/_control/sandboxes/{id}/clock/advance'
  const moved = await execute(await operation(page, 'clock', advance, 'POST'))
  expect([moved.status, JSON.parse(moved.body).id]).toEqual([200, 'default'])
  expect(await listed(page)).toBe(CONTROL_OPERATIONS.length)
})

test('the page of the control plane sends the token', async () => {
  const page = await visit('/_control', 'h1', guarded.origin)
  const list = await operation(page, 'sandbox', '/_control/sandboxes', 'GET')
  expect((await execute(list)).status).toBe(401)
  await page.getByLabel('Token, on another address').fill(TOKEN)
  expect((await execute(list)).status).toBe(200)
})
