/** Traffic and faults views of the console in Chromium. */
import { expect, test } from 'bun:test'
import { hostClock } from '../../src/clock/system-clock.ts'
import { openConsole } from '../fixtures/console-page.ts'
import { consoleServer, press, until } from '../fixtures/console-server.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { PREFIX } from '../fixtures/test-server.ts'

const { registry, origin, sandbox, browser } = await consoleServer()

test('the traffic view shows why a request was refused, and repeats it', async () => {
  const { service, own, at, made } = await sandbox('watched')
  await service('full').perpdex.tickers()
  await service('bare')
    .perpdex.tickers()
    .catch(() => {})
  await service('full', 'wrong')
    .perpdex.tickers()
    .catch(() => {})
  const { page, errors, close } = await openConsole(browser(), origin, at('traffic?'))
  const rows = page.locator('.virtual-row')
  await rows.nth(3).waitFor()
  expect(await page.locator('.entry-status').allTextContents()).toEqual([
    ...['200', '403', '401', '401'],
  ])
  await page.getByRole('searchbox').fill('status:401 tickers')
  await rows.nth(2).waitFor({ state: 'detached' })
  await rows.first().click()
  await page.locator('.why', { hasText: 'Invalid signature' }).waitFor()
  // The journal has no signature: a reason of that time, and no guess at what was signed.
  await page.getByText('the secret key is another, or').waitFor()
  expect(await page.getByText('Received').count()).toBe(0)
  const wrong = signedQuery({ accessKey: 'demo', secretKey: 'wrong' }, hostClock)
  await page.getByLabel('URL with its signature').fill(`${origin}${PREFIX}/hl/tickers?${wrong}`)
  await press(page, 'Explain')
  await page.getByText('The answer now: 401').waitFor()
  await page.locator('.checks .failed').first().waitFor()
  await page.getByRole('searchbox').fill('status:403')
  await rows.first().click()
  await page.getByText(`key "${made.keys.bare.accessKey}" lacks HL_TICKERS`).waitFor()
  await page.getByText('use a key that has it').waitFor()
  expect(await page.getByText('likely mistake').count()).toBe(0)
  expect(await page.locator('.entry-status').allTextContents()).toEqual(['403'])
  await page.getByRole('searchbox').fill('status:401 tickers')
  await rows.first().click()
  expect(await page.locator('.code-block pre').first().textContent()).toContain(
    `curl -sS -i -X GET '${origin}/s/watched/api/upgrade/v2/hl/tickers?'`,
  )
  await press(page, 'Python')
  expect(await page.locator('.code-block pre').first().textContent()).toContain('hmac.new(')
  await press(page, 'Replay')
  await until(async () => (await own.journal.read({ status: 200 })).entries.length === 2)
  await page.getByRole('searchbox').fill('status:200')
  await rows.nth(1).waitFor()
  await rows.nth(1).click()
  // Responses are kept while they are viewed, with descriptions of their fields.
  await page.locator('.json-line', { hasText: '"coin": "BTC"' }).first().waitFor()
  await page.locator('.json-note', { hasText: 'coin name' }).first().waitFor()
  await press(page, 'TypeScript')
  await page.getByText('await service.perpdex.tickers()').waitFor()
  await press(page, 'Make a test of this')
  await page.locator('dialog pre', { hasText: 'toMatchObject({ status: 200' }).waitFor()
  expect(errors).toEqual([])
  await close()
})

test('ten thousand entries are kept, some dozens drawn; a connection has its details', async () => {
  const { service, own, at } = await sandbox('busy')
  const full = service('full')
  await new Promise<void>((resolve) => {
    full.subscribe('l2Book', { coin: 'BTC' }, () => resolve())
  })
  const { page, errors, close } = await openConsole(
    browser(),
    origin,
    at('traffic?part=connections&'),
  )
  await page.locator('.streams li', { hasText: 'l2Book' }).waitFor()
  expect(await page.locator('.connection meter').getAttribute('max')).toBe('60000')
  full.close()
  await press(page, 'Timeline')
  await page.locator('.virtual-row').first().waitFor()
  const { journal } = registry.get('busy') as NonNullable<ReturnType<typeof registry.get>>
  await own.journal.set({ bytes: 100_000_000 })
  const frame = { sessionMs: 0, tapeMs: 0, key: null, direction: 'out', connection: 9, path: '/x' }
  for (let n = 0; n < 12_000; n++)
    journal.recordFrames(frame as never, [`{"channel":"trades","data":[${n}]}`])
  await page.getByText(/^10,000 of 10,000/).waitFor()
  expect(await page.locator('.virtual-row').count()).toBeLessThan(80)
  await page.locator('.entry', { hasText: '[11999]' }).waitFor()
  expect(errors).toEqual([])
  await close()
})

test('buttons in Trouble have effects that a client sees', async () => {
  const { made, service, own, at } = await sandbox('troubled')
  const { page, errors, close } = await openConsole(browser(), origin, at('trouble?'))
  const row = page.locator('.scenario', { has: page.getByText('html-errors', { exact: true }) })
  await row.getByRole('button', { name: 'Turn on' }).click()
  await row.getByRole('button', { name: 'Turn off' }).waitFor()
  const full = service('full')
  await full.perpdex.tickers()
  expect(await full.perpdex.tickers().catch(({ name }) => name)).toBe('AnswerError')
  await page.locator('.acted-rules li').first().waitFor()
  await row.getByRole('button', { name: 'Turn off' }).click()
  await until(async () => (await own.get()).scenarios.length === 0)
  await row.getByRole('button', { name: 'For 1 min' }).click()
  await row.getByText(/ends in \d+ s/).waitFor()
  await press(page, 'All off')
  await page.getByLabel(/nonce-reuse/).selectOption('reject')
  await until(async () => (await own.get()).questions['nonce-reuse'] === 'reject')
  await page.getByLabel(/nonce-reuse/).selectOption('accept')
  await until(async () => (await own.get()).questions['nonce-reuse'] === 'accept')
  const { accessKey } = made.keys.sub
  const quota = page.locator('.quotas li', { has: page.getByText(accessKey, { exact: true }) })
  await quota.getByRole('button', { name: 'Set 2 requests left' }).click()
  await quota.getByText('2 left').waitFor()
  const { usage, limits } = await own.keys.get(accessKey)
  expect((limits.monthlyQuota ?? 0) - usage.month).toBe(2)
  await quota.getByRole('button', { name: 'Refill' }).click()
  await until(async () => (await own.keys.get(accessKey)).usage.month === 0)
  expect(errors).toEqual([])
  await close()
})
