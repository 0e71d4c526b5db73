import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { castWorld } from '../../src/market/casting/cast-world.ts'
import { RowWriter } from '../../src/market/casting/writing/row-writer.ts'
import { WorkerRowSink } from '../../src/market/casting/writing/worker-row-sink.ts'
import { tableLayouts } from '../../src/market/schema/statements.ts'
import { UserError } from '../../src/platform/user-error.ts'
import { handWrittenTape } from '../fixtures/hand-written-tape.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { rowDigests } from '../fixtures/rows-digest.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-rows-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a separate thread writes the same rows', async () => {
  const file = path.join(folder, 'world.sqlite')
  const [here, there] = [new Database(':memory:'), new WorkerRowSink(file)]
  await castWorld(handWrittenTape(), '1', new RowWriter(here, tableLayouts()))
  await castWorld(handWrittenTape(), '1', there)
  there.close()
  const written = new Database(file, { readonly: true })
  expect(rowDigests(written)).toEqual(rowDigests(here))
  const text = "select sql from sqlite_master where type = 'index' order by name"
  expect(written.query(text).values()).toEqual(here.query(text).values())
})

test('errors of the thread are a UserError, not silence', async () => {
  const rows = new WorkerRowSink(path.join(folder, 'nowhere', 'world.sqlite'))
  const failed = await castWorld(handWrittenTape(), '1', rows).catch((error) => error)
  rows.close()
  expect(failed).toBeInstanceOf(UserError)
  expect(failed.message).toContain('cannot write the world (unable to open database file)')
})

test('the thread loads no package: on a fresh clone they are only just installed', () => {
  const transpiler = new Bun.Transpiler({ loader: 'ts' })
  const seen = new Set<string>()
  const packages: string[] = []
  const visit = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    for (const { path: name } of transpiler.scanImports(readFileSync(file, 'utf8'))) {
      if (name.startsWith('.')) visit(path.join(path.dirname(file), name))
      else if (!/^(bun|node):/.test(name)) packages.push(`${file} imports ${name}`)
    }
  }
  visit(path.join(PROJECT_FOLDER, 'src/market/casting/writing/row-worker.ts'))
  expect(packages).toEqual([])
  expect(seen.size).toBeGreaterThan(2)
})
