/** The console's reconcile view: identities of a coin and of an address, both sides of each. */
import { expect, test } from 'bun:test'
import { expectAccessible, LOOKS } from '../fixtures/console-accessibility.ts'
import { openConsole } from '../fixtures/console-page.ts'
import { consoleServer } from '../fixtures/console-server.ts'

const { origin, browser } = await consoleServer()

test('all identities of a coin are shown, and of one both sides with their records', async () => {
  const { page, errors, close } = await openConsole(browser(), origin, '#/reconcile/BTC')
  await page
    .getByRole('status')
    .filter({ hasText: /^All \d+ identities hold/ })
    .waitFor()
  expect(await page.locator('.badge.up').count()).toBeGreaterThan(30)
  await page.getByRole('button', { name: /open-interest history/ }).click()
  const sides = page.getByRole('region', { name: 'Both sides' })
  await sides.getByRole('row', { name: /^totalPv/ }).waitFor()
  await page.locator('.failure-detail pre', { hasText: '"totalPv"' }).waitFor()
  expect(errors).toEqual([])
  await close()
})

test('an address is typed, and what does not hold comes first', async () => {
  const { page, close } = await openConsole(browser(), origin, '#/reconcile', {
    replaced: {
      '/reconcile': (answer) => {
        const { identities = [] } = answer as { identities?: { id: string; holds: boolean }[] }
        const altered = identities.map((one) =>
          one.id === 'volumes' ? { ...one, holds: false } : one,
        )
        return { ...(answer as object), identities: altered }
      },
    },
  })
  await page
    .getByRole('textbox', { name: 'Address or coin' })
    .or(page.getByRole('combobox', { name: 'Address or coin' }))
    .fill('0xf6ff544414537b7ade1392ba85b1007f605b8d80')
  await page.getByRole('button', { name: 'Check' }).click()
  await page
    .getByRole('status')
    .filter({ hasText: /^1 of \d+ identities do not hold/ })
    .waitFor()
  const first = page.getByRole('region', { name: 'Reconcile' }).getByRole('row').nth(1)
  expect(await first.textContent()).toContain('differs')
  expect(await first.textContent()).toContain('volumes')
  await close()
})

test('a whole address is visible, and so is where all of many records are', async () => {
  const place = '#/reconcile/0xa9533741342749c32fc2e44aef0ba6530070ac19/fills-volume'
  const { page, errors, close } = await openConsole(browser(), origin, place)
  const call =
    'GET /_control/sandboxes/default/reconcile' +
    '?address=0xa9533741342749c32fc2e44aef0ba6530070ac19&identity=fills-volume&records=true'
  await page.locator('.failure-detail p', { hasText: call }).waitFor()
  const input = page.locator('.reconcile .address-search input')
  const hidden = await input.evaluate((field) => field.scrollWidth - field.clientWidth)
  expect(hidden).toBeLessThanOrEqual(0)
  expect(errors).toEqual([])
  await close()
})

test('it is said in Chinese as well', async () => {
  const look = { locale: 'zh-CN' }
  const { page, close } = await openConsole(browser(), origin, '#/reconcile/ETH', look)
  await page.getByRole('status').filter({ hasText: '恒等式成立' }).waitFor()
  await close()
})

test.each(LOOKS)('axe finds nothing in it, $colors at $width', async (look) => {
  const { page, errors, close } = await openConsole(browser(), origin, '#/market/BTC', look)
  const shown = [['reconcile/BTC/candles', '.failure-detail tbody tr']] as const
  await expectAccessible(page, shown, look)
  expect(errors).toEqual([])
  await close()
})
