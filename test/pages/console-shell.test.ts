/** Common behaviour of the console's views, in Chromium. */
import { expect, test } from 'bun:test'
import { pages } from '../../src/pages/documents/pages.ts'
import { controlRoutes } from '../../src/server/control/index.ts'
import { listen, server } from '../../src/server/transport/elysia/server.ts'
import { expectAccessible, LOOKS } from '../fixtures/console-accessibility.ts'
import { openConsole, state } from '../fixtures/console-page.ts'
import { consoleServer, textOf } from '../fixtures/console-server.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

const { registry, origin, plane, browser } = await consoleServer()

/** A second server over the same sandboxes, which can be stopped. */
const ownServer = () =>
  server({ registry, control: controlRoutes(registry, { token: null }), pages })
const listenOn = (app: ReturnType<typeof ownServer>, port: number) =>
  listen(app, { port, host: 'localhost' })

test('a narrow page shows all states of the time', async () => {
  const late = (record: unknown) => {
    const { clock, playhead, ...rest } = record as Record<string, object>
    const states = { growing: true, lagMs: 31_000 }
    return { ...rest, clock: { ...clock, state: 'held' }, playhead: { ...playhead, ...states } }
  }
  const look = { width: 390, replaced: { '/sandboxes/default': late } }
  const { page, close } = await openConsole(browser(), origin, '#/market/BTC', look)
  await page.locator('.times', { hasText: '31 s' }).waitFor()
  expect(await page.locator('.times .warn').count()).toBe(3)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  await close()
})

test('keys: the palette opens any view, and help lists the keys', async () => {
  const { page, close } = await openConsole(browser(), origin, '#/market/BTC')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('whal')
  await page.locator('[role=option][aria-selected=true]', { hasText: 'Whales' }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.whale-positions').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('crash')
  const first = page.locator('[role=option][aria-selected=true]', { hasText: 'Crash' })
  await first.waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Crash', pressed: true }).waitFor()
  await page.keyboard.press('?')
  await page.locator('dialog kbd', { hasText: '?' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('4')
  await page.locator('.leaderboard').waitFor()
  await page.keyboard.press('/')
  expect(await page.evaluate('document.activeElement.placeholder')).toBe('Address of a trader')
  await close()
})

test('the menu of a phone opens, and closes on a pick, a key and a touch outside', async () => {
  const { page, close } = await openConsole(browser(), origin, '#/market/BTC', { width: 390 })
  const link = page.getByRole('link', { name: 'Whales' })
  const menu = page.getByRole('button', { name: 'Menu' })
  await menu.click()
  await page.locator('.navigation a:focus', { hasText: 'Market' }).waitFor()
  await link.click()
  await page.locator('.whale-positions').waitFor()
  await link.waitFor({ state: 'hidden' })
  await menu.click()
  await link.waitFor()
  await page.keyboard.press('Escape')
  await link.waitFor({ state: 'hidden' })
  await menu.click()
  await link.waitFor()
  await page.mouse.click(380, 400)
  await link.waitFor({ state: 'hidden' })
  await close()
})

test('hostile text in a response stays text', async () => {
  const hostile = '<img src=x onerror="globalThis.harmed=1"><script>globalThis.harmed=1</script>'
  const { page, errors, close } = await openConsole(browser(), origin, '#/news', {
    replaced: {
      '/content/newsflash': (answer) => {
        const { data, ...rest } = answer as { data: { title: string; content: string }[] }
        return { ...rest, data: data.map((row) => ({ ...row, title: hostile, content: hostile })) }
      },
    },
  })
  await page.locator('.flashes h3').getByText(hostile).first().waitFor()
  expect(await page.evaluate('globalThis.harmed ?? 0')).toBe(0)
  expect(await page.locator('main img, main script').count()).toBe(0)
  await page.goto(`${origin}/console#/market/${encodeURIComponent(hostile)}`)
  await page.locator('.coin-button').getByText(hostile).waitFor()
  await page.getByText(`This market has no coin “${hostile.slice(0, 50)}`).waitFor()
  await page.goto(`${origin}/console#/traders/${encodeURIComponent(hostile)}`)
  await page.getByText('user must be 0x and 40 hexadecimal digits').first().waitFor()
  expect(await page.evaluate('globalThis.harmed ?? 0')).toBe(0)
  // Unknown coins and addresses are refused, without other errors.
  expect(errors.filter((text) => !text.includes('400'))).toEqual([])
  await close()
})

test('a control plane with a token requests it, and reports a wrong one', async () => {
  const { origin } = await serveRegistry(registry, 'the-token', pages)
  const context = await browser().newContext()
  const page = await context.newPage()
  await page.goto(`${origin}/console`)
  await state(page, 'locked')
  await page.getByLabel('Token').fill('another')
  await page.getByRole('button', { name: 'Unlock' }).click()
  await page.getByText('That token is not the right one.').waitFor()
  await page.getByLabel('Token').fill('the-token')
  await page.getByRole('button', { name: 'Unlock' }).click()
  await state(page, 'live')
  await page.locator('.ladder-row').first().waitFor()
  // The server calls itself with the token of the run's user.
  await page.goto(`${origin}/console#/conformance`)
  await page.getByLabel('Cases that begin with').fill('answer.perpdex.ticker.')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByText('1 passed').waitFor()
  await context.close()
})

test('the page reports a lost server, and continues when it is back', async () => {
  const first = ownServer()
  const at = listenOn(first, 0)
  const { page, close } = await openConsole(browser(), at, '#/market/BTC?interval=1s')
  await page.locator('.trade-row').first().waitFor()
  await first.server?.stop(true)
  await state(page, 'gone')
  await page.getByText('The server does not answer.').waitFor()
  await page.keyboard.press('Space')
  await page.getByText('Nothing was done: no server is reached.').waitFor()
  const second = ownServer()
  listenOn(second, Number(new URL(at).port))
  await state(page, 'live')
  await page.getByText('The server does not answer.').waitFor({ state: 'detached' })
  await page.locator('.ladder-row').first().waitFor()
  // Later pushes arrive.
  const shown = await textOf(page, '.trade-row')
  await plane.playhead.step('default', { kind: 'trade', coin: 'BTC' })
  await page
    .locator('.trade-row')
    .first()
    .filter({ hasNotText: shown ?? '' })
    .waitFor()
  await close()
  await second.server?.stop(true)
})

const VIEWS = [
  ['market', '.trade-row'],
  ['positions/BTC', '.liquidated canvas'],
  ['whales', '.whale-positions tbody tr'],
  ['traders', '.leaderboard tbody tr'],
  ['news', '.flashes li'],
  ['indexes', '.indexes tbody tr'],
  ['drive', '.timeline canvas'],
] as const

test.each(LOOKS)('axe finds nothing in any view, $colors at $width', async (look) => {
  const { page, errors, close } = await openConsole(browser(), origin, '#/market/BTC', look)
  await expectAccessible(page, VIEWS, look)
  expect(errors).toEqual([])
  await close()
})
