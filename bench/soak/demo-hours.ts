/**
 * `bun run soak:demo`: soak test of the demo view in a browser for hours: memory of the page, and
 * whether the view still updates.
 */
import type { CDPSession, Page } from 'playwright'
import { UserError } from '../../src/platform/user-error.ts'
import { readFlags } from '../../src/server/commands/command-line.ts'
import { given, number } from '../../src/server/commands/flag.ts'
import { startBrowser, watchedPage } from '../../test/fixtures/browser.ts'
import { ServerProcess } from './server-process.ts'

const USAGE = `bun run soak:demo [options]

Opens the demo view of a server of its own in Chromium and lets it run. One line for each ten
minutes: what the page keeps once garbage is gone, how many elements it has, and whether what it
shows has changed. Ends with code 1 when the page keeps more and more, stands still or has errors.

  --hours N   how long (8)`

const FLAGS = {
  hours: number(0.1, 72, { about: 'how long', default: 8 }),
  help: given('prints what it does'),
} as const

const LINE_MS = 600_000
/** The chart's candles grow for hours, up to a limit: that takes less. */
const MOST_GROWTH_MB = 4

interface PageReading {
  heapMb: number
  elements: number
  text: string | null
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof UserError)) throw error
  console.error(`soak:demo: ${error.message}`)
  process.exitCode = 1
}

async function main(): Promise<number> {
  const flags = readFlags('soak:demo', process.argv.slice(2), FLAGS)
  if (flags.help) console.log(USAGE)
  if (flags.help) return 0
  const server = await ServerProcess.start(['--demo'])
  const browser = await startBrowser(['--js-flags=--expose-gc'])
  try {
    const { page, errors } = await watchedPage(browser)
    await page.goto(`${server.origin}/console?demo`)
    const session = await page.context().newCDPSession(page)
    const readings: PageReading[] = []
    for (let ms = 0; ms < flags.hours * 3_600_000; ms += LINE_MS) {
      await Bun.sleep(LINE_MS)
      const look = await readPage(page, session)
      const isSame = readings.at(-1)?.text === look.text
      const line = `${look.heapMb.toFixed(1)} MB, ${look.elements} elements`
      console.log(`${(ms + LINE_MS) / 60_000} min: ${line}${isSame ? ', stands still' : ''}`)
      readings.push(look)
      if (isSame || errors.length > 0) return failed(errors)
    }
    return growthMb(readings) > MOST_GROWTH_MB ? failed([`${growthMb(readings)} MB more`]) : 0
  } finally {
    await browser.close()
    await server.kill()
  }
}

async function readPage(page: Page, session: CDPSession): Promise<PageReading> {
  await page.evaluate('gc()')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const elements = await page.evaluate<number>('document.querySelectorAll("*").length')
  return { heapMb: usedSize / 1e6, elements, text: await page.textContent('body') }
}

/** Growth of the second half over the first, without the first line. */
function growthMb(looks: readonly PageReading[]): number {
  const heaps = looks.slice(1).map(({ heapMb }) => heapMb)
  const half = Math.floor(heaps.length / 2)
  const mean = (list: readonly number[]) => list.reduce((sum, mb) => sum + mb, 0) / list.length
  return half === 0 ? 0 : mean(heaps.slice(half)) - mean(heaps.slice(0, half))
}

function failed(errors: readonly string[]): number {
  for (const error of errors) console.error(`soak:demo: ${error}`)
  return 1
}
