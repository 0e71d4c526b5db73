/** The console's coverage view: totals, and items by kind and state. */
import { expect, test } from 'bun:test'
import { hostClock } from '../../src/clock/system-clock.ts'
import { expectAccessible, LOOKS } from '../fixtures/console-accessibility.ts'
import { openConsole } from '../fixtures/console-page.ts'
import { consoleServer } from '../fixtures/console-server.ts'
import { signedQuery } from '../fixtures/signed-query.ts'

const { origin, browser } = await consoleServer()

const requested = (path: string) =>
  fetch(`${origin}/api/upgrade/v2${path}?${signedQuery({ accessKey: 'demo' }, hostClock)}`)

test('what a client has met is counted, and the console itself counts nothing', async () => {
  const { page, errors, close } = await openConsole(browser(), origin, '#/coverage')
  const status = page.getByRole('status').filter({ hasText: /of the requirements were met/ })
  await status.waitFor()
  expect(await status.textContent()).toStartWith('0 %')
  await requested('/hl/tickers')
  await status.filter({ hasNotText: /^0 %/ }).waitFor()
  await page.getByRole('button', { name: 'Operations' }).click()
  await page.getByRole('button', { name: 'Met', exact: true }).click()
  const met = page.getByRole('region', { name: 'Met', exact: true })
  await met.getByText('GET /hl/tickers is answered').waitFor()
  expect(page.url()).toEndWith('#/coverage/operation/met')
  expect(errors).toEqual([])
  await close()
})

test('it is said in Chinese as well', async () => {
  const look = { locale: 'zh-CN' }
  const { page, close } = await openConsole(browser(), origin, '#/coverage/refusal', look)
  await page.getByRole('status').filter({ hasText: '的要求' }).waitFor()
  await close()
})

test.each(LOOKS)('axe finds nothing in it, $colors at $width', async (look) => {
  const { page, errors, close } = await openConsole(browser(), origin, '#/market/BTC', look)
  await expectAccessible(page, [['coverage/refusal/never', '.coverage tbody tr']] as const, look)
  expect(errors).toEqual([])
  await close()
})
