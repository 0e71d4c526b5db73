/** `bun run check`: format, lint, types, the house rules and the tests beside the code. */
import { install } from './install.ts'
import { report } from './report.ts'
import { formatAndLint, tests, types } from './steps.ts'

await install()
process.exitCode = report([
  formatAndLint(),
  types(),
  await tests(['./src', './test/tidy', './test/tidy.test.ts']),
])
