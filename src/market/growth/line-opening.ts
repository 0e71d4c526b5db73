/** Files of lines on disk. */
import { Database } from 'bun:sqlite'
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { draftOf } from '../world/world-file.ts'
import type { LineOrder } from './line-file.ts'
import { beginLine } from './line-file.ts'

/** Suffixes of a database's files. */
const PARTS = ['', '-wal', '-shm']

/** Opens the file of a line for growing; creates it when missing. */
export function openLineFile(order: LineOrder): Database {
  if (!existsSync(order.file)) makeLineFile(order)
  return connect(order.file)
}

function connect(file: string): Database {
  const db = new Database(file, { strict: true })
  db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma busy_timeout = 5000')
  db.exec('pragma cache_size = -32768; pragma temp_store = memory')
  db.exec('pragma wal_autocheckpoint = 4000')
  return db
}

/** Renames the file last, so that another process never sees an unfinished one. */
function makeLineFile(order: LineOrder): void {
  const draft = draftOf(order.file)
  try {
    copyWorld(order.baseFile, draft)
    const db = new Database(draft, { strict: true })
    db.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -32768')
    beginLine(db, order)
    db.exec('pragma journal_mode = wal')
    db.close()
    renameSync(draft, order.file)
  } finally {
    for (const part of PARTS) rmSync(`${draft}${part}`, { force: true })
  }
}

/** Copies a file that others may be writing, together with its write-ahead log. */
function copyWorld(from: string, to: string): void {
  for (const part of PARTS) rmSync(`${to}${part}`, { force: true })
  if (!isGrowing(from)) return copyFileSync(from, to)
  const db = new Database(from, { readonly: true, strict: true })
  try {
    // An open read transaction prevents checkpoints: changed pages stay in the write-ahead log,
    // which is copied after the file.
    db.exec('begin')
    db.query('select count(*) from meta').get()
    copyFileSync(from, to)
    if (existsSync(`${from}-wal`)) copyFileSync(`${from}-wal`, `${to}-wal`)
  } finally {
    db.close()
  }
}

/** Whether its database header says WAL mode. */
function isGrowing(file: string): boolean {
  const header = new Uint8Array(20)
  const handle = openSync(file, 'r')
  try {
    readSync(handle, header)
  } finally {
    closeSync(handle)
  }
  return header[18] === 2
}
