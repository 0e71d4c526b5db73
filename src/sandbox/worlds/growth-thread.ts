/** Threads of worlds: one that grows a line, their low priority, and their failures. */

import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import path from 'node:path'
import { removeOwnDrafts } from '../../market/world/world-file.ts'
import { UserError } from '../../platform/user-error.ts'
import { writeFailureOf } from '../state-file/state-writer.ts'
import type { GrowthReport, GrowthRequest } from './growth-worker.ts'
import { DamagedFileError, damageOf, type StartGrowth } from './line-grower.ts'

/** Grows a line in a thread of its own. */
export const growInThread: StartGrowth = (order, listener) => {
  // Without a suffix: it is a source beside sources, and built beside built files.
  const worker = new Worker(path.join(import.meta.dir, 'growth-worker'))
  let isOver = false
  const fail = (error: Error) => {
    if (isOver) return
    end()
    listener.failed(error)
  }
  const end = () => {
    isOver = true
    worker.terminate()
    // A thread that is ended while it opens its file cannot remove its draft.
    removeOwnDrafts(order.file)
  }
  const ask = (request: GrowthRequest) => worker.postMessage(request)
  worker.onmessage = ({ data }: MessageEvent<GrowthReport>) => {
    if (isOver) return
    if ('grownToMs' in data) listener.grown(data.grownToMs)
    else fail(failureError(data))
  }
  worker.onerror = ({ message }) => fail(endedEarly(message))
  worker.addEventListener('close', () => fail(endedEarly('it was ended')))
  ask({ open: order })
  return { growTo: (growToMs) => ask({ growToMs }), end }
}

const endedEarly = (why: string) => new UserError(`the thread that grows it ended (${why})`)

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
