/** Files of lines: their names, who has them, and which of them go when there are too many. */

import { readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { GROWTH_VERSION } from '../../market/growth/growth-version.ts'
import { openUngrown } from '../../market/world/grown-world.ts'
import { tryLockWorld } from '../../market/world/world-lock.ts'
import type { LineFile, LineName, LineStore } from './line-store.ts'

/** The files of all lines of a folder together, bytes: beyond it the oldest are removed. */
const KEPT_BYTES = 8 * 2 ** 30

/** Lines in the files of a folder. */
export const lineFiles = (cacheDir: string): LineStore => ({
  take: (name) => takeLineFile(cacheDir, name),
  open: openUngrown,
})

/**
 * The file of a line, for this process alone: that of the cache folder, or a private one while
 * another process has it. What is too much in the folder is removed.
 */
function takeLineFile(cacheDir: string, name: LineName): LineFile {
  sweep(cacheDir)
  const { baseFile, t0Ms, mood, events } = name
  const key = [path.basename(baseFile), t0Ms, mood, JSON.stringify(events), GROWTH_VERSION]
  const hash = Bun.hash(key.join('\n')).toString(16).padStart(16, '0')
  const shared = path.join(cacheDir, `grown-${hash}.sqlite`)
  const held = tryLockWorld(shared)
  if (held) return lineFile(shared, held, true)
  for (let count = 1; ; count++) {
    const file = path.join(cacheDir, `grown-${hash}.${count}.sqlite`)
    const own = tryLockWorld(file)
    // What is left of another process that had it is not ours.
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
      if (!isKept || !isShared) rmSync(`${file}.lock`, { force: true })
    },
  }
}

function removed(file: string): void {
  for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true })
}

/** Removes what nobody has: private files, and the oldest others while all take too much. */
function sweep(cacheDir: string): void {
  const names = readdirSync(cacheDir).filter((name) => /^grown-[0-9a-f.]+\.sqlite$/.test(name))
  const files = names.flatMap((name) => {
    const file = path.join(cacheDir, name)
    // Another process sweeps as well.
    const found = statSync(file, { throwIfNoEntry: false })
    if (!found) return []
    return { file, size: found.size, mtimeMs: found.mtimeMs, isPrivate: name.split('.').length > 2 }
  })
  let bytes = files.reduce((sum, { size }) => sum + size, 0)
  for (const { file, size, isPrivate } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (!isPrivate && bytes <= KEPT_BYTES) continue
    const unlock = tryLockWorld(file)
    if (!unlock) continue
    removed(file)
    unlock()
    bytes -= size
  }
}
