/**
 * The order of test files where no run has measured them yet. A long one that begins last keeps
 * one process busy while the others have nothing left to do.
 */
import { ROOT } from './install.ts'

/** Those that take ten seconds and more, the longest first. */
export const SLOW_TESTS: readonly string[] = [
  'test/docs/commands',
  'test/pages/pocket-conformance',
  'test/conformance/suite-over-port',
  'test/msw/versions',
  'test/pages/accessibility',
  'test/package/command',
  'test/conformance/suite',
  'test/package/examples',
  'test/house/added-operation',
  'test/msw/suite',
  'test/world/market-lines',
  'test/world/grown-identities',
  'test/generators/generators',
  'test/pages/tried-out',
  'test/docs/snippets',
  'test/cli/examples',
  'test/cli/conform',
  'test/world/identities',
  'test/cli/serve',
  'test/endurance/soak',
  'test/endurance/fuzz',
  'test/conformance/deviations',
  'test/pages/pocket-page',
  'test/places/binary',
  'test/places/languages',
]

/** What Bun is to take for the times of an earlier run, ms by file. */
export function firstTimings() {
  const files: Record<string, number> = {}
  for (const file of new Bun.Glob('{src,test}/**/*.test.ts').scanSync(ROOT)) {
    const place = SLOW_TESTS.indexOf(file.slice(0, -'.test.ts'.length))
    files[file] = place < 0 ? 1 : (SLOW_TESTS.length - place) * 1000
  }
  return { version: 1, files }
}
