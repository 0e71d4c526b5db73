import { Database } from 'bun:sqlite'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../../platform/user-error.ts'
import { CASTING_VERSION } from '../casting/casting-version.ts'
import { keptIn, removeDatabase } from '../casting/writing/kept-file.ts'
import { mappedBytes } from './mapped-bytes.ts'
import { memoryDatabase } from './memory-database.ts'
import { type World, worldOf } from './world.ts'
import { lockWorld, tryLockWorld } from './world-lock.ts'
import { draftOf, moveSealed, sealState } from './world-seal.ts'

export interface WorldRequest {
  /** Identifies the contents of the tape. */
  tapeDigest: string
  seed: string | number
  /** Identifies the candles for the time before the tape; empty without any. */
  historyDigest?: string
  /** Folder for finished worlds; made when missing. */
  cacheDir: string
  /** Folder of worlds that were packed before; null for none. */
  packedDir?: string | null
  /** Receives a line that says what takes time, and why. */
  log: (text: string) => void
  /** Where the tape is from, in words; asked only when the world must be cast. */
  source: () => string | Promise<string>
  /** How long the casting takes, in words; some seconds when it is left out. */
  takes?: () => string | Promise<string>
  /**
   * Casts the world into a new file. One that resumes is given the file that an earlier casting
   * left when it was interrupted, if there was any, and removes it itself when it fails.
   */
  cast: (file: string) => Promise<void>
  /** Whether it does; asked only when the world must be cast. */
  resumes?: () => boolean | Promise<boolean>
}

/**
 * The world of a tape, a seed and a history, read-only: from the cache, unpacked, or cast now.
 *
 * A world is one SQLite file with a seal beside it. A file without its seal, or which does not
 * match it, is cast again. Of several processes one casts and the others wait for it. A folder
 * that cannot be written to is a UserError.
 */
export async function openWorld(request: WorldRequest): Promise<World> {
  const file = worldFile(request)
  if ((await sealState(file)) !== 'whole') await makeOnce(file, request)
  const db = new Database(file, { readonly: true, strict: true })
  db.exec(`pragma query_only = on; pragma mmap_size = ${mappedBytes(file)}`)
  db.exec('pragma cache_size = -4096')
  // A lock that is kept is not taken anew for every read; others may read as well.
  db.exec('pragma temp_store = memory; pragma locking_mode = exclusive')
  return worldOf(db, memoryDatabase)
}

/** Where a world lies in its cache folder, whether it is there or not. */
export function worldFile({
  tapeDigest,
  seed,
  cacheDir,
  historyDigest = '',
}: Pick<WorldRequest, 'tapeDigest' | 'seed' | 'cacheDir' | 'historyDigest'>): string {
  const contents = [tapeDigest, seed, CASTING_VERSION, ...(historyDigest ? [historyDigest] : [])]
  const key = Bun.hash(contents.join('\n')).toString(16).padStart(16, '0')
  return path.join(cacheDir, `world-${key}.sqlite`)
}

async function makeOnce(file: string, request: WorldRequest): Promise<void> {
  const { log, source } = request
  const from = await source()
  prepare(file)
  const release = await lockWorld(file, () => log('another process is casting this world; waiting'))
  try {
    const state = await sealState(file)
    if (state === 'whole') return
    if (state === 'broken') log(`the cached world ${file} is damaged; casting it again`)
    sweepDrafts(file)
    const unpack = await unpackingOf(file, request)
    if (unpack) return await writeInto(file, unpack)
    if (await request.resumes?.()) return await castLasting(file, from, request)
    const takes = (await request.takes?.()) ?? 'some seconds'
    log(`casting the world of ${from}; this happens once and takes ${takes}`)
    await writeInto(file, request.cast)
  } finally {
    release()
  }
}

/** Casts a long tape into a file that stays when it is interrupted. */
async function castLasting(file: string, from: string, { cast, log }: WorldRequest): Promise<void> {
  const draft = partialOf(file)
  log(
    keptIn(draft)
      ? `going on with the world of ${from}, whose casting was interrupted`
      : `casting the world of ${from}; this is done once, and may be interrupted and gone on with`,
  )
  await cast(draft)
  await seal(draft, file)
}

/** What a casting leaves that is interrupted. */
export const partialOf = (file: string) => `${file}.partial`

/** Unpacks the world into a file; null when it was not packed before. */
async function unpackingOf(file: string, { packedDir = null }: WorldRequest) {
  if (packedDir === null) return null
  const { packedFile, unpackWorld } = await import('./packed-world.ts')
  const packed = packedFile(packedDir, file)
  return packed && ((draft: string) => unpackWorld(packed, draft))
}

async function writeInto(file: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = draftOf(file)
  try {
    await write(draft)
    await seal(draft, file)
  } finally {
    // A writer that was cut off may leave a journal.
    removeDatabase(draft)
  }
}

const seal = (draft: string, file: string) =>
  moveSealed(draft, file).catch((error) => {
    throw writeFailure(path.dirname(file), error)
  })

function prepare(file: string): void {
  const folder = path.dirname(file)
  const probe = draftOf(file)
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(probe, '')
    rmSync(probe, { force: true })
  } catch (error) {
    throw writeFailure(folder, error)
  }
}

function writeFailure(folder: string, error: unknown): UserError {
  const why = error instanceof Error ? error.message : String(error)
  return new UserError(
    `cannot write worlds into ${folder} (${why}): make it writable, ` +
      'or set TAPEWRIGHT_CACHE to a folder that is',
  )
}

/** Removes what processes left that ended while they cast. */
function sweepDrafts(file: string): void {
  const folder = path.dirname(file)
  const drafts = Map.groupBy(
    readdirSync(folder).filter((name) => DRAFT_SUFFIX.test(name)),
    (name) => path.join(folder, name.replace(DRAFT_SUFFIX, '')),
  )
  for (const [world, names] of drafts) {
    // Whoever is casting has the lock; ours we have.
    const release = world === file ? () => {} : tryLockWorld(world)
    if (release === null) continue
    for (const name of names) rmSync(path.join(folder, name), { force: true })
    release()
  }
}

const DRAFT_SUFFIX = /\.\d+\.\d+\.tmp(-journal)?$/
