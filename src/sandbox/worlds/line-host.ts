/** What lines need of a machine: files in a folder, and threads that grow them. */

import { readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { GROWTH_VERSION } from '../../market/growth/growth-version.ts'
import { openUngrown, removeOwnDrafts, tryLockFile } from '../../market/world/world-file.ts'
import { UserError } from '../../platform/user-error.ts'
import { writeFailureOf } from '../state-file/state-writer.ts'
import type { GrowthReport, GrowthRequest } from './growth-worker.ts'
import {
  DamagedFileError,
  damageOf,
  type LineFile,
  type LineName,
  type LineStore,
  type StartGrowth,
} from './line-grower.ts'

/** A store of lines in the files of a folder. */
export const lineFiles = (cacheDir: string): LineStore => ({
  take: (name) => takeLineFile(cacheDir, name),
  open: openUngrown,
})

/**
 * The file of a line, owned by this process: that of the cache folder, or a private one while
 * another process owns it. Removes old files beyond the maximum.
 */
function takeLineFile(cacheDir: string, name: LineName): LineFile {
  sweep(cacheDir)
  const { baseFile, t0Ms, mood, events } = name
  const key = [path.basename(baseFile), t0Ms, mood, JSON.stringify(events), GROWTH_VERSION]
  const hash = Bun.hash(key.join('\n')).toString(16).padStart(16, '0')
  const shared = path.join(cacheDir, `grown-${hash}.sqlite`)
  const held = tryLockFile(shared)
  if (held) return lineFile(shared, held, true)
  for (let count = 1; ; count++) {
    const file = path.join(cacheDir, `grown-${hash}.${count}.sqlite`)
    const own = tryLockFile(file)
    // The remains of another process's file are not ours.
    if (!own) continue
    removed(file)
    return lineFile(file, own, false)
  }
}

function lineFile(file: string, unlock: () => void, isShared: boolean): LineFile {
  return {
    file,
    release(isKept) {
      if (!isKept || !isShared) removed(file)
      unlock()
    },
  }
}

function removed(file: string): void {
  for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true })
}

/** Removes files without an owner: private ones, and the oldest others beyond the maximum. */
function sweep(cacheDir: string): void {
  const names = readdirSync(cacheDir).filter((name) => /^grown-[0-9a-f.]+\.sqlite$/.test(name))
  const files = names.flatMap((name) => {
    const file = path.join(cacheDir, name)
    // Another process may remove files as well.
    const found = statSync(file, { throwIfNoEntry: false })
    if (!found) return []
    return { file, size: found.size, mtimeMs: found.mtimeMs, isPrivate: name.split('.').length > 2 }
  })
  let bytes = files.reduce((sum, { size }) => sum + size, 0)
  for (const { file, size, isPrivate } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (!isPrivate && bytes <= KEPT_BYTES) continue
    const unlock = tryLockFile(file)
    if (!unlock) continue
    removed(file)
    unlock()
    bytes -= size
  }
}

/** Maximum size of all line files of a folder, bytes: beyond it the oldest are removed. */
const KEPT_BYTES = 8 * 2 ** 30

// Threads.

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
