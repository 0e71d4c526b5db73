/** Texts of tenants and of the market are never markup in any view of the console. */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright'
import { openConsole } from '../fixtures/console-page.ts'
import { consoleServer } from '../fixtures/console-server.ts'

const HOSTILE = '"><img src=x onerror="globalThis.harmed=1"><script>globalThis.harmed=1</script>'
/** Views with texts of responses, and the others. */
const SHOWING = ['market/BTC', 'positions', 'whales', 'traders', 'news', 'indexes', 'sandboxes']
const VIEWS = [...SHOWING, 'drive', 'trouble', 'traffic', 'conformance', 'papers', 'demo']

const { origin, sandbox, browser } = await consoleServer()

/** No text has become an element or run. */
async function expectHarmless(page: Page, view: string): Promise<void> {
  const harmed = await page.evaluate('globalThis.harmed ?? 0')
  const made = await page.locator('img[src=x], body script:not([src])').count()
  expect([view, harmed, made]).toEqual([view, 0, 0])
}

test('names given by a tenant', async () => {
  const { own, made, service, at } = await sandbox('hostile')
  const rules = [{ name: HOSTILE, on: { operation: 'perpdex.tickers' }, do: 'truncate' }] as const
  await own.scenario.set({ title: HOSTILE, rules: [...rules], guidance: HOSTILE } as never)
  await own.keys.create({ kind: 'direct', name: HOSTILE })
  await own.invites.create({ name: HOSTILE })
  await service('full')
    .perpdex.tickers()
    .catch(() => {})
  await fetch(`${made.baseUrl}/api/upgrade/v2/hl/fills/${encodeURIComponent(HOSTILE)}?x=${HOSTILE}`)
  const { page, close } = await openConsole(browser(), origin, at('sandboxes?'))
  await page.getByRole('cell', { name: HOSTILE }).first().waitFor()
  for (const view of VIEWS) {
    await page.goto(`${origin}/console${at(`${view}?`)}`)
    await page.locator('main :is(h1, h2, h3, table, canvas, p)').first().waitFor()
    await expectHarmless(page, view)
  }
  await page.goto(`${origin}/console${at('traffic?')}`)
  await page.getByText(HOSTILE).first().waitFor()
  await expectHarmless(page, 'traffic')
  await close()
})

test('responses in which every text is hostile', async () => {
  const context = await browser().newContext()
  const page = await context.newPage()
  let changedCount = 0
  await page.route(/\/(api|_control|s)\//, async (route) => {
    // A followed journal never ends.
    if (/\/journal/.test(route.request().url())) return route.continue()
    const response = await route.fetch()
    const isJson = response.headers()['content-type']?.includes('application/json')
    // Required by the page: liveness and identity of the server.
    if (!isJson || /health|guest/.test(route.request().url())) return route.fulfill({ response })
    changedCount++
    await route.fulfill({ response, json: hostile(await response.json()) })
  })
  for (const view of VIEWS) {
    await page.goto(`${origin}/console#/${view}`)
    // Words that select contents are hostile as well: other views may stay empty.
    const main = page.locator('main')
    const shown = SHOWING.includes(view) ? main.getByText('globalThis.harmed') : main
    await shown.first().waitFor({ state: 'attached' })
    await expectHarmless(page, view)
  }
  expect(changedCount).toBeGreaterThan(VIEWS.length)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
})

/** The same response, hostile in every non-numeric text. */
function hostile(value: unknown): unknown {
  if (typeof value === 'string') return /^-?[\d.]*$/.test(value) ? value : value + HOSTILE
  if (Array.isArray(value)) return value.map(hostile)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hostile(one)]))
}
