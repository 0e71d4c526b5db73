/** The conformance suite, loaded when a run is asked for: most servers never do. */

/** Null where there is none to run. */
export const loadSuite = (): typeof import('../../conformance/conform.ts') | null =>
  require('../../conformance/conform.ts')
