/**
 * `bun run test`: installs what is missing, checks, runs every test, and ends with one plain line
 * `N passed, N failed`. `bun run test test/some.test.ts` runs only the named files.
 */
import path from 'node:path'
import { consoleTypes, formatAndLint, modules, type Tally, tests, types } from './check-steps.ts'
import { installBrowser } from './chromium.ts'
import { install } from './install.ts'
import { report } from './test-report.ts'

await install()
const named = process.argv.slice(2).map((place) => path.resolve(place))
process.exitCode = report(named.length > 0 ? await tests(named, 'named') : await everything())

async function everything(): Promise<Tally[]> {
  installBrowser()
  // Once, before the first tests start it concurrently.
  Bun.spawnSync([process.execPath, path.join(import.meta.dir, 'tapewright.ts'), '--version'])
  const tallies: Tally[] = []
  // In sequence: each compiler needs as much memory as all parts of the tests.
  for (const step of [formatAndLint, modules, types, consoleTypes]) tallies.push(await step())
  return [...tallies, ...(await tests(['./src', './test'], 'test'))]
}
