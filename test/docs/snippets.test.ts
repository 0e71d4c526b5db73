/** Every snippet of the documents is run, and TypeScript is compiled. */
import { afterAll, expect, test } from 'bun:test'
import { copyFileSync, existsSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { codeBlocks, isShown, pagePaths, runBlocks } from './code-blocks.ts'
import { Workplace } from './workplace.ts'

const blocks = (await Promise.all(pagePaths().map(codeBlocks))).flat()
const snippets = runBlocks(blocks).filter(({ language }) => ['ts', 'js'].includes(language))
const typed = snippets.filter(({ language }) => language === 'ts')

/** Of the compiler, with paths relative to it. */
const CACHE = path.join(PROJECT_FOLDER, '.cache')
const KNOWN = 'types-of-snippets.tsbuildinfo'

const places: Workplace[] = []
afterAll(() => Promise.all(places.map((one) => one.close())))

function workplace(): Workplace {
  const made = new Workplace()
  places.push(made)
  return made
}

/** Imports of the project's own files, as in an operation's test. */
const inProject = (text: string) =>
  text.replaceAll(/(?<=from ')\.[^']+/g, (relative) =>
    path.join(PROJECT_FOLDER, 'test', 'http', relative),
  )

test('the TypeScript of the documents compiles', async () => {
  const place = workplace()
  for (const [n, { text }] of typed.entries())
    await place.write(`snippet-${n}.ts`, `${inProject(text)}\nexport {}\n`)
  const compiler = path.join(PROJECT_FOLDER, 'node_modules', 'typescript', 'bin', 'tsc')
  // What the test command has just found in the sources is not found again.
  const [found, known] = [path.join(CACHE, 'types.tsbuildinfo'), path.join(CACHE, KNOWN)]
  if (existsSync(found)) copyFileSync(found, known)
  const incremental = ['--incremental', '--tsBuildInfoFile', known]
  const { printed } = await place.run([process.execPath, compiler, '-p', '.', ...incremental])
  const named = printed.replaceAll(/^snippet-(\d+)\.ts/gm, (_, n) => typed[Number(n)]?.at ?? '')
  expect(named).toBe('')
})

test.each(snippets)('the snippet at $at runs', async ({ language, text, output, until }) => {
  const place = workplace()
  const isTest = text.includes("from 'bun:test'")
  const name = `snippet${isTest ? '.test' : ''}.${language}`
  const file = await place.write(name, inProject(text))
  const command = isTest ? [process.execPath, 'test', file] : [process.execPath, file]
  const { code, printed, complaints } = await place.run(command, until)
  expect([code, isTest ? '' : complaints]).toEqual([0, ''])
  if (output !== undefined && !isShown(output, printed)) expect(printed).toBe(output)
  await place.close()
})
