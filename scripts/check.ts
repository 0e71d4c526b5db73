/**
 * `bun run check`: format, lint, types, the tests beside the code, and every test that an added
 * operation can break.
 */
import { install } from './install.ts'
import { listTests } from './list-tests.ts'
import { report } from './report.ts'
import { formatAndLint, tests, types } from './steps.ts'

await install()
const places = ['./src', './test/tidy', ...(await listTests())]
process.exitCode = report(await Promise.all([formatAndLint(), types(), tests(places, 'check')]))
