/** The example of a static page, built from the packed package and opened in a real browser. */
import { expect, test } from 'bun:test'
import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { startBrowser, watchedPage } from '../fixtures/browser.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { serveFiles } from '../fixtures/static-server.ts'
import { HAS_NODE, installedPackage, NODE, ran } from './installed-package.ts'

/** Packages that npm would install beside it are found here. */
const OURS = path.join(PROJECT_FOLDER, 'node_modules')

test.skipIf(!HAS_NODE)('the page shows a market that its visitor controls', async () => {
  const { project, folder } = await installedPackage()
  const place = path.join(project, 'examples', 'static-page')
  rmSync(place, { recursive: true, force: true })
  cpSync(path.join(PROJECT_FOLDER, 'examples', 'static-page'), place, { recursive: true })
  const files = path.join(place, 'public')
  const bin = path.join(folder, 'lib', 'js', 'bin.cjs')
  const words = ['cast', '--coins', 'BTC,ETH', '--pocket', path.join(files, 'tapewright')]
  const { code, out, err } = await ran([NODE, bin, ...words], { cwd: place })
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('BTC, ETH, a week, ')
  const msw = path.join(OURS, 'msw', 'lib', 'mockServiceWorker.js')
  cpSync(msw, path.join(files, 'mockServiceWorker.js'))
  await build({
    entryPoints: [path.join(place, 'page', 'main.js')],
    outfile: path.join(files, 'page.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    nodePaths: [OURS],
  })
  const { origin } = serveFiles(files)
  const browser = await startBrowser()
  try {
    const { page, requested, errors } = await watchedPage(browser)
    await page.goto(origin)
    await page.waitForSelector('#book[data-state=live] td')
    expect(await page.locator('#book tbody tr').count()).toBe(10)
    expect(await page.locator('#chart polyline').count()).toBe(1)
    await page.locator('#scenario').selectOption('stale-book')
    await page.locator('#clock').click()
    await page.locator('#minute').click()
    await page.waitForSelector('#book[data-state=stale]')
    expect(await page.locator('[role=status]').textContent()).toContain('Stale: ')
    expect(errors).toEqual([])
    const elsewhere = requested.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'))
    // Requests to the service never leave the page.
    const hosts = new Set(elsewhere.map((url) => new URL(url).host))
    expect([...hosts].filter((host) => host !== 'api.market-data.example')).toEqual([])
  } finally {
    await browser.close()
  }
})
