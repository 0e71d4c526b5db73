/** Files of lines on a disk. */
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
import { draftOf } from '../world/world-seal.ts'
import { beginLine } from './line-file.ts'
import type { LineOrder } from './line-order.ts'

/** The files of a database. */
const PARTS = ['', '-wal', '-shm']

/** Opens the file of a line for growing; it is made when it is not there. */
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

/** Another process never sees a file that is not finished: it gets its name last. */
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

/** A file that others may be writing is copied with what is written ahead of it. */
function copyWorld(from: string, to: string): void {
  for (const part of PARTS) rmSync(`${to}${part}`, { force: true })
  if (!isGrowing(from)) return copyFileSync(from, to)
  const db = new Database(from, { readonly: true, strict: true })
  try {
    // While somebody reads, nothing is dropped of what that reader may need: a page that changes
    // in the file meanwhile stays in what is written ahead, which is copied after it.
    db.exec('begin')
    db.query('select count(*) from meta').get()
    copyFileSync(from, to)
    if (existsSync(`${from}-wal`)) copyFileSync(`${from}-wal`, `${to}-wal`)
  } finally {
    db.close()
  }
}

/** Whether it is written ahead: the header of a database says so. */
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
