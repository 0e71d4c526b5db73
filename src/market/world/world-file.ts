import { Database } from 'bun:sqlite'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import type { TapeMs } from '../../clock/instant.ts'
import { hostClock } from '../../clock/system-clock.ts'
import { UserError } from '../../platform/user-error.ts'
import { CASTING_VERSION } from '../casting/casting-version.ts'
import { keptIn, removeDatabase } from '../casting/writing/kept-file.ts'
import { type World, worldOf } from './world.ts'

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
  /** Receives lines about slow steps, with reasons. */
  log: (text: string) => void
  /** Origin of the tape in words; called only when the world must be cast. */
  source: () => string | Promise<string>
  /** Duration of the casting in words; some seconds when left out. */
  takes?: () => string | Promise<string>
  /**
   * Casts the world into a new file. A resumable one gets the file of an interrupted casting, if
   * any, and removes it itself on failure.
   */
  cast: (file: string) => Promise<void>
  /** Whether it is resumable; called only when the world must be cast. */
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
  // 16 MB would play a long tape 8 % faster and keep 67 MB more over ten million events.
  db.exec('pragma cache_size = -4096')
  // A held lock saves one per read; other processes may still read.
  db.exec('pragma temp_store = memory; pragma locking_mode = exclusive')
  return worldOf(db, memoryDatabase)
}

/** Path of a world in its cache folder, whether it exists or not. */
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

/** Casts a long tape into a file that survives an interruption. */
async function castLasting(file: string, from: string, { cast, log }: WorldRequest): Promise<void> {
  const draft = partialOf(file)
  log(
    keptIn(draft)
      ? `resuming the world of ${from}, whose casting was interrupted`
      : `casting the world of ${from}; this is done once, and may be interrupted and resumed`,
  )
  await cast(draft)
  await seal(draft, file)
}

/** Path of an interrupted casting. */
export const partialOf = (file: string) => `${file}.partial`

/** Unpacks the world into a file; null when there is no packed one. */
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
    // An interrupted writer may leave a journal.
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

/** Removes drafts of processes that ended while casting. */
function sweepDrafts(file: string): void {
  const folder = path.dirname(file)
  const drafts = Map.groupBy(
    readdirSync(folder).filter((name) => DRAFT_SUFFIX.test(name)),
    (name) => path.join(folder, name.replace(DRAFT_SUFFIX, '')),
  )
  for (const [world, names] of drafts) {
    // A casting process holds the lock; ours is held already.
    const release = world === file ? () => {} : tryLockWorld(world)
    if (release === null) continue
    for (const name of names) rmSync(path.join(folder, name), { force: true })
    release()
  }
}

const DRAFT_SUFFIX = /\.\d+\.\d+\.tmp(-journal)?$/

/**
 * The seal of a file: its length, checksum and modification time, in a small file beside it that is
 * written last.
 */
type SealState = 'whole' | 'broken' | 'absent'

/**
 * Checks a file against its seal. Its bytes are read only when it was written or copied since it
 * was sealed, in pieces, between which the thread is free.
 */
async function sealState(file: string): Promise<SealState> {
  if (!existsSync(file)) return 'absent'
  const found = statSync(file, { bigint: true })
  const seal = readSeal(file)
  if (seal?.size !== String(found.size)) return 'broken'
  if (seal.writtenNs === String(found.mtimeNs)) return 'whole'
  const now = await sealOf(file)
  if (now.sum !== seal.sum) return 'broken'
  try {
    writeSeal(file, now)
  } catch {
    // In a read-only folder, the file is read at each start.
  }
  return 'whole'
}

/**
 * Moves a finished file to its path, and seals it. Until its bytes are synced, which happens in the
 * background, the seal has no time, so a reader checks the bytes. For a large file, which takes
 * seconds to read, the sync is awaited.
 */
async function moveSealed(draft: string, file: string): Promise<void> {
  const seal = draftOf(file)
  const found = await sealOf(draft)
  try {
    writeFileSync(seal, textOf({ ...found, writtenNs: UNKNOWN }))
    rmSync(sealFileOf(file), { force: true })
    renameSync(draft, file)
    renameSync(seal, sealFileOf(file))
  } finally {
    rmSync(seal, { force: true })
  }
  const synced = sealSynced(file, found)
  if (Number(found.size) > WAITED_FOR_BYTES) await synced
}

const WAITED_FOR_BYTES = 256 << 20

const UNKNOWN = 'unknown'

/** Length and time may survive a crash without the bytes, so the time is sealed after the sync. */
async function sealSynced(file: string, seal: Seal): Promise<void> {
  try {
    const handle = await open(file, 'r')
    await handle.sync().finally(() => handle.close())
    if (readSeal(file)?.sum === seal.sum) writeSeal(file, seal)
  } catch {
    // A removed file needs no seal; otherwise it is read at each start.
  }
}

/** A path beside a file for a draft, unique among processes and calls. */
export function draftOf(file: string): string {
  return `${file}.${process.pid}.${drafts++}.tmp`
}

let drafts = 0

interface Seal {
  size: string
  sum: string
  writtenNs: string
}

const sealFileOf = (file: string) => `${file}.seal`

const textOf = ({ size, sum, writtenNs }: Seal) => `${size} ${sum} ${writtenNs}\n`

function writeSeal(file: string, seal: Seal): void {
  const draft = draftOf(file)
  writeFileSync(draft, textOf(seal))
  renameSync(draft, sealFileOf(file))
}

function readSeal(file: string): Seal | null {
  try {
    const [size = '', sum = '', writtenNs = ''] = readFileSync(sealFileOf(file), 'utf8').split(/\s/)
    return { size, sum, writtenNs }
  } catch {
    return null
  }
}

const PIECE_BYTES = 1 << 22

async function sealOf(file: string): Promise<Seal> {
  const { size, mtimeNs } = statSync(file, { bigint: true })
  const content = Bun.file(file)
  let sum = 0n
  for (let at = 0; at < Number(size); at += PIECE_BYTES)
    sum = Bun.hash.wyhash(await content.slice(at, at + PIECE_BYTES).bytes(), sum)
  return { size: String(size), sum: sum.toString(16), writtenNs: String(mtimeNs) }
}

// One process at a time casts a world; the others wait for it and then use its result.

/**
 * Waits for the exclusive lock for casting into a file; the result releases it.
 *
 * It is a lock of the operating system, so it ends with its process, however that ends. On a file
 * system without locks, all processes may cast.
 */
export async function lockWorld(file: string, onWait: () => void): Promise<() => void> {
  for (let isFirst = true; ; isFirst = false) {
    const release = tryLockWorld(file)
    if (release) return release
    if (isFirst) onWait()
    await new Promise<void>((resume) => hostClock.startTimer(POLL_MS, resume))
  }
}

/** The same without waiting: null when another process has the lock. */
export function tryLockWorld(file: string): (() => void) | null {
  let db: Database | null = null
  try {
    db = new Database(`${file}.lock`, { create: true })
    db.exec('pragma busy_timeout = 0; begin exclusive')
  } catch (error) {
    db?.close()
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return null
    return () => {}
  }
  const held = db
  return () => held.close()
}

const POLL_MS = 100

/**
 * Mapped length of a world's file, bytes: a large one is read, not mapped. Touched pages of a map
 * count as memory of the process, which would grow during playback.
 */
export const mappedBytes = (file: string): number =>
  statSync(file).size <= MOST_BYTES ? MOST_BYTES : 0

/** The part of a growing file beyond this is read as well. */
const MOST_BYTES = 256 << 20

/** An empty database in memory. */
export const memoryDatabase = (): Database => new Database(':memory:', { strict: true })

// Worlds that continue after their tape: the file of a line, read while a thread writes it.

/**
 * Opens the file of a line for reading, up to its grown end.
 *
 * @param tapeEndMs end of its tape
 */
export function openGrown(file: string, tapeEndMs: TapeMs): World {
  const db = new Database(file, { readonly: true, strict: true })
  db.exec(`pragma query_only = on; pragma mmap_size = ${mappedBytes(file)}`)
  db.exec('pragma cache_size = -16384')
  db.exec('pragma temp_store = memory; pragma busy_timeout = 5000')
  return Object.assign(worldOf(db, memoryDatabase), { tapeEndMs })
}

/**
 * Opens it with its end at the tape's: the caller grows it in slices, as a first read of a line may
 * be large.
 */
export function openUngrown(file: string, tapeEndMs: TapeMs): World {
  const world = openGrown(file, tapeEndMs)
  return Object.assign(world, { endMs: world.packedEndMs })
}
