/**
 * The console in Chromium: what it shows is what a client is answered, and what is pressed is what
 * a client then sees.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import path from 'node:path'
import type { Browser, Page } from 'playwright'
import { client } from '../../src/client/client.ts'
import { hostClock } from '../../src/clock/system-clock.ts'
import { controlRoutes } from '../../src/control/index.ts'
import { control } from '../../src/control-client/control.ts'
import { pages } from '../../src/specs/pages.ts'
import { listen } from '../../src/transport/elysia/listening.ts'
import { server } from '../../src/transport/elysia/server.ts'
import { startBrowser } from '../fixtures/browser.ts'
import { openConsole, state } from '../fixtures/console-page.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

const AXE = path.join(PROJECT_FOLDER, 'node_modules', 'axe-core', 'axe.min.js')
const { registry } = await recordedRegistry({}, hostClock)
const { origin } = await serveRegistry(registry, null, pages)
const plane = control(origin)
const service = client({ baseUrl: origin, accessKey: 'demo', secretKey: 'demo-secret' })
let browser: Browser

beforeAll(async () => {
  browser = await startBrowser()
})

afterAll(async () => {
  service.close()
  await browser.close()
  registry.close()
})

/** A server of its own over the same sandboxes, which can end. */
const ownServer = () =>
  server({ registry, control: controlRoutes(registry, { token: null }), pages })
const listenOn = (app: ReturnType<typeof ownServer>, port: number) =>
  listen(app, { port, host: 'localhost' })

/** A sandbox of its own whose clock stands, and a client of it. */
async function heldSandbox(name: string) {
  const made = await plane.sandboxes.create({ name, clock: 'held', at: 600_000 })
  const { accessKey, secretKey } = made.keys.full
  return {
    control: plane.sandbox(name),
    service: client({ baseUrl: made.baseUrl, accessKey, secretKey }),
    hash: (view: string) => `#/${view}?sandbox=${name}`,
  }
}

const textOf = (page: Page, selector: string) => page.locator(selector).first().textContent()
const digits = (text: string | null) => (text ?? '').replace(/[^\d.]/g, '')

test('the market is what a client is answered: price, book, trades and depth', async () => {
  const { service, hash } = await heldSandbox('looked-at')
  const { page, errors, close } = await openConsole(browser, origin, hash('market/ETH'))
  await page.locator('.ladder-row').nth(20).waitFor()
  const price = await service.perpdex.ticker({ path: { coin: 'ETH' } })
  expect(Number(digits(await textOf(page, '.figures .large')))).toBe(Number(price?.price))
  const book = await service.perpdex.info({ body: { type: 'l2Book', coin: 'ETH' } })
  const bids = page.locator('.ladder-side:not(.asks) .ladder-row')
  expect(Number(digits(await bids.first().locator('span').nth(1).textContent()))).toBe(
    Number(book?.levels[0][0]?.px),
  )
  expect(await page.locator('.trade-row').count()).toBeGreaterThan(3)
  await page.locator('.depth canvas').waitFor()
  expect(errors).toEqual([])
  service.close()
  await close()
})

test('candles go back to the beginning without a hole', async () => {
  const { page, requested, close } = await openConsole(browser, origin, '#/market/BTC?interval=4h')
  const asked = () => requested.filter((url) => url.includes('/klines-with-taker-vol/BTC/4h'))
  await page.locator('.candles canvas').first().waitFor()
  const chart = page.locator('.chart-place')
  const { x, y, width, height } = (await chart.boundingBox()) as Box
  do {
    await page.mouse.move(x + 40, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width - 90, y + height / 2, { steps: 4 })
    await page.mouse.up()
  } while (asked().length < 2)
  const [first, second] = asked().map((url) => new URL(url).searchParams)
  expect(first?.get('endTime')).toBeNull()
  // The page before ends right where the first one begins.
  const newest = await service.perpdex.klinesWithTakerVol({
    path: { coin: 'BTC', interval: '4h' },
    query: { limit: 1000 },
  })
  expect(Number(second?.get('endTime'))).toBe((newest[0]?.openTime ?? 0) - 1)
  await page.locator('.to-present').click()
  await page.locator('.to-present').waitFor({ state: 'detached' })
  await close()
})

interface Box {
  x: number
  y: number
  width: number
  height: number
}

test('a coin is found by its name, and the address keeps view, coin and interval', async () => {
  const { page, close } = await openConsole(browser, origin, '#/market/BTC')
  await page.getByRole('button', { name: /^BTC/ }).click()
  await page.getByRole('combobox', { name: 'Name of a coin' }).fill('solana')
  await page.getByRole('option', { name: /^SOL/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^SOL/ }).waitFor()
  await page.getByRole('button', { name: '15m', exact: true }).click()
  expect(new URL(page.url()).hash).toBe('#/market/SOL?interval=15m')
  await page.reload()
  await state(page, 'live')
  await page.getByRole('button', { name: /^SOL/ }).waitFor()
  expect(
    await page.getByRole('button', { name: '15m', exact: true }).getAttribute('aria-pressed'),
  ).toBe('true')
  await close()
})

test('each panel of positions, whales, news and indexes has what a client is answered', async () => {
  const { page, errors, close } = await openConsole(browser, origin, '#/positions/BTC')
  const falling = await service.perpdex.liquidationsTopPositions({
    query: { coin: 'BTC', interval: '1h', limit: 50 },
  })
  await page.locator('.falling tbody tr').first().waitFor()
  expect(await page.locator('.falling tbody tr').count()).toBe(falling.length)
  for (const name of ['heatmap', 'funding', 'interest', 'longShort', 'liquidated'])
    await page.locator(`.${name} canvas`).first().waitFor()
  await page.getByRole('link', { name: 'Whales' }).click()
  const whales = await service.perpdex.whalePositions({ query: { take: 100 } })
  await page.locator('.whale-positions tbody tr').first().waitFor()
  expect(await page.locator('.whale-positions tbody tr').count()).toBe(whales.length)
  await page.getByRole('link', { name: 'Indexes' }).click()
  const { list } = await service.index.list()
  await page.getByRole('link', { name: list[0]?.en_name ?? '', exact: true }).click()
  await page
    .locator('dialog')
    .getByText(list[0]?.describe ?? '')
    .waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'News', exact: true }).click()
  for (const [name, language] of [
    ['English', 'en'],
    ['Simplified Chinese', 'cn'],
    ['Traditional Chinese', 'tc'],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).click()
    const [newest] = await service.content.newsflash({ query: { language } })
    await page
      .locator('.flashes h3')
      .getByText(newest?.title ?? '', { exact: true })
      .first()
      .waitFor()
  }
  expect(errors).toEqual([])
  await close()
})

test('the leaderboard leads to a trader: positions, orders, fills, closed positions', async () => {
  const { page, errors, close } = await openConsole(
    browser,
    origin,
    '#/traders?sort=snapTotalValue',
  )
  const { list } = (await service.perpdex.tradersDiscover({
    body: { pageSize: 1, period: 30, sort: { field: 'snapTotalValue', dir: 'desc' } },
  })) as { list: { address: string }[] }
  const address = list[0]?.address ?? ''
  await page.locator(`a[title="${address}"]`).click()
  await page.getByRole('heading', { name: address }).waitFor()
  const [account] = await service.perpdex.tradersClearinghouseState({
    body: { addresses: [address] },
  })
  const positions = account?.state.assetPositions ?? []
  expect(positions.length).toBeGreaterThan(0)
  await page
    .locator('.trader-part tbody tr')
    .nth(positions.length - 1)
    .waitFor()
  await page.locator('.trader-curve canvas').first().waitFor()
  const fills = await service.perpdex.fillsOfAddress({ path: { address }, query: { limit: 1 } })
  for (const [name, isExpected] of [
    ['Fills', fills.length > 0],
    ['Open orders', false],
    ['Closed positions', false],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).click()
    const rows = page.locator('.trader-part tbody tr')
    await (isExpected ? rows : rows.or(page.locator('.trader-part .note'))).first().waitFor()
  }
  expect(errors).toEqual([])
  await close()
})

test('what is pressed in Drive is what a client then sees', async () => {
  const { control, hash, service } = await heldSandbox('driven')
  const { page, errors, close } = await openConsole(browser, origin, hash('drive'))
  const record = () => control.get()
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const until = async (holds: (now: Awaited<ReturnType<typeof record>>) => boolean) => {
    while (!holds(await record())) await hostClock.yieldTurn()
  }
  await press('50×')
  await until(({ playhead }) => playhead.speed === 50)
  await page.keyboard.press('ArrowDown')
  await until(({ playhead }) => playhead.speed === 20)
  await press('Pause')
  await until(({ playhead }) => playhead.speed === 0)
  await press('Play')
  await until(({ playhead }) => playhead.speed === 20)
  await press('1×')
  await press('loops')
  await until(({ playhead }) => playhead.end === 'loop')
  await press('goes on')
  await until(({ playhead }) => playhead.end === 'continue' && playhead.speed === 1)
  const before = await record()
  await press('31 s')
  await until(({ clock }) => clock.now === before.clock.now + 31_000)
  // Until the call is answered, signatures of this second are too old.
  const advanced = page.locator('.advance[aria-busy="false"]')
  await advanced.waitFor()
  expect((await record()).playhead.at).toBe(before.playhead.at + 31_000)
  const price = () => service.perpdex.ticker({ path: { coin: 'BTC' } })
  const priceBefore = Number((await price())?.price)
  await press('Crash')
  await page.getByLabel('Takes, s').fill('20')
  await press('Trigger')
  await page.locator('.told tbody tr').waitFor()
  const { events } = await control.market.events()
  expect(events.map(({ event }) => event)).toMatchObject([{ kind: 'move', coin: 'BTC', pct: -6 }])
  await press('60 s')
  await until(({ clock }) => clock.now === before.clock.now + 91_000)
  await advanced.waitFor()
  expect(Number((await price())?.price)).toBeLessThan(priceBefore * 0.98)
  await page.getByRole('button', { name: 'Step to the next event' }).click()
  await until(({ playhead }) => playhead.at > before.playhead.at + 91_000)
  await press('running')
  await until(({ clock }) => clock.state === 'running')
  await page.getByRole('slider', { name: /drag to seek/ }).click({ position: { x: 300, y: 60 } })
  await until(({ playhead }) => playhead.at < before.playhead.at)
  expect(errors).toEqual([])
  service.close()
  await close()
})

test('keys: the palette goes anywhere, and help lists them', async () => {
  const { page, close } = await openConsole(browser, origin, '#/market/BTC')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('whal')
  await page.keyboard.press('Enter')
  await page.locator('.whale-positions').waitFor()
  await page.keyboard.press('?')
  await page.locator('dialog kbd', { hasText: '?' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('4')
  await page.locator('.leaderboard').waitFor()
  await page.keyboard.press('/')
  expect(await page.evaluate('document.activeElement.placeholder')).toBe('Address of a trader')
  await close()
})

test('what is hostile in an answer is text', async () => {
  const hostile = '<img src=x onerror="globalThis.harmed=1"><script>globalThis.harmed=1</script>'
  const { page, close } = await openConsole(browser, origin, '#/news', {
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
  expect(await page.evaluate('globalThis.harmed ?? 0')).toBe(0)
  await close()
})

test('a control plane with a token asks for it, and says when it is another', async () => {
  const { origin } = await serveRegistry(registry, 'the-token', pages)
  const context = await browser.newContext()
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
  await context.close()
})

test('the page says when the server is gone, and goes on when it is back', async () => {
  const first = ownServer()
  const at = listenOn(first, 0)
  const { page, close } = await openConsole(browser, at, '#/market/BTC?interval=1s')
  await page.locator('.trade-row').first().waitFor()
  await first.server?.stop(true)
  await state(page, 'gone')
  await page.getByText('The server does not answer.').waitFor()
  const second = ownServer()
  listenOn(second, Number(new URL(at).port))
  await state(page, 'live')
  await page.getByText('The server does not answer.').waitFor({ state: 'detached' })
  await page.locator('.ladder-row').first().waitFor()
  // What is pushed now arrives.
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

/** Colours do not depend on the width, nor the layout on the colours: each is looked at once. */
const LOOKS = [
  { colors: 'dark', width: 390, locale: 'zh-CN' },
  { colors: 'light', width: 1280, locale: 'en-US' },
] as const

test.each(LOOKS)('axe finds nothing in any view, $colors at $width', async (look) => {
  const { page, errors, close } = await openConsole(browser, origin, '#/market/BTC', look)
  await page.evaluate(await Bun.file(AXE).text())
  for (const [view, settled] of VIEWS) {
    await page.evaluate(`location.hash = '#/${view}'`)
    await page.locator(settled).first().waitFor()
    const found = await page.evaluate(`axe
      .run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] })
      .then(({ violations }) => violations.map(({ id, nodes }) =>
        [id, ...nodes.map(({ target }) => target.join(' '))].join(' | ')))`)
    expect([view, found]).toEqual([view, []])
    expect([view, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([
      view,
      look.width,
    ])
    expect(await page.evaluate('document.documentElement.lang')).toBe(look.locale.slice(0, 2))
  }
  expect(errors).toEqual([])
  await close()
})
