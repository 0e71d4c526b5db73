/**
 * `bun run check`: format, lint, types, the tests beside the code, and every test that an added
 * operation can break.
 */

import { consoleTypes, formatAndLint, tests, types } from './check-steps.ts'
import { install } from './install.ts'
import { operationTests } from './operation-tests.ts'
import { report } from './test-report.ts'

await install()
const places = [
  './src',
  './test/house/rules',
  './test/house/house-rules.test.ts',
  ...(await operationTests()),
]
process.exitCode = report(
  await Promise.all([formatAndLint(), types(), consoleTypes(), tests(places, 'check')]),
)
