/** Threads of worlds: their low priority, and their failures. */
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import path from 'node:path'
import { UserError } from '../../platform/user-error.ts'
import { writeFailureOf } from '../state-file/state-writer.ts'
import { DamagedFileError, damageOf } from './line-failure.ts'

/** The last message of a thread that has failed. */
export interface ThreadFailure {
  failed: string
  isOurFault: boolean
  /** Whether a file does not contain what was written into it. */
  isDamage: boolean
}

/** Lowers the priority of this thread and of those it starts, on Linux. Elsewhere it stays. */
export function lowerPriority(): void {
  try {
    setPriority(Number(path.basename(readlinkSync('/proc/thread-self'))), LOW_PRIORITY)
  } catch {
    // A failure is harmless: nothing depends on the priority.
  }
}

const LOW_PRIORITY = 5

export function failureOf(error: unknown): ThreadFailure {
  const damage = damageOf(error)
  if (damage) return { failed: damage.message, isOurFault: false, isDamage: true }
  if (error instanceof UserError)
    return { failed: error.message, isOurFault: false, isDamage: false }
  const failure = error instanceof Error ? writeFailureOf(error) : null
  if (failure) {
    const { reason, remedy, detail } = failure
    return {
      failed: `its file ${reason} (${detail}): ${remedy}`,
      isOurFault: false,
      isDamage: false,
    }
  }
  const trace = error instanceof Error ? error.stack : String(error)
  return { failed: trace ?? String(error), isOurFault: true, isDamage: false }
}

/** The failure as an error of the receiving side. */
export function failureError({ failed, isOurFault, isDamage }: ThreadFailure): Error {
  if (isDamage) return new DamagedFileError(failed)
  return isOurFault ? new Error(failed) : new UserError(failed)
}
