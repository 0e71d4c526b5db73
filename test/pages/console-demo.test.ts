/** Conformance, documents and the demo of the console in Chromium, and axe over the tools. */
import { expect, test } from 'bun:test'
import { client } from '../../src/clients/service/client.ts'
import { expectAccessible, LOOKS } from '../fixtures/console-accessibility.ts'
import { openConsole } from '../fixtures/console-page.ts'
import { consoleServer, press, until } from '../fixtures/console-server.ts'

const { origin, plane, browser } = await consoleServer()

test('the suite is run from the page and monitored; documents are shown in frames', async () => {
  const { page, errors, close } = await openConsole(browser(), origin, '#/conformance')
  await page.getByLabel('Cases that begin with').fill('authentication')
  await press(page, 'Run')
  await page.locator('.run .badge', { hasText: 'finished' }).waitFor()
  const { counts, total } = await plane.conformance.get()
  expect([counts.passed, counts.failed]).toEqual([total, 0])
  await page.getByText(`${total} passed`).waitFor()
  await press(page, 'Another service')
  await page.getByLabel('Base URL').fill(origin)
  await page.getByLabel('Access key').fill('demo')
  await page.getByLabel('Secret key').fill('wrong')
  await press(page, 'Run')
  await page.locator('.why.bad').waitFor()
  await plane.scenario.set('default', { name: 'code-as-number' })
  await page.getByLabel('Cases that begin with').fill('answer.perpdex.ticker.')
  await page.getByLabel('Secret key').fill('demo-secret')
  await press(page, 'Run')
  await page.locator('.failure').click()
  await page.locator('.failure-detail details[open]').getByText('hl/tickers/coin').first().waitFor()
  await plane.scenario.clear('default')
  await page.goto(`${origin}/console#/papers`)
  await page.locator('.cast-group li', { hasText: 'BTC' }).first().waitFor()
  await press(page, 'Operations')
  await page.frameLocator('iframe').getByLabel('Sign with').waitFor()
  expect(errors).toEqual([])
  await close()
})

test('a story plays with captions and keys; a guest sees it and changes nothing', async () => {
  const { page, errors, close } = await openConsole(browser(), origin, '#/papers')
  await page.goto(`${origin}/console?demo`)
  await page.locator('.story', { hasText: 'A stale book' }).click()
  const caption = page.locator('.caption')
  await caption.getByText('All is well').waitFor()
  await page.locator('.ladder-row').first().waitFor()
  await page.keyboard.press(' ')
  await caption.getByText('Now the book stands still').waitFor()
  await until(async () => (await plane.sandboxes.get('default')).scenarios.includes('stale-book'))
  await page.keyboard.press('r')
  await caption.getByText('All is well').waitFor()
  await until(async () => (await plane.sandboxes.get('default')).scenarios.length === 0)
  await page.keyboard.press('Escape')
  await page.locator('.story').first().waitFor()
  expect(errors).toEqual([])
  await close()
  const { url } = await plane.guest.get()
  const guest = await openConsole(browser(), origin, url.slice(url.indexOf('#')))
  await guest.page.locator('.guest-note').waitFor()
  expect(await guest.page.getByRole('link', { name: 'Sandboxes' }).count()).toBe(0)
  await guest.page.locator('.ladder-row').first().waitFor()
  await guest.page.goto(`${origin}/console#/trouble`)
  await guest.page.locator('.scenario').first().waitFor()
  const buttons = (name: string) => guest.page.getByRole('button', { name }).count()
  for (const name of ['Turn on', 'All off', 'Set 2 requests left'])
    expect(await buttons(name)).toBe(0)
  await guest.page.goto(`${origin}/console#/drive`)
  await guest.page.locator('.mark-legend').waitFor()
  for (const name of ['Pause', 'Trigger', '60 s', 'Bookmark here'])
    expect(await buttons(name)).toBe(0)
  await guest.page.keyboard.press(' ')
  await guest.page.getByRole('slider').last().click({ force: true })
  await guest.page.goto(`${origin}/console#/sandboxes`)
  await guest.page.getByText('Read-only guests cannot change anything here.').waitFor()
  expect((await plane.sandboxes.get('default')).playhead.speed).toBe(1)
  expect(guest.errors).toEqual([])
  expect(new URL(guest.page.url()).hash).not.toContain('guest')
  await guest.close()
})

test('the story of a listing shows the new coin once it is listed', async () => {
  const { page, errors, close } = await openConsole(browser(), origin, '#/papers')
  await page.goto(`${origin}/console?demo`)
  await page.locator('.story', { hasText: 'A coin is listed' }).click()
  await page.locator('.caption').getByText('In a few seconds').waitFor()
  await page.locator('.candles').getByText('BTC · 5s').waitFor()
  await page.keyboard.press(' ')
  await page.locator('.caption').getByText('It is listed').waitFor()
  const eventCoins = async () =>
    (await plane.market.events('default')).events.map(({ event }) => event.coin)
  await until(async () => (await eventCoins()).length > 0)
  await page
    .locator('.candles')
    .getByText(`${(await eventCoins())[0]} · 5s`)
    .waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.candles').getByText('BTC · 5s').waitFor()
  expect(errors).toEqual([])
  await close()
  await plane.sandboxes.reset('default')
})

test('a story whose page is closed leaves nothing on the sandbox', async () => {
  const { page, close } = await openConsole(browser(), origin, '#/papers')
  await page.goto(`${origin}/console?demo`)
  await page.locator('.story', { hasText: 'A stale book' }).click()
  await page.locator('.caption').getByText('All is well').waitFor()
  await page.keyboard.press(' ')
  await until(async () => (await plane.sandboxes.get('default')).scenarios.includes('stale-book'))
  await page.close({ runBeforeUnload: true })
  await until(async () => (await plane.sandboxes.get('default')).scenarios.length === 0)
  await close()
})

test('all stories play in sequence, and Esc stops them', async () => {
  // A signature of a page with a fast clock is refused, which the browser logs.
  const { page, close } = await openConsole(browser(), origin, '#/papers')
  await page.clock.install()
  await page.goto(`${origin}/console?demo#/demo?auto=1`)
  const { stories } = await plane.story.list()
  const title = page.locator('.caption-head strong')
  for (const story of stories.slice(0, 3)) {
    await until(async () => {
      await page.clock.fastForward(20_000)
      return (await title.allTextContents())[0] === story.title.en
    })
  }
  await page.keyboard.press('Escape')
  await page.locator('.story').first().waitFor()
  expect(await page.getByLabel('One after another').isChecked()).toBe(false)
  await close()
})

const VIEWS = [
  ['traffic', '.virtual-row'],
  ['traffic?part=connections', '.panel'],
  ['trouble/stale-book', '.scenario pre'],
  ['sandboxes', '.levels input'],
  ['conformance', '.run-form'],
  ['papers', '.cast-group'],
  ['demo', '.story'],
] as const

test.each(LOOKS)('axe finds nothing in these views, $colors at $width', async (look) => {
  await client({ baseUrl: origin, accessKey: 'demo', secretKey: 'demo-secret' }).perpdex.tickers()
  const { page, errors, close } = await openConsole(browser(), origin, '#/traffic', look)
  await expectAccessible(page, VIEWS, look)
  expect(errors).toEqual([])
  await close()
})
