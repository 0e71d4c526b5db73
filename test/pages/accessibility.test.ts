/** Every page by axe, in light and dark, on a desk and on a phone; nothing is wider than it. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import path from 'node:path'
import type { Browser, Page } from 'playwright'
import { hostClock } from '../../src/clock/system-clock.ts'
import { pages } from '../../src/pages/documents/pages.ts'
import { startBrowser, watchedPage } from '../fixtures/browser.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

const { registry } = await recordedRegistry({}, hostClock)
const { origin } = await serveRegistry(registry, null, pages)
const AXE = path.join(PROJECT_FOLDER, 'node_modules', 'axe-core', 'axe.min.js')
let axe = ''
let browser: Browser

beforeAll(async () => {
  axe = await Bun.file(AXE).text()
  browser = await startBrowser()
})

afterAll(async () => {
  await browser.close()
  registry.close()
})

/** Pages with what is there once they have settled, and what is done on them after a look. */
const PAGES: readonly { name: string; at: string; settled: string; act?: Act }[] = [
  { name: '/', at: '/', settled: '#running td' },
  {
    name: '/swagger, then one tried out',
    at: '/swagger',
    settled: '.opblock-tag',
    act: openOperation('coin', '/api/upgrade/v2/coin/ticker'),
  },
  {
    name: '/_control, then one tried out',
    at: '/_control',
    settled: '.opblock-tag',
    act: openOperation('clock', '/_control/sandboxes/{id}/clock'),
  },
  { name: '/asyncapi', at: '/asyncapi', settled: 'main h3' },
  { name: '/reference', at: '/reference', settled: 'main li' },
  { name: '/reference/conventions', at: '/reference/conventions', settled: 'h1' },
  { name: '/reference/questions', at: '/reference/questions', settled: 'h1' },
  { name: '/reference/perpdex.info', at: '/reference/perpdex.info', settled: 'h1' },
  { name: '/reference/futures.latestDepth', at: '/reference/futures.latestDepth', settled: 'h1' },
]

type Act = (page: Page) => Promise<void>

function openOperation(tag: string, at: string): Act {
  return async (page) => {
    await page.locator(`.opblock-tag[data-tag="${tag}"]`).click()
    await page.locator(`.opblock-summary-path[data-path="${at}"]`).first().click()
    await page.locator('.execute').click()
    await page.waitForSelector('.live-responses-table .response')
  }
}

/** Colours do not depend on the width, nor the layout on the colours: each is looked at once. */
const VIEWS = [
  { colours: 'dark', width: 390 },
  { colours: 'light', width: 1280 },
] as const
type View = (typeof VIEWS)[number]

/**
 * A colour on its way to another has the contrast of neither, and one may set out another. A page
 * hears of other colours with the next frame, and draws them with the one after it.
 */
const SETTLED = `(async () => {
  for (let frame = 0; frame < 2; frame++)
    await new Promise((resume) => requestAnimationFrame(resume))
  for (let moving; (moving = document.getAnimations()).length > 0; )
    await Promise.allSettled(moving.map(({ finished }) => finished))
})()`

/** What axe finds, in short. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(`axe
    .run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] })
    .then(({ violations }) => violations.map(({ id, nodes }) =>
      [id, ...nodes.map(({ target }) => target.join(' '))].join(' | ')))`)
}

/** Looks at a page as it is, in one view after the other. */
async function look(page: Page, views: readonly View[]) {
  for (const { colours, width } of views) {
    await page.emulateMedia({ colorScheme: colours })
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate(SETTLED)
    expect([colours, ...(await violations(page))]).toEqual([colours])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    const [ground] = (await page.evaluate(
      'getComputedStyle(document.body).backgroundColor.match(/\\d+/g)',
    )) as string[]
    expect(Number(ground) < 128).toBe(colours === 'dark')
  }
}

test.each(PAGES)('$name in every view', async ({ at, settled, act }) => {
  // What is already dark as it loads is the harder case for a page.
  const context = await browser.newContext({ colorScheme: 'dark' })
  const { page, errors } = await watchedPage(context)
  await page.goto(origin + at)
  await page.waitForSelector(settled)
  await look(page, VIEWS)
  if (act) await act(page).then(() => look(page, VIEWS.toReversed()))
  expect(errors).toEqual([])
  await context.close()
})

test('axe finds what is wrong', async () => {
  const { page } = await watchedPage(browser)
  await page.goto(`${origin}/reference`)
  await page.evaluate("document.querySelector('label').remove()")
  expect(await violations(page)).toEqual([expect.stringMatching(/^label/)])
})
