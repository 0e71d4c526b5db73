/** Operations and control calls tried on their pages, in a real browser. */
import { expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import { CONTROL_OPERATIONS } from '../../src/server/control/operations.ts'
import { pageVisits } from '../fixtures/page-visits.ts'

const { origin, control, TOKEN, guarded, visit, stay } = await pageVisits()

/** Opens an operation of the page. */
async function operation(page: Page, tag: string, path: string, method: string) {
  const group = page.locator(`.opblock-tag[data-tag="${tag}"]`)
  if ((await group.getAttribute('data-is-open')) === 'false') await group.click()
  const block = page.locator(`.opblock-${method}`, {
    has: page.locator(`.opblock-summary-path[data-path="${path}"]`),
  })
  if ((await block.locator('.opblock-body').count()) === 0)
    await block.locator('.opblock-summary-control').click()
  return block
}

/** Sends it, after removing the earlier response. */
async function execute(block: Locator) {
  if (await block.locator('.btn-clear').isVisible()) await block.locator('.btn-clear').click()
  await block.locator('.execute').click()
  const answer = block.locator('.live-responses-table .response').first()
  await answer.waitFor()
  const status = await answer.locator('.response-col_status').textContent()
  const body = await answer.locator('pre').first().textContent()
  const url = await block.locator('.request-url pre').textContent()
  return { status: Number.parseInt(status ?? '', 10), body: body ?? '', url: new URL(url ?? '') }
}

test('trials are signed with the selected key', async () => {
  const page = await stay('/swagger', '.opblock-tag')
  const path = '/api/upgrade/v2/hl/tickers'
  const tickers = await operation(page, 'perpdex', path, 'get')
  const read = await execute(tickers)
  expect(read.status).toBe(200)
  expect(JSON.parse(read.body).data.length).toBeGreaterThan(5)
  expect(read.url.searchParams.get('AccessKeyId')).toBe('demo')
  await page.getByLabel('Sign with').selectOption('demo-bare')
  const refused = await execute(tickers)
  expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('HL_TICKERS')])
})

test('a POST is signed too, and by a typed key', async () => {
  const page = await stay('/swagger', '.opblock-tag')
  await page.getByLabel('Sign with').selectOption('another key')
  await page.getByLabel('access key').fill('demo-sub')
  await page.getByLabel('secret key').fill('demo-sub-secret')
  const path = '/api/upgrade/v2/hl/traders/clearinghouse-state'
  const { status, body, url } = await execute(await operation(page, 'perpdex', path, 'post'))
  expect(status).toBe(200)
  expect(JSON.parse(body).data).not.toBeEmpty()
  expect(url.searchParams.get('AccessKeyId')).toBe('demo-sub')
})

test('without a signature the refusal is shown', async () => {
  const page = await stay('/swagger', '.opblock-tag')
  await page.getByLabel('Sign with').selectOption('nothing')
  const tickers = await operation(page, 'perpdex', '/api/upgrade/v2/hl/tickers', 'get')
  const { status, body } = await execute(tickers)
  expect([status, JSON.parse(body).msg]).toEqual([401, 'Invalid signature'])
})

// All of them at once make the page slow: the tests before need a few.
test('the page of operations lists every one and opens one', async () => {
  const page = await stay('/swagger', '.opblock-tag')
  for (const tag of await page.locator('.opblock-tag').all())
    if ((await tag.getAttribute('data-is-open')) === 'false') await tag.click()
  await page.waitForSelector('.opblock')
  expect(await page.locator('.opblock').count()).toBe(OPERATIONS.length)
  const ticker = await operation(page, 'coin', '/api/upgrade/v2/coin/ticker', 'get')
  expect(await ticker.locator('.opblock-body').textContent()).toContain('coin_list')
})

test('a sandbox has its own page, which signs with its own keys', async () => {
  const { body } = await control('POST', '/sandboxes', { name: 'of-its-own' })
  const { accessKey } = body.keys.full
  const page = await visit('/s/of-its-own/swagger', '.opblock-tag')
  await page.waitForSelector('#key option[data-secret]', { state: 'attached' })
  expect(await page.getByLabel('Sign with').inputValue()).toBe(accessKey)
  expect(await page.locator('#key').textContent()).not.toContain('demo')
  const tickers = await operation(page, 'perpdex', '/api/upgrade/v2/hl/tickers', 'get')
  const read = await execute(tickers)
  expect([read.status, read.url.pathname]).toEqual([200, '/s/of-its-own/api/upgrade/v2/hl/tickers'])
  expect((await fetch(`${origin}/s/nobody/swagger`)).status).toBe(404)
})

test('the page of the control plane lists every call and makes them', async () => {
  const page = await visit('/_control', '.opblock-tag')
  const read = await execute(await operation(page, 'sandbox', '/_control/sandboxes', 'get'))
  expect([read.status, JSON.parse(read.body)[0].id]).toEqual([200, 'default'])
  const advance = '/_control/sandboxes/{id}/clock/advance'
  const moved = await execute(await operation(page, 'clock', advance, 'post'))
  expect([moved.status, JSON.parse(moved.body).id]).toEqual([200, 'default'])
  for (const tag of await page.locator('.opblock-tag').all())
    if ((await tag.getAttribute('data-is-open')) === 'false') await tag.click()
  expect(await page.locator('.opblock').count()).toBe(CONTROL_OPERATIONS.length)
})

test('the page of the control plane sends the token', async () => {
  const page = await visit('/_control', '.opblock-tag', guarded.origin)
  const list = await operation(page, 'sandbox', '/_control/sandboxes', 'get')
  expect((await execute(list)).status).toBe(401)
  await page.locator('.btn.authorize').click()
  await page.locator('.auth-container input').fill(TOKEN)
  await page.locator('.auth-btn-wrapper .authorize').click()
  await page.locator('.btn-done').click()
  expect((await execute(list)).status).toBe(200)
})
