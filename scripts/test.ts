/**
 * `bun run test`: installs what is missing, checks, runs every test, and ends with one plain line
 * `N passed, N failed`. `bun run test test/some.test.ts` runs only what is named.
 */
import path from 'node:path'
import { consoleTypes, formatAndLint, tests, types } from './check-steps.ts'
import { installBrowser } from './chromium.ts'
import { install } from './install.ts'
import { report } from './test-report.ts'

await install()
if (process.argv.length === 2) {
  installBrowser()
  // Once, and not beside the first tests that start it.
  Bun.spawnSync([process.execPath, path.join(import.meta.dir, 'tapewright.ts'), '--version'])
}
const named = process.argv.slice(2).map((place) => path.resolve(place))
const steps =
  named.length > 0
    ? [tests(named, 'named')]
    : [formatAndLint(), types(), consoleTypes(), tests(['./src', './test'], 'test')]
process.exitCode = report((await Promise.all(steps)).flat())
