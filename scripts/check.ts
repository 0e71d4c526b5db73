/**
 * `bun run check`: format, lint, types, the tests beside the code, and the quick ones of those that
 * an added operation can break.
 */

import { consoleTypes, formatAndLint, tests, types } from './check-steps.ts'
import { install } from './install.ts'
import { operationTests } from './operation-tests.ts'
import { report } from './test-report.ts'

await install()
const house = ['./test/house/rules', './test/house/house-rules.test.ts']
const places = ['./src', ...new Set([...house, ...(await operationTests())])]
process.exitCode = report(
  await Promise.all([formatAndLint(), types(), consoleTypes(), tests(places, 'check')]),
)
