/** The pages in a real browser. They load nothing from elsewhere. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Browser, Locator, Page } from 'playwright'
import { hostClock } from '../../src/clock/system-clock.ts'
import { CHANNELS, OPERATIONS } from '../../src/contract/index.ts'
import { CONTROL_OPERATIONS } from '../../src/control/operations.ts'
import { DEMO_INVITE, DEMO_KEYS } from '../../src/specs/demo-keys.ts'
import { startBrowser, watchedPage } from '../fixtures/browser.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

const { registry, sandbox } = await recordedRegistry({}, hostClock)
const { origin, control } = await serveRegistry(registry)
const TOKEN = 'a <token>'
const guarded = await serveRegistry(registry, TOKEN)
let browser: Browser

beforeAll(async () => {
  browser = await startBrowser()
})

afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})

afterAll(async () => {
  await browser.close()
  registry.close()
})

async function visit(path: string, settled: string, at = origin) {
  const { page, requested, errors } = await watchedPage(browser)
  await page.goto(at + path)
  await page.waitForSelector(settled)
  expect(requested.filter((url) => !url.startsWith(at) && !url.startsWith('data:'))).toEqual([])
  expect(errors).toEqual([])
  return page
}

/** Opens an operation of the page. */
async function operation(page: Page, tag: string, path: string, method: string) {
  await page.locator(`.opblock-tag[data-tag="${tag}"]`).click()
  const block = page.locator(`.opblock-${method}`, {
    has: page.locator(`.opblock-summary-path[data-path="${path}"]`),
  })
  await block.locator('.opblock-summary-control').click()
  return block
}

/** Sends it, and takes away what was answered before. */
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

test('the start page says which keys there are and what is running', async () => {
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
  expect(rows[0]).toMatch(/^default\theld, .*as recorded\t2026-01-15 .* % of \w+, seed 1/)
  expect(rows[1]).toMatch(/^fast\t.*20 times.*stale-book/)
  for (const link of await page.locator('main a').all()) {
    const to = (await link.getAttribute('href')) ?? ''
    expect([to, (await fetch(new URL(to, origin))).status]).toEqual([to, 200])
  }
  await control('DELETE', '/sandboxes/fast')
})

test('what is running is shown to whoever has the token', async () => {
  const page = await visit('/', 'h1', guarded.origin).catch((error: Error) => error)
  // The browser tells of every answer that is an error; here that is the question for the token.
  expect(String(page)).toContain('401')
  const { page: again } = await watchedPage(browser)
  await again.goto(`${guarded.origin}/`)
  await again.waitForSelector('#access:not([hidden])')
  expect(await again.locator('#running').isVisible()).toBe(false)
  await again.getByLabel('Token of the control plane').fill(TOKEN)
  await again.keyboard.press('Enter')
  await again.waitForSelector('#running td')
  expect(await again.locator('#running tbody').textContent()).toContain('default')
})

test('the page of operations lists every one and opens one', async () => {
  const page = await visit('/swagger', '.opblock-tag')
  for (const tag of await page.locator('.opblock-tag').all())
    if ((await tag.getAttribute('data-is-open')) === 'false') await tag.click()
  await page.waitForSelector('.opblock')
  expect(await page.locator('.opblock').count()).toBe(OPERATIONS.length)
  await page.locator('.opblock-summary-path[data-path="/api/upgrade/v2/coin/ticker"]').click()
  const opened = page.locator('.opblock.is-open .opblock-body')
  await opened.waitFor()
  expect(await opened.textContent()).toContain('coin_list')
})

test('what is tried out is signed with the key that is chosen', async () => {
  const page = await visit('/swagger', '.opblock-tag')
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

test('a POST is signed too, and by a key that is typed in', async () => {
  const page = await visit('/swagger', '.opblock-tag')
  await page.getByLabel('Sign with').selectOption('another key')
  await page.getByLabel('access key').fill('demo-sub')
  await page.getByLabel('secret key').fill('demo-sub-secret')
  const path = '/api/upgrade/v2/hl/traders/clearinghouse-state'
  const { status, body, url } = await execute(await operation(page, 'perpdex', path, 'post'))
  expect(status).toBe(200)
  expect(JSON.parse(body).data).not.toBeEmpty()
  expect(url.searchParams.get('AccessKeyId')).toBe('demo-sub')
})

test('without a signature the refusal is seen', async () => {
  const page = await visit('/swagger', '.opblock-tag')
  await page.getByLabel('Sign with').selectOption('nothing')
  const tickers = await operation(page, 'perpdex', '/api/upgrade/v2/hl/tickers', 'get')
  const { status, body } = await execute(tickers)
  expect([status, JSON.parse(body).msg]).toEqual([401, 'Invalid signature'])
})

test('a sandbox has a page of its own, which signs with its own keys', async () => {
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

test('the reference finds operations by what is in them, and opens one', async () => {
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
    // All types of POST /info stand on one.
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
