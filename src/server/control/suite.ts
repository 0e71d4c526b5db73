/** The conformance suite, loaded on demand: most servers never run it. */

import type { Slices } from '../../clock/turns.ts'

type Suite = typeof import('../../conformance/conform.ts')

/** The suite, its largest parts a slice each; null where there is none. */
export function* loadSuite(): Slices<Suite | null> {
  for (const load of PARTS) {
    load()
    yield
  }
  return require('../../conformance/conform.ts') as Suite
}

const PARTS = [
  () => require('../../conformance/groups/authentication.ts'),
  () => require('../../conformance/groups/content.ts'),
  () => require('../../conformance/effects.ts'),
  () => require('../../conformance/cases.ts'),
  () => require('../../conformance/derived/channels.ts'),
  () => require('../../conformance/derived.ts'),
  () => require('../../conformance/target-place.ts'),
]
