/** Sandboxes, keys, levels and invites in Chromium: buttons have effects that a client sees. */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { client } from '../../src/clients/service/client.ts'
import { openConsole } from '../fixtures/console-page.ts'
import { consoleServer, press, until } from '../fixtures/console-server.ts'

const HOSTILE = '<img src=x onerror="globalThis.harmed=1">'
const { origin, plane, sandbox, browser } = await consoleServer()

const harmed = (page: Page) => page.evaluate('globalThis.harmed ?? 0')

test('sandboxes are created, copied, reset and dropped; keys and levels are changed', async () => {
  const { made, own, at } = await sandbox('kept')
  const { page, errors, close } = await openConsole(browser(), origin, at('sandboxes?'))
  await page.getByLabel('Remark').first().fill(HOSTILE)
  await press(page, 'Make a key')
  const secret = await page.locator('.secret-once pre').textContent()
  const [, accessKey = ''] = /ACCESS_KEY=(\S+)/.exec(secret ?? '') ?? []
  expect((await own.keys.get(accessKey)).name).toBe(HOSTILE)
  await page.getByRole('cell', { name: HOSTILE }).waitFor()
  const tick = page.getByLabel('HL_TICKERS: basic')
  await tick.click()
  await page.getByText('Level basic is saved').waitFor()
  const asSub = client({ baseUrl: made.baseUrl, ...made.keys.sub })
  expect(await asSub.perpdex.tickers().catch(({ kind }) => kind)).toBe('permission')
  await page.getByLabel('Name').fill(HOSTILE)
  await press(page, 'Make a sandbox')
  await page.locator('.toast.failed').first().waitFor()
  await page.getByLabel('Name').fill('made-there')
  await press(page, 'Make a sandbox')
  await page.locator('tr', { hasText: 'made-there' }).getByText('current').waitFor()
  const row = page.locator('tr', { has: page.getByRole('link', { name: 'kept', exact: true }) })
  await row.getByRole('button', { name: 'Copy' }).click()
  await until(async () => (await plane.sandboxes.list()).length >= 3)
  for (const name of ['Reset', 'Sure?']) await row.getByRole('button', { name }).click()
  await until(async () => !(await own.keys.list()).some((key) => key.accessKey === accessKey))
  const other = page.locator('tr', { has: page.getByRole('link', { name: 'made-there' }) })
  for (const name of ['Drop', 'Sure?']) await other.getByRole('button', { name }).click()
  await other.waitFor({ state: 'detached' })
  // The invalid name was refused.
  expect([await harmed(page), errors.filter((text) => !text.includes('400'))]).toEqual([0, []])
  await close()
})

test('changes of keys, levels, invites and snapshots take effect for clients', async () => {
  const { made, own, at } = await sandbox('changed')
  const { page, errors, close } = await openConsole(browser(), origin, at('sandboxes?'))
  const asSub = client({ baseUrl: made.baseUrl, ...made.keys.sub })
  const answered = () =>
    asSub.perpdex.tickers().then(
      () => 'well',
      ({ kind }) => kind,
    )
  const row = page.locator('tr', { hasText: made.keys.sub.accessKey })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .locator('tr', { has: page.getByRole('link', { name: 'changed', exact: true }) })
      .getByRole('button', { name: 'Snapshot' })
      .click(),
  ])
  await row.getByRole('button', { name: 'Disable' }).click()
  // The buttons Disable and Delete contain the word as well.
  await row.getByText('disabled', { exact: true }).waitFor()
  expect(await answered()).toBe('signature')
  await row.getByRole('button', { name: 'Enable' }).click()
  await row.getByText('active', { exact: true }).waitFor()
  expect(await answered()).toBe('well')
  const rate = page.getByLabel('Requests a minute: basic')
  await rate.fill('1')
  await rate.blur()
  await page.getByText('Level basic is saved').waitFor()
  await answered()
  expect(await answered()).toBe('rate')
  await page.getByPlaceholder('New level').fill('gold')
  await press(page, 'Add')
  await page.getByText('Level gold is saved').waitFor()
  const asPartner = client({ baseUrl: made.baseUrl, ...made.keys.partner })
  expect(await asPartner.distributor.levels()).toContain('gold')
  await page.getByLabel('Remark').last().fill(HOSTILE)
  await press(page, 'Make an invite')
  await page.getByRole('cell', { name: HOSTILE }).waitFor()
  expect((await own.invites.list()).map(({ name }) => name)).toContain(HOSTILE)
  for (const name of ['Delete', 'Sure?']) await row.getByRole('button', { name }).click()
  await row.waitFor({ state: 'detached' })
  expect(await answered()).toBe('signature')
  await page
    .locator('input[type=file]')
    .last()
    .setInputFiles(await download.path())
  await row.waitFor()
  expect(await answered()).toBe('well')
  expect([await harmed(page), errors]).toEqual([0, []])
  await close()
})
