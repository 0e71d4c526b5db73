/** The size of the client in a page: with one group, all groups, and the schemas. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const KB = 1024
const ENTRY = path.join(PROJECT_FOLDER, 'src', 'entries', 'client.ts')
const GROUPS = 'coin, content, distributor, futures, index, indicator, mix, perpdex, signal, stock'
const temporary = temporaryFolder()

/** A page's program, and its compressed size. */
async function bundled(names: string, use = names) {
  const file = path.join(temporary('page'), 'page.ts')
  await Bun.write(file, `import { ${names} } from '${ENTRY}'\nglobalThis.used = [${use}]\n`)
  const { outputs } = await Bun.build({ entrypoints: [file], target: 'browser', minify: true })
  const text = (await outputs[0]?.text()) ?? ''
  return { text, bytes: Bun.gzipSync(text, { level: 9 }).length }
}

test.each([
  ['clientOf, coin', 14 * KB],
  ['clientOf, perpdex', 15 * KB],
  [`clientOf, ${GROUPS}`, 15.25 * KB],
  ['client', 40 * KB],
  [`client, LocalBook, contractChecker, strategySignals, completedTrades`, 40 * KB],
])('%s weighs at most %d bytes', async (names, most) => {
  const { bytes, text } = await bundled(names)
  expect(bytes).toBeGreaterThan(10 * KB)
  expect(bytes).toBeLessThanOrEqual(most)
  // It contains nothing of Node, and none of the contract's own declarations.
  expect(text).not.toMatch(/\bnode:|\bcreateRequire\b|\bprocess\.|x-meaning|TypeBox/)
})

test('a group that is not imported is not bundled', async () => {
  const { text } = await bundled('clientOf, coin')
  expect(text).toContain('/coin/ticker')
  expect(text).not.toContain('/hl/tickers')
  expect(text).not.toContain('patternProperties')
})
