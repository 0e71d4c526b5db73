/**
 * A Chromium for the tests of pages: an existing one, or a fresh install. Imports nothing beyond
 * Bun.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './install.ts'

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Path of Chromium: `CHROMIUM_PATH`, an installed one, or Playwright's own; null without any. */
export function chromiumPath(): string | null {
  const named = process.env.CHROMIUM_PATH
  const found = [...(named ? [named] : []), ...INSTALLED].find((place) => existsSync(place))
  return found ?? playwrightChromium()
}

/** Installs one where it is missing: Playwright's, or Debian's package where that is refused. */
export function installBrowser(): void {
  if (chromiumPath() !== null) return
  console.log('tapewright: installing Chromium for the tests of pages')
  const cli = path.join(ROOT, 'node_modules', 'playwright', 'cli.js')
  if (run([process.execPath, cli, 'install', 'chromium']) && chromiumPath() !== null) return
  run(['apt-get', 'update', '-q'])
  run(['apt-get', 'install', '-y', '-q', 'chromium'])
  if (chromiumPath() === null)
    console.error('tapewright: no Chromium could be installed; name one by CHROMIUM_PATH')
}

function playwrightChromium(): string | null {
  try {
    const { chromium } = require('playwright') as typeof import('playwright')
    const place = chromium.executablePath()
    return existsSync(place) ? place : null
  } catch {
    return null
  }
}

function run(command: string[]): boolean {
  try {
    return Bun.spawnSync(command, { cwd: ROOT, stdout: 'ignore', stderr: 'ignore' }).exitCode === 0
  } catch {
    return false
  }
}
