import { Database } from 'bun:sqlite'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { UserError } from '../user-error.ts'
import { CASTING_VERSION, castWorld } from './casting/cast-world.ts'
import type { TapeInput } from './casting/tape-input.ts'
import { WorkerRowSink } from './casting/writing/worker-row-sink.ts'
import { type World, worldOf } from './world.ts'

export interface WorldRequest {
  /** An opened tape; `digest` identifies its contents. */
  tape: TapeInput
  seed: string | number
  /** Folder for finished worlds; made when missing. */
  cacheDir: string
  /** Receives a line that says what takes time, and why. */
  log: (text: string) => void
}

/**
 * The world of a tape and a seed, read-only: from the cache, or cast now.
 *
 * A world is one SQLite file; a small seal beside it, written last, holds its length and checksum.
 * A file without its seal, or which does not match it, is cast again. A folder that cannot be
 * written to is a UserError.
 */
export async function openWorld(request: WorldRequest): Promise<World> {
  const { tape, cacheDir, log } = request
  const seed = String(request.seed)
  const key = Bun.hash(`${tape.digest}\n${seed}\n${CASTING_VERSION}`).toString(16).padStart(16, '0')
  const file = path.join(cacheDir, `world-${key}.sqlite`)
  const state = checksumState(file)
  if (state === 'broken') log(`the cached world ${file} is damaged; casting it again`)
  if (state !== 'whole') {
    log(`casting the world of ${tape.header.source}; this is done once and takes some seconds`)
    await castInto(file, tape, seed)
  }
  const db = new Database(file, { readonly: true, strict: true })
  db.exec('pragma query_only = on; pragma mmap_size = 1073741824; pragma cache_size = -16384')
  // A lock that is kept is not taken anew for every read; others may read as well.
  db.exec('pragma temp_store = memory; pragma locking_mode = exclusive')
  return worldOf(db)
}

async function castInto(file: string, tape: TapeInput, seed: string): Promise<void> {
  const draft = `${file}.${process.pid}.${drafts++}.tmp`
  prepare(path.dirname(file))
  try {
    const rows = new WorkerRowSink(draft)
    try {
      await castWorld(tape, seed, rows)
    } finally {
      rows.close()
    }
    rmSync(checksumFileOf(file), { force: true })
    renameSync(draft, file)
    const seal = `${checksumFileOf(file)}.${process.pid}.tmp`
    writeFileSync(seal, checksumOf(file))
    renameSync(seal, checksumFileOf(file))
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Two castings in one process must not share a draft. */
let drafts = 0

function prepare(folder: string): void {
  const probe = path.join(folder, `probe.${process.pid}.${drafts++}.tmp`)
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UserError(
      `cannot write worlds into ${folder} (${why}): make it writable or name another cache folder`,
    )
  }
}

function checksumFileOf(file: string): string {
  return `${file}.seal`
}

function checksumState(file: string): 'whole' | 'broken' | 'absent' {
  if (!existsSync(file)) return 'absent'
  if (!existsSync(checksumFileOf(file))) return 'broken'
  return readFileSync(checksumFileOf(file), 'utf8') === checksumOf(file) ? 'whole' : 'broken'
}

const READ_BYTES = 1 << 22

/** Length and checksum of a file, read in pieces. */
function checksumOf(file: string): string {
  const { size } = statSync(file)
  const bytes = new Uint8Array(READ_BYTES)
  const handle = openSync(file, 'r')
  let sum = 0n
  try {
    for (let at = 0; at < size; ) {
      const read = readSync(handle, bytes, 0, READ_BYTES, at)
      if (read === 0) break
      sum = Bun.hash.wyhash(bytes.subarray(0, read), sum)
      at += read
    }
  } finally {
    closeSync(handle)
  }
  return `${size} ${sum.toString(16)}\n`
}
