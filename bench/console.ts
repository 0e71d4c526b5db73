/**
 * Benchmark of the console in Chromium: time until it shows a market, a minute of it at fifty times
 * the market's speed, every view at that speed in turn, and scrolling through ten thousand journal
 * entries. `bun bench/console.ts SECONDS` changes the length of that minute.
 *
 * Frames are compared with those of an empty page, memory with that after a few seconds. The
 * server's share is its own processor time, since a browser on the same machine uses more than any
 * server.
 */
import type { CDPSession, Page } from 'playwright'
import { control } from '../src/clients/control/control.ts'
import { client } from '../src/clients/service/client.ts'
import { startBrowser } from '../test/fixtures/browser.ts'
import { median } from './measure/in-turn.ts'
import { processorMs, type Served, serve } from './measure/processes.ts'
import { row } from './measure/result-row.ts'

const SECONDS = Number(process.argv[2] ?? 60)
const SETTLED_MS = 8_000
const IDLE_MS = 10_000
const FIRST_VIEWS = 5
const VIEW_S = 2.5
const ENTRIES = 10_000
/** Pixels scrolled between two frames by a fast hand. */
const SCROLLED_PX = 200

const server = await serve([])
const origin = `http://127.0.0.1:${server.port}`
const plane = control(origin)
const browser = await startBrowser(['--js-flags=--expose-gc'])
await firstViews()
await served()
await fastMinute()
await everyView()
await scrolledEntries()
await browser.close()
await server.stop()
process.exit(0)

/** From navigation to a chart with candles and a book with levels. */
async function firstViews() {
  const times: number[] = []
  const bare: number[] = []
  for (let view = 0; view <= FIRST_VIEWS; view++) {
    times.push(await viewMs(`${origin}/console#/market/BTC`, '.ladder-row'))
    bare.push(await viewMs(`${origin}/`, '#running td'))
  }
  // The first of each warms the server up.
  const [value, baseline] = [median(times.slice(1)), median(bare.slice(1))]
  row({ name: 'console: first view, against the page at /', value, baseline, unit: 'ms' })
}

async function viewMs(url: string, settled: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator(settled).first().waitFor()
  const ms = await page.evaluate<number>('performance.now()')
  await context.close()
  return ms
}

/** The server's processor time for one console at the speed of the market. */
async function served() {
  const alone = await busyShare(server)
  const page = await openConsole('market/BTC')
  const watched = await busyShare(server)
  await page.context().close()
  const [value, baseline] = [100 * (1 - watched), 100 * (1 - alone)]
  row({ name: 'console: what is left of the server', value, baseline, unit: '% of a core' })
}

async function openConsole(view: string, settled = 'main canvas'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } })
  const page = await context.newPage()
  await page.goto(`${origin}/console#/${view}`)
  await page.locator(settled).first().waitFor()
  await Bun.sleep(SETTLED_MS)
  return page
}

/** Share of a core used by a process over some seconds. */
async function busyShare({ pid }: Served): Promise<number> {
  const before = processorMs(pid)
  await Bun.sleep(IDLE_MS)
  return (processorMs(pid) - before) / IDLE_MS
}

/** The densest view at fifty times the market's speed. */
async function fastMinute() {
  const blank = await (await browser.newContext()).newPage()
  const baseline = await framesPerSecond(blank, 3)
  await blank.context().close()
  const page = await openConsole('market/BTC?interval=1s')
  await plane.playhead.set('default', { speed: 50 })
  await Bun.sleep(SETTLED_MS)
  const session = await page.context().newCDPSession(page)
  const before = await heapMb(page, session)
  const value = await framesPerSecond(page, SECONDS)
  const after = await heapMb(page, session)
  const rows = await page.evaluate<number>('document.querySelectorAll("*").length')
  row({ name: 'console: frames a second at 50x', value, baseline, unit: 'frames/s' })
  row({ name: `console: heap after ${SECONDS} s more`, value: after, baseline: before, unit: 'MB' })
  row({ name: 'console: elements of the page', value: rows, unit: 'elements' })
  await page.context().close()
}

/** All views one after another, twice, at fifty times the market's speed. */
async function everyView() {
  const page = await openConsole('market/BTC')
  const session = await page.context().newCDPSession(page)
  const views = await page.evaluate<string[]>(
    '[...document.querySelectorAll(\'nav a[href^="#/"]\')].map((link) => link.hash)',
  )
  const frames = new Map(await framesOf(page, views))
  const before = await heapMb(page, session)
  await framesOf(page, views)
  const after = await heapMb(page, session)
  const [slowest] = [...frames].sort(([, a], [, b]) => a - b)
  const [name, value] = slowest as [string, number]
  const of = `slowest of ${views.length} views (${name})`
  row({ name: `console: frames a second at 50x, ${of}`, value, unit: 'frames/s' })
  row({ name: 'console: heap after all views again', value: after, baseline: before, unit: 'MB' })
  await page.context().close()
  await plane.playhead.set('default', { speed: 1 })
}

async function framesOf(page: Page, views: readonly string[]): Promise<[string, number][]> {
  const frames: [string, number][] = []
  for (const view of views) {
    await page.evaluate(`location.hash = '${view}'`)
    await Bun.sleep(500)
    frames.push([view, await framesPerSecond(page, VIEW_S)])
  }
  return frames
}

/** As many as the page keeps, from the newest up. */
async function scrolledEntries() {
  await plane.journal.set('default', { bytes: 100_000_000 })
  const service = client({ baseUrl: origin, accessKey: 'demo', secretKey: 'demo-secret' })
  const page = await openConsole('traffic', '.virtual-row')
  for (let requested = 0; requested < ENTRIES; requested += 100)
    await Promise.all(
      Array.from({ length: 100 }, () => service.perpdex.ticker({ path: { coin: 'BTC' } })),
    )
  await page.getByText(/^10,000 of 10,000/).waitFor()
  const scrolling = framesPerSecond(page, 5, `list.scrollTop -= ${SCROLLED_PX}`)
  row({
    name: 'console: frames a second, 10,000 entries scrolled',
    value: await scrolling,
    unit: 'frames/s',
  })
  await page.context().close()
  service.close()
}

/** @param each task of each frame; `list` is the scrolled element */
async function framesPerSecond(page: Page, seconds: number, each = ''): Promise<number> {
  const frames = await page.evaluate<number>(`new Promise((resolve) => {
    const list = document.querySelector('.virtual-list')
    let frames = 0
    const start = performance.now()
    const next = () => {
      frames++
      ${each}
      if (performance.now() - start < ${seconds * 1000}) requestAnimationFrame(next)
      else resolve(frames)
    }
    requestAnimationFrame(next)
  })`)
  return frames / seconds
}

async function heapMb(page: Page, session: CDPSession): Promise<number> {
  await page.evaluate('gc()')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 1e6
}
