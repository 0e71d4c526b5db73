/** Files of lines: their names and owners, and the removal of old ones. */

import { readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import type { TapeMs } from '../../clock/instant.ts'
import type { TimedMarketEvent } from '../../market/events/market-event.ts'
import { GROWTH_VERSION } from '../../market/growth/growth-version.ts'
import type { MoodName } from '../../market/synth/mood.ts'
import type { World } from '../../market/world/world.ts'
import { openUngrown, tryLockFile } from '../../market/world/world-file.ts'

/** Maximum size of all line files of a folder, bytes: beyond it the oldest are removed. */
const KEPT_BYTES = 8 * 2 ** 30

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

/** The store of lines: in files of a folder, or in memory. */
export interface LineStore {
  /** Takes exclusive ownership of a line's place until it is released. */
  take(name: LineName): LineFile
  /**
   * Opens a line for reading. It ends where nothing has been grown: it is to be extended in slices,
   * as the first read of a line may be large.
   *
   * @param tapeEndMs end of its tape
   */
  open(file: string, tapeEndMs: TapeMs): World
}

/** The inputs of a line besides the program. */
export interface LineName {
  baseFile: string
  t0Ms: number
  mood: MoodName | null
  events: readonly TimedMarketEvent[]
}

/** An owned file until its release. */
export interface LineFile {
  file: string
  /** @param isKept whether others may find it afterwards; a private one never is */
  release(isKept: boolean): void
}
