import { UserError } from '../platform/user-error.ts'

/** Of the sandbox with the demo keys, which is always there. */
export const DEFAULT_SANDBOX_ID = 'default'

/** Refuses what cannot be the id of a sandbox. */
export function checkSandboxId(id: string): void {
  if (id.length > 63) throw new UserError(`name has ${id.length} characters, and 63 are the most`)
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(id))
    throw new UserError(`name "${id}" must be lower-case letters, digits and hyphens, at most 63`)
}
