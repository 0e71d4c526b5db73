/** A sandbox in a real browser's tab, with only a static server. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright'
import { missingFeatures } from '../../src/server/browser/messages.ts'
import { startBrowser, watchedPage } from '../fixtures/browser.ts'
import { CARRIED_KINDS } from '../fixtures/carried-cases.ts'
import { pocketSite } from '../fixtures/pocket-site.ts'
import { unexpected } from '../msw/exemptions.ts'

const CUT = ['--from', '12m', '--to', '15m', '--coins', 'BTC,SOL,xyz:TSLA,PURR/USDC']
const site = await pocketSite('test/pages/programs/pocket-page.ts', CUT)
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  browser = await startBrowser()
  context = await browser.newContext()
  page = await opened()
  expect(await start(page, { clock: 'held' })).toBe(null)
})
afterAll(() => browser.close())

async function opened() {
  const { page } = await watchedPage(context)
  await page.goto(site.origin)
  return page
}

const start = (on: Page, options: object) =>
  on.evaluate(`page.start(${JSON.stringify(options)})`) as Promise<string | null>

/** Result of a task with the sandbox and a client. */
const doing = (task: string) =>
  page.evaluate(`(async ({ sandbox, service, ORIGIN }) => { ${task} })(page)`) as Promise<unknown>

test('the files exist, the world is small, the worker needs no Bun and no Node', async () => {
  expect(site.written).toContain('BTC, SOL, xyz:TSLA, a week, ')
  expect(statSync(site.at('tapewright/pocket.world')).size).toBeWithin(1e6, 8e6)
  const worker = await Bun.file(site.at('tapewright/tapewright-worker.js')).text()
  expect(worker.match(/["'](?:node|bun):[a-z/]+["']|\bBun\.\w+|\bprocess\.\w+/g)).toBe(null)
})

test('a signed request is answered, and a badly signed one is refused', async () => {
  expect(await doing('return (await service.perpdex.tickers()).map(({ coin }) => coin)')).toEqual(
    expect.arrayContaining(['BTC', 'SOL']),
  )
  const refused = await doing(
    "return (await fetch(ORIGIN + '/api/upgrade/v2/hl/tickers?AccessKeyId=demo')).status",
  )
  expect(refused).toBe(401)
})

test('a subscriber gets the pushes of an advanced clock', async () => {
  const times = await doing(`
    const times = new Set(); let enough = () => {}
    const seen = new Promise((resolve) => { enough = resolve })
    service.subscribe('l2Book', { coin: 'BTC' }, ({ time }) => {
      if (times.add(time).size === 3) enough()
    })
    await sandbox.control.await({ subscriptions: 1 })
    await sandbox.clock.advance(10_000)
    await seen
    return [...times]`)
  const shown = times as number[]
  expect(shown.length).toBeGreaterThanOrEqual(3)
  expect(shown).toEqual([...shown].sort((a, b) => a - b))
})

test('scenarios of the library have effects', async () => {
  const statuses = await doing(`
    await sandbox.control.scenario.set({ name: 'maintenance' })
    await sandbox.clock.advance(11_000)
    const failed = await service.perpdex.tickers().then(() => 'answered', ({ name }) => name)
    await sandbox.control.scenario.clear()
    return [failed, (await service.perpdex.tickers()).length > 0]`)
  expect(statuses).toEqual(['AnswerError', true])
})

test('the market continues after its tape, and takes events', async () => {
  const [before, after, scheduled] = (await doing(`
    const path = { coin: 'BTC' }
    const price = async () => Number((await service.perpdex.ticker({ path })).price)
    await sandbox.clock.advance(180_000)
    const before = await price()
    await sandbox.clock.advance(120_000)
    const after = await price()
    await sandbox.control.market.trigger({ kind: 'move', coin: 'BTC', pct: -5, overS: 60 })
    await sandbox.clock.advance(70_000)
    return [before, after, await price()]`)) as [number, number, number]
  expect(after).not.toBe(before)
  expect(scheduled / after).toBeWithin(0.9, 0.97)
})

test('another tab has its own sandbox, and the console shows it', async () => {
  const other = await opened()
  const said = other.waitForEvent('console', {
    predicate: (message) => message.text().includes('another tab has a sandbox of its own'),
  })
  expect(await start(other, {})).toBe(null)
  await said
  expect(await folders()).toEqual(['tapewright-1', 'tapewright-2'])
  await other.close()
})

test('the world is on disk, and leftovers of a closed tab are removed', async () => {
  await page.waitForFunction(`navigator.locks.query().then(({ held }) => held.length === 2)`)
  const other = await opened()
  expect(await start(other, { clock: 'held' })).toBe(null)
  expect(await folders()).toEqual(['tapewright-1', 'tapewright-2'])
  const bytes = (await page.evaluate(
    'navigator.storage.estimate().then(({ usage }) => usage)',
  )) as number
  expect(bytes).toBeGreaterThan(2 * statSync(site.at('tapewright/pocket.world')).size)
  await other.close()
})

test('without a browser disk the world is in memory, and its market continues', async () => {
  const name = 'tapewright/tapewright-worker.js'
  const worker = await Bun.file(site.at(name)).text()
  const code = `delete StorageManager.prototype.getDirectory;${worker}`
  const headers = { 'content-type': 'text/javascript' }
  site.instead.set(`/${name}`, () => new Response(code, { headers }))
  const before = await folders()
  const other = await opened()
  expect(await start(other, { clock: 'held' })).toBe(null)
  site.instead.clear()
  const [first, later] = (await other.evaluate(`(async ({ sandbox, service }) => {
    const book = () => service.perpdex.info({ body: { type: 'l2Book', coin: 'BTC' } })
    const first = await book()
    await sandbox.clock.advance(300_000)
    return [first, await book()]
  })(page)`)) as { levels: unknown[][] }[]
  expect(later?.levels).not.toEqual(first?.levels)
  expect(later?.levels.map((side) => side.length)).toEqual([20, 20])
  expect(await folders()).toEqual(before)
  await other.close()
})

/** Folders of the page's origin on the browser's disk. */
const folders = () =>
  page.evaluate(`(async () => {
    const names = []
    for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name)
    return names.sort()
  })()`)

test.each([
  [
    'pocket.json',
    () => new Response(null, { status: 404 }),
    'pocket.json is not served (HTTP 404)',
  ],
  [
    'pocket.world',
    () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
    'pocket.world is not served (a web page is served instead)',
  ],
  ['pocket.world', () => new Response('other'), 'pocket.world is damaged'],
  [
    'pocket.json',
    () => Response.json({ format: 'tapewright-pocket', version: '0.0.1' }),
    'is of Tapewright 0.0.1',
  ],
  ['tapewright-worker.js', () => new Response(null, { status: 404 }), 'did not start'],
])('the message for %s names the problem and the remedy', async (name, answer, message) => {
  site.instead.set(`/tapewright/${name}`, answer)
  const other = await opened()
  const said = await start(other, {})
  site.instead.clear()
  await other.close()
  expect(said).toContain(message)
  expect(said).toContain('npx tapewright cast --pocket')
})

test('a conformance case of each kind holds in a page', async () => {
  const other = await opened()
  const results: Parameters<typeof unexpected>[0] = await other.evaluate('conform()')
  await other.close()
  expect(results.length).toBe(CARRIED_KINDS.length)
  expect(unexpected(results)).toEqual([])
})

test('missing features of a browser are named', () => {
  expect(missingFeatures({ Worker, WebAssembly })).toEqual([
    'DecompressionStream',
    'service workers',
  ])
})
