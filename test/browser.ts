/** A browser for the tests of pages, and what it asked of whom. */
import { type Browser, chromium, type Page } from 'playwright'
import { chromiumPath } from '../scripts/browser.ts'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts it; the runner has installed one where there was none. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = chromiumPath()
  if (executablePath === null) throw new Error('no Chromium; name one by CHROMIUM_PATH')
  return chromium.launch({ executablePath, args: FLAGS, timeout: 0 })
}

/** A page with everything that it asks for and every error that it meets. */
export async function watchedPage(browser: Browser) {
  const page: Page = await browser.newPage()
  // The run ends a test that hangs; how fast the machine is says nothing of a page.
  page.setDefaultTimeout(0)
  const asked: string[] = []
  const errors: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    // Every browser asks for an icon.
    const isIcon = message.location().url.endsWith('/favicon.ico')
    if (message.type() === 'error' && !isIcon) errors.push(message.text())
  })
  return { page, asked, errors }
}
