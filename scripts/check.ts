/**
 * `bun run check`: format, lint, modules, types, the tests beside the code, the house rules, and
 * the quick tests of the lists of operations and channels, which an added operation can break.
 */

import { consoleTypes, formatAndLint, modules, tests, types } from './check-steps.ts'
import { install } from './install.ts'
import { report } from './test-report.ts'

await install()
const QUICK = [
  ...['house/rules', 'house/house-rules.test.ts', 'house/scenario-schema.test.ts'],
  ...['effects', 'fast-market', 'requirements'].map((name) => `conformance/${name}.test.ts`),
  ...['metrics', 'requests-without-storage'].map((name) => `control/${name}.test.ts`),
  ...['caps', 'client-calls.test.ts', 'client-types.test.ts'].map((name) => `http/${name}`),
  ...['derived-errors', 'every-operation', 'parameter-meanings'].map(
    (name) => `http/${name}.test.ts`,
  ),
  ...['api-documents', 'api-documents-match-service', 'example-answers'].map(
    (name) => `pages/${name}.test.ts`,
  ),
  'pages/generated-documents.test.ts',
]
const places = ['./src', ...QUICK.map((name) => `./test/${name}`)]
const steps = [formatAndLint(), modules(), types(), consoleTypes(), tests(places, 'check')]
process.exitCode = report((await Promise.all(steps)).flat())
