/** The pages in a real browser. They load nothing from elsewhere. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright'
import { CHANNELS, OPERATIONS } from '../../src/contract/index.ts'
import { pages } from '../../src/specs/pages.ts'
import { server } from '../../src/transport/elysia/server.ts'
import { startBrowser, watchedPage } from '../fixtures/browser.ts'
import { fakeRegistry } from '../fixtures/fake-market.ts'

const registry = await fakeRegistry()
const app = server({ registry, control: [], pages }).listen(0)
const origin = `http://localhost:${app.server?.port}`
let browser: Browser

beforeAll(async () => {
  browser = await startBrowser()
})

afterAll(async () => {
  await browser.close()
  registry.close()
  await app.stop(true)
})

async function visit(path: string, settled: string) {
  const { page, requested, errors } = await watchedPage(browser)
  await page.goto(origin + path)
  await page.waitForSelector(settled)
  expect(requested.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'))).toEqual([])
  expect(errors).toEqual([])
  return page
}

test('the OpenAPI page lists every operation and opens one', async () => {
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

test('the page of the sockets shows every channel', async () => {
  const page = await visit('/asyncapi', 'main h4')
  expect(await page.locator('main h4').count()).toBe(CHANNELS.length)
  await page.locator('nav a.l4').first().click()
  expect(new URL(page.url()).hash).toMatch(/^#h\d+$/)
})

test('the reference is a page too', async () => {
  const page = await visit('/reference', 'main h3')
  const text = await page.locator('main').textContent()
  for (const { id } of OPERATIONS) expect(text).toContain(id)
})
