/** A damaged grown market in the cache is grown again, identically. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { tapeMs } from '../../src/clock/instant.ts'
import { differingTables } from '../fixtures/grown-world.ts'
import { lineRegistry, smallLine } from '../fixtures/small-line.ts'

const MINUTE_MS = 60_000
const removals: (() => void)[] = []
afterAll(() => {
  for (const remove of removals) remove()
})

/** A line in a folder, grown to three minutes after the tape. */
async function shownIn(folder?: string) {
  const line = await smallLine(undefined, folder)
  removals.push(line.remove)
  const { registry, sandbox } = await lineRegistry(line, { epoch: 'tape' })
  await sandbox.clock.advance(3 * MINUTE_MS)
  const endMs = line.tapeEndMs + 3 * MINUTE_MS
  expect(sandbox.position().atMs).toBe(tapeMs(endMs))
  registry.close()
  return { cacheDir: line.cacheDir, logged: line.logged }
}

/** The file of the only line in a folder. */
function fileIn(folder: string): string {
  const files = readdirSync(folder).filter((one) => /^grown-.*\.sqlite$/.test(one))
  expect(files).toHaveLength(1)
  return path.join(folder, files[0] as string)
}

let whole: Awaited<ReturnType<typeof shownIn>>
beforeAll(async () => {
  whole = await shownIn()
})

const DAMAGES: Readonly<Record<string, (file: string) => void>> = {
  'that is empty': (file) => truncateSync(file, 0),
  'that was cut off': (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
  'of something else': (file) => writeFileSync(file, 'hello world '.repeat(5_000)),
  'with pages of zeros': (file) => {
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(0, PAGE_BYTES))
  },
}

const PAGE_BYTES = 4_096

for (const [name, damage] of Object.entries(DAMAGES))
  test(`a file ${name} is grown again`, async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-lines-'))
    cpSync(whole.cacheDir, folder, { recursive: true })
    const file = fileIn(folder)
    for (const part of ['-wal', '-shm']) rmSync(file + part, { force: true })
    damage(file)
    const again = await shownIn(folder)
    expect(again.logged).toEqual([
      expect.stringMatching(/^the market of small is grown again: its file is damaged \(.+\)$/),
    ])
    expect(differingTables(fileIn(folder), fileIn(whole.cacheDir))).toEqual([])
  })
