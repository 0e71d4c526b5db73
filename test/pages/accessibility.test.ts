/**
 * Every page in axe, in light and dark, on desktop and phone; no content is wider than the page.
 */
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

/** Pages with a selector of their settled state, and an action after a first check. */
const PAGES: readonly { name: string; at: string; settled: string; act?: Act }[] = [
  { name: '/', at: '/', settled: '#running td' },
  {
    name: '/swagger, then one tried out',
    at: '/swagger',
    settled: 'h1',
    act: tryOperation('coin', 'GET', '/api/upgrade/v2/coin/ticker'),
  },
  {
    name: '/_control, then one tried out',
    at: '/_control',
    settled: 'h1',
    act: tryOperation('clock', 'PUT', '/_control/sandboxes/{id}/clock'),
  },
  { name: '/asyncapi', at: '/asyncapi', settled: 'main h3' },
  { name: '/reference', at: '/reference', settled: 'main li' },
  { name: '/reference/conventions', at: '/reference/conventions', settled: 'h1' },
  { name: '/reference/questions', at: '/reference/questions', settled: 'h1' },
  { name: '/reference/perpdex.info', at: '/reference/perpdex.info', settled: 'h1' },
  { name: '/reference/futures.latestDepth', at: '/reference/futures.latestDepth', settled: 'h1' },
]

type Act = (page: Page) => Promise<void>

function tryOperation(tag: string, method: string, at: string): Act {
  return async (page) => {
    // A narrow page has its menu behind a button.
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: `Open Group - ${tag}`, exact: true }).click()
    await page.locator(`[data-sidebar-id$="tag/${tag}/${method}${at}"] > a`).click()
    const name = `Test Request (${method.toLowerCase()} ${at})`
    await page.getByRole('button', { name, exact: true }).click()
    await page.locator('[data-addressbar-action="send"]').filter({ visible: true }).click()
    await page.getByRole('dialog').getByText('200 OK').waitFor()
  }
}

/** Colours and layout are independent: each is checked once. */
const VIEWS = [
  { colours: 'dark', width: 390 },
  { colours: 'light', width: 1280 },
] as const
type View = (typeof VIEWS)[number]

/**
 * A colour in transition has the contrast of neither, and one may trigger another. A page learns of
 * other colours in the next frame, and draws them in the one after it.
 */
const SETTLED = `(async () => {
  for (let frame = 0; frame < 2; frame++)
    await new Promise((resume) => requestAnimationFrame(resume))
  // One that keeps its end state stays in the list.
  const ends = ({ playState }) => playState !== 'finished'
  for (let moving; (moving = document.getAnimations().filter(ends)).length > 0; )
    await Promise.allSettled(moving.map(({ finished }) => finished))
})()`

/** Findings of axe, in short. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(`axe
    .run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] })
    .then(({ violations }) => violations.map(({ id, nodes }) =>
      [id, ...nodes.map(({ target }) => target.join(' '))].join(' | ')))`)
}

/** Checks a page in one view after the other. */
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
  // A page that loads dark is the harder case.
  const context = await browser.newContext({ colorScheme: 'dark' })
  const { page, errors } = await watchedPage(context)
  await page.goto(origin + at)
  await page.waitForSelector(settled)
  await look(page, VIEWS)
  if (act) await act(page).then(() => look(page, VIEWS.toReversed()))
  expect(errors).toEqual([])
  await context.close()
})

test('axe detects an error', async () => {
  const { page } = await watchedPage(browser)
  await page.goto(`${origin}/reference`)
  await page.evaluate("document.querySelector('label').remove()")
  expect(await violations(page)).toEqual([expect.stringMatching(/^label/)])
})
