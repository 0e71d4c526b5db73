import { UserError } from '../../user-error.ts'

/** What a server on one world takes with some sandboxes and a market that goes on, bytes. */
const SERVING_BYTES = 256e6

/** Throws a UserError where the system would end a server for want of memory. */
export function checkServingMemory(memoryBytes: number): void {
  if (memoryBytes >= SERVING_BYTES) return
  throw new UserError(
    `a server needs at least ${SERVING_BYTES / 1e6} MB of memory, and this process may use ` +
      `${Math.floor(memoryBytes / 1e6)} MB: give its container more, as docker run --memory 1g`,
  )
}
