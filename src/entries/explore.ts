/** `tapewright/explore` on Bun: finds where a client breaks. On Node it is `explore-node.ts`. */
import { createSandbox } from '../server/embedding/bun.ts'
import { exploreWith } from '../server/explore/explore.ts'

export { UserError } from '../platform/user-error.ts'
export type { ExploreContext } from '../server/explore/clients.ts'
export { type Explored, ExploreError, type ExploreOptions } from '../server/explore/explore.ts'

/**
 * Explores a function: each run has a sandbox of its own and a plan of trouble. Rejects with an
 * ExploreError for the first run that fails.
 */
export const explore = exploreWith(createSandbox)
