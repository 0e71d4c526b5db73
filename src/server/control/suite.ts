/** The conformance suite, loaded on demand: most servers never run it. */

/** null where there is no suite. */
export const loadSuite = (): typeof import('../../conformance/conform.ts') | null =>
  require('../../conformance/conform.ts')
