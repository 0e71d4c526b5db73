import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beginLog, incompleteness, touchLog } from './log-generation.ts'

test('testing whether a log can be written writes to it', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-log-'))
  const file = path.join(folder, 'state')
  const db = new Database(file, { create: true })
  try {
    db.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; pragma application_id = 7')
    db.exec('create table note (name text primary key, value integer)')
    beginLog(db)
    for (let time = 0; time < 3; time++) {
      const before = readFileSync(`${file}-wal`)
      db.exec('begin immediate')
      touchLog(db)
      db.exec('commit')
      expect(readFileSync(`${file}-wal`).equals(before)).toBe(false)
    }
    expect(incompleteness(file, 7)).toBeNull()
  } finally {
    db.close()
    rmSync(folder, { recursive: true })
  }
})
