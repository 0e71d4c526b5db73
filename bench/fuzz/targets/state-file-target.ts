import { Database } from 'bun:sqlite'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { UserError } from '../../../src/platform/user-error.ts'
import { Registry } from '../../../src/sandbox/registry.ts'
import { openStateFile } from '../../../src/sandbox/state-file/state-file.ts'
import { fakeWorld } from '../../../test/fixtures/fake-market.ts'
import { fixedClock } from '../../../test/fixtures/fixed-clock.ts'
import { fuzzTarget } from '../fuzz-target.ts'
import {
  type ByteEdit,
  byteEdits,
  changed,
  edited,
  type ValueEdit,
  valueEdits,
} from '../mutations.ts'

interface Script {
  /** The file itself, or the write-ahead log of a killed server. */
  of: 'file' | 'log'
  edits: ByteEdit[]
  /** Rows, by number, whose JSON is edited as by a user with write access. */
  rows: { row: number; edits: ValueEdit[] }[]
}

/** Randomly mutated state files: opened and read, or refused in a line. */
export const stateFileTarget = fuzzTarget<Script>({
  name: 'state files',
  about: 'state files and their logs',
  perSecond: 20,
  async open() {
    const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-fuzz-'))
    const at = (name: string) => path.join(folder, name)
    await makeGood(at)
    return {
      scripts: fc.record({
        of: fc.constantFrom('file', 'log'),
        edits: fc.oneof(fc.constant<ByteEdit[]>([]), byteEdits),
        rows: fc.array(fc.record({ row: fc.nat({ max: 200 }), edits: valueEdits }), {
          maxLength: 2,
        }),
      }),
      async check({ of, edits, rows }) {
        for (const end of ['', '-wal', '-shm']) rmSync(at(`fuzzed${end}`), { force: true })
        copyFileSync(at('killed'), at('fuzzed'))
        copyFileSync(at('killed-wal'), at('fuzzed-wal'))
        if (rows.length > 0) changeRows(at('fuzzed'), rows)
        const name = at(of === 'file' ? 'fuzzed' : 'fuzzed-wal')
        // Closing a file merges its log.
        if (existsSync(name)) writeFileSync(name, edited(readFileSync(name), edits))
        await openAndClose(at('fuzzed'))
      },
      close: () => rmSync(folder, { recursive: true }),
    }
  },
})

const newRegistry = () =>
  new Registry(async () => fakeWorld(60), ['HL_TICKERS'], { clock: 'held' }, fixedClock)

/** Creates a file with sandboxes and keys, and its log, as a killed process leaves them. */
async function makeGood(at: (name: string) => string): Promise<void> {
  const store = openStateFile(at('good'))
  const registry = newRegistry()
  await registry.open(store)
  for (let made = 0; made < 5; made++) await registry.create()
  for (const { changes } of registry.list()) changes.commitProgress()
  copyFileSync(at('good'), at('killed'))
  copyFileSync(at('good-wal'), at('killed-wal'))
  registry.close()
  store.close()
}

function changeRows(file: string, rows: Script['rows']): void {
  const db = new Database(file)
  const found = db
    .query<{ place: number; value: string }, []>('select place, value from part')
    .all()
  for (const { row, edits } of rows) {
    const { place, value } = found[row % found.length] as (typeof found)[number]
    const text = JSON.stringify(changed(JSON.parse(value), edits))
    db.query('update part set value = ? where place = ?').run(text, place)
  }
  db.close()
}

async function openAndClose(file: string): Promise<void> {
  let store: ReturnType<typeof openStateFile> | undefined
  const registry = newRegistry()
  try {
    store = openStateFile(file)
    await registry.open(store)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
  } finally {
    registry.close()
    store?.close()
  }
}
