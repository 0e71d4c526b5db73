import { afterAll } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A folder of its own for the files of one test file, gone when its tests are over. */
export function scratch(): (name: string) => string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return (name) => path.join(folder, name)
}
