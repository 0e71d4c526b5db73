/** A casting interrupted in any way resumes, and makes the same world. */
import { Database } from 'bun:sqlite'
import { beforeAll, expect, test } from 'bun:test'
import { copyFileSync, existsSync } from 'node:fs'
import { castFile } from '../../src/market/casting/cast-file.ts'
import { castWorld } from '../../src/market/casting/cast-world.ts'
import type { TapeInput } from '../../src/market/casting/tape-input.ts'
import { WorkerRowSink } from '../../src/market/casting/writing/worker-row-sink.ts'
import { handWrittenTape } from '../fixtures/hand-written-tape.ts'
import { rowDigests } from '../fixtures/rows-digest.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const KEEP_EVERY = 6
const OPTIONS = { historyMs: 86_400_000, keepEvery: KEEP_EVERY }
const tape = handWrittenTape()

/** The tape; its second reading, for casting, is interrupted after some events. */
function interruptedAt(end: number): TapeInput {
  let readings = 0
  async function* events(only?: Parameters<TapeInput['events']>[0]) {
    const isCast = !only && ++readings === 2
    for await (const batch of tape.events(only)) {
      yield isCast ? batch.slice(0, end) : batch
      if (isCast) throw new Error('interrupted')
    }
  }
  return { ...tape, events }
}

/** Casts up to an event; returns the file that a killed process leaves. */
async function interrupted(name: string, end: number): Promise<string> {
  const [file, left] = [at(`${name}.writing`), at(name)]
  const rows = new WorkerRowSink(file, KEEP_EVERY)
  await castWorld(interruptedAt(end), '1', rows, undefined, undefined, OPTIONS.historyMs).catch(
    () => {},
  )
  await rows.settled()
  for (const part of ['', '-journal'])
    if (existsSync(`${file}${part}`)) copyFileSync(`${file}${part}`, `${left}${part}`)
  rows.close()
  return left
}

function changed<T>(file: string, change: (db: Database) => T): T {
  const db = new Database(file, { strict: true })
  try {
    return change(db)
  } finally {
    db.close()
  }
}

let whole: Record<string, string>

beforeAll(async () => {
  await castFile(tape, '1', at('whole'), { historyMs: OPTIONS.historyMs })
  whole = changed(at('whole'), rowDigests)
})

test('checkpointed rows are not written again, and the rest is', async () => {
  const file = await interrupted('kept', 14)
  const first = 'where id = (select min(id) from book)'
  const levels = changed(file, (db) => {
    const [[text]] = db.query(`select levels from book ${first}`).values() as [[string]]
    db.exec(`update book set levels = 'as it was kept' ${first}`)
    return text
  })
  const scheduled: number[] = []
  await castFile(tape, '1', file, { ...OPTIONS, report: (events) => scheduled.push(events) })
  expect(existsSync(`${file}-journal`)).toBe(false)
  changed(file, (db) => {
    expect(db.query(`select levels from book ${first}`).values()).toEqual([['as it was kept']])
    db.query(`update book set levels = ? ${first}`).run(levels)
    expect(rowDigests(db)).toEqual(whole)
  })
  expect(scheduled).toEqual([20])
})

test('a file without a checkpoint, and one of another program, is cast anew', async () => {
  const early = await interrupted('early', KEEP_EVERY - 1)
  await castFile(tape, '1', early, OPTIONS)
  expect(changed(early, rowDigests)).toEqual(whole)

  const other = await interrupted('other', 14)
  changed(other, (db) => {
    const kept = `{"events":${2 * KEEP_EVERY},"rows":1,"counts":{}}`
    db.query("update meta set value = ? where key = 'kept'").run(kept)
  })
  await castFile(tape, '1', other, OPTIONS)
  expect(changed(other, rowDigests)).toEqual(whole)
})

test('a failed casting leaves nothing', async () => {
  const file = await interrupted('failing', 14)
  const failed = castFile(interruptedAt(15), '1', file, OPTIONS)
  expect(await failed.catch((error) => error.message)).toBe('interrupted')
  expect([file, `${file}-journal`].filter(existsSync)).toEqual([])
})
