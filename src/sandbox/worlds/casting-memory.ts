import { UserError } from '../../user-error.ts'

/** What a casting of the default tape takes at its peak, bytes, and some to spare. */
export const CASTING_BYTES = 640e6

/** Throws a UserError where a casting would be ended for want of memory, before it is begun. */
export function checkCastingMemory(memoryBytes: number): void {
  if (memoryBytes >= CASTING_BYTES) return
  throw new UserError(
    `casting a world needs ${CASTING_BYTES / 1e6} MB of memory, and this process may use ` +
      `${Math.floor(memoryBytes / 1e6)} MB: give its container more, or let TAPEWRIGHT_WORLDS ` +
      'or TAPEWRIGHT_CACHE name a folder with the world in it',
  )
}
