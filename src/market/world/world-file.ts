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
  /**
   * Has another process make and seal the world, which goes on when this one ends; a world that is
   * not resumable is cast so.
   */
  castApart?: ((file: string) => Promise<void>) | undefined
  /** Called repeatedly while another process casts the world. */
  onOthersProgress?: ((progress: WritingProgress) => void) | undefined
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
  const onWait = waitOf(file, request)
  const release = await lockFile(file, onWait)
  try {
    // A casting may have lost the process that started it.
    await waitForWriter(file, onWait)
    const state = await sealState(file)
    if (state === 'whole') return
    if (state === 'broken') log(`the cached world ${file} is damaged; casting it again`)
    sweepDrafts(file)
    const unpack = await unpackingOf(file, request)
    if (unpack) return await writeSealed(file, unpack)
    if (await request.resumes?.()) return await castLasting(file, from, request)
    const takes = (await request.takes?.()) ?? 'some seconds'
    log(`casting the world of ${from}; this happens once and takes ${takes}`)
    await (request.castApart ? castApart(file, request.castApart) : writeSealed(file, request.cast))
  } finally {
    release()
  }
}

/** Logs the first wait, and shows the progress of the other process. */
function waitOf(file: string, { log, onOthersProgress }: WorldRequest): () => void {
  let isFirst = true
  return () => {
    if (isFirst) log('another process is casting this world; waiting')
    isFirst = false
    const progress = writingProgress(file)
    if (progress) onOthersProgress?.(progress)
  }
}

async function castApart(file: string, make: (file: string) => Promise<void>): Promise<void> {
  try {
    await make(file)
  } finally {
    // A process that was killed cannot.
    sweepDrafts(file)
  }
  if ((await sealState(file)) !== 'whole')
    throw new UserError(`the world ${file} was removed while it was cast: try again`)
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
  await sealAs(draft, file)
}

/** Path of an interrupted casting. */
const partialOf = (file: string) => `${file}.partial`

/** Unpacks the world into a file; null when there is no packed one. */
async function unpackingOf(file: string, { packedDir = null }: WorldRequest) {
  if (packedDir === null) return null
  const { packedFile, unpackWorld } = await import('./packed-world.ts')
  const packed = packedFile(packedDir, file)
  return packed && ((draft: string) => unpackWorld(packed, draft))
}

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

/**
 * Mapped length of a world's file, bytes: a large one is read, not mapped. Touched pages of a map
 * count as memory of the process, which would grow during playback.
 */
const mappedBytes = (file: string): number => (statSync(file).size <= MOST_BYTES ? MOST_BYTES : 0)

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

// Sealed files: made once by one of several processes, and never read before they are finished. A
// process that was ended while it made one leaves drafts, which the next one removes.

/** Writes a draft, and makes it the sealed file; a failure leaves none of it. */
async function writeSealed(file: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = draftOf(file)
  try {
    await write(draft)
    await sealAs(draft, file)
  } finally {
    // An interrupted writer may leave a journal.
    removeDatabase(draft)
  }
}

/** Moves a finished draft to the path of the file, sealed; a UserError where that is refused. */
const sealAs = (draft: string, file: string): Promise<void> =>
  moveSealed(draft, file).catch((error) => {
    throw writeFailure(path.dirname(file), error)
  })

/** The error of a folder that cannot be written to, with its remedy. */
function writeFailure(folder: string, error: unknown): UserError {
  const why = error instanceof Error ? error.message : String(error)
  return new UserError(
    `cannot write worlds into ${folder} (${why}): make it writable, ` +
      'or set TAPEWRIGHT_CACHE to a folder that is',
  )
}

// A writer in a process that goes on when the process that started it ends.

/**
 * The same as `writeSealed`, in a process that no other one waits for: it holds a lock of its own,
 * and shows its progress to all. Nothing is written where the file is whole by then.
 */
export async function writeSealedApart(
  file: string,
  write: (draft: string, tell: (progress: WritingProgress) => void) => Promise<void>,
): Promise<void> {
  const release = await lockFile(apart(file), () => {})
  let shownPercent = -1
  const tell = ({ done, of }: WritingProgress) => {
    const percent = Math.floor((100 * done) / Math.max(1, of))
    if (percent === shownPercent) return
    shownPercent = percent
    writeFileSync(progressOf(file), JSON.stringify({ done, of }))
  }
  try {
    if ((await sealState(file)) === 'whole') return
    await writeSealed(file, (draft) => write(draft, tell))
  } finally {
    rmSync(progressOf(file), { force: true })
    release()
  }
}

/** Removes the drafts of this process, which is about to end. */
export function removeOwnDrafts(file: string): void {
  const folder = path.dirname(file)
  const own = `${path.basename(file)}.${process.pid}.`
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (name.startsWith(own)) rmSync(path.join(folder, name), { force: true })
  rmSync(progressOf(file), { force: true })
  rmSync(`${apart(file)}.lock`, { force: true })
}

/** Waits until no process writes the file apart from others. */
async function waitForWriter(file: string, onWait: LockWait): Promise<void> {
  const release = await lockFile(apart(file), onWait)
  release()
}

/** Steps of work, and their number. */
export interface WritingProgress {
  done: number
  of: number
}

/** The progress of the process that writes a file apart from others; null when none is known. */
function writingProgress(file: string): WritingProgress | null {
  try {
    return JSON.parse(readFileSync(progressOf(file), 'utf8'))
  } catch {
    return null
  }
}

const apart = (file: string) => `${file}.apart`

const progressOf = (file: string) => `${file}.progress`

/** Removes what processes have left that ended while writing this file, or others beside it. */
function sweepDrafts(file: string): void {
  const folder = path.dirname(file)
  const drafts = Map.groupBy(
    readdirSync(folder).filter((name) => DRAFT_SUFFIX.test(name)),
    (name) => path.join(folder, name.replace(DRAFT_SUFFIX, '')),
  )
  for (const [world, names] of drafts) {
    // A writer holds one of the locks; ours is held already.
    const locks = [...(world === file ? [] : [world]), apart(world)].map(tryLockFile)
    if (locks.every((release) => release !== null))
      for (const name of names) rmSync(path.join(folder, name), { force: true })
    for (const release of locks) release?.()
  }
}

const DRAFT_SUFFIX = /\.(\d+\.\d+\.tmp(-journal)?|progress)$/

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

// One process at a time writes a file; the others wait for it and then use its result.

/** Called before each pause of a wait. */
type LockWait = () => void

/**
 * Waits for the exclusive lock of a file; the result releases it.
 *
 * It is a lock of the operating system, so it ends with its process, however that ends. On a file
 * system without locks, all processes may write.
 */
export async function lockFile(file: string, onWait: LockWait): Promise<() => void> {
  for (;;) {
    const release = tryLockFile(file)
    if (release) return release
    onWait()
    await new Promise<void>((resume) => hostClock.startTimer(POLL_MS, resume))
  }
}

/** The same without waiting: null when another process has the lock. */
export function tryLockFile(file: string): (() => void) | null {
  const lock = `${file}.lock`
  let db: Database | null = null
  try {
    const named = identityOf(lock)
    db = new Database(lock, { create: true })
    db.exec('pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive')
    const held = db
    if (identityOf(lock) === named) return () => release(held, lock)
    // It was removed by its last owner meanwhile.
    held.close()
    return tryLockFile(file)
  } catch (error) {
    db?.close()
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return null
    return () => {}
  }
}

/** Removed while it is held, so that an empty file is not left for each file that was locked. */
function release(held: Database, lock: string): void {
  try {
    rmSync(lock, { force: true })
  } catch {
    // Some systems do not remove open files.
  }
  held.close()
}

/** Distinguishes a file from an earlier one of its name; creates a missing one. */
function identityOf(lock: string): string {
  if (!existsSync(lock)) writeFileSync(lock, '', { flag: 'a' })
  const { ino, birthtimeNs } = statSync(lock, { bigint: true })
  return `${ino} ${birthtimeNs}`
}

const POLL_MS = 100
