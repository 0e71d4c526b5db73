/** How the threads of worlds behave: they leave the machine to others, and say why they failed. */
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import path from 'node:path'
import { UserError } from '../../platform/user-error.ts'
import { writeFailureOf } from '../state-file/state-writer.ts'
import { DamagedFileError, damageOf } from './line-failure.ts'

/** The last that a thread says when it cannot do what it was asked for. */
export interface ThreadFailure {
  failed: string
  isOurFault: boolean
  /** Whether a file holds something else than was written into it. */
  isDamage: boolean
}

/**
 * On Linux a thread has a priority of its own, which those that it starts inherit. Elsewhere it
 * stays as it is.
 */
export function lowerPriority(): void {
  try {
    setPriority(Number(path.basename(readlinkSync('/proc/thread-self'))), LOW_PRIORITY)
  } catch {
    // What cannot be lowered is only felt by others, and nothing depends on it.
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

/** The failure as it is thrown on the other side. */
export function failureError({ failed, isOurFault, isDamage }: ThreadFailure): Error {
  if (isDamage) return new DamagedFileError(failed)
  return isOurFault ? new Error(failed) : new UserError(failed)
}
