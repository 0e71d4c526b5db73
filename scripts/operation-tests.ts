/** Which tests read the lists of the contract: those that an added operation can break. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './install.ts'

/** What is derived from the list of operations, and what they are told apart by. */
const LISTS = /\/src\/(contract\/index|specs\/[\w-]+|conformance\/derived)\.ts$/

const SRC = path.join(ROOT, 'src')

/** Files that read them, and why an added operation cannot break them all the same. */
export const UNTOUCHED: Readonly<Record<string, string>> = {
  'perpdex-accounts': 'it names its operations',
  'perpdex-market': 'it names its operations',
  'trader-search-options': 'it names its operations',
  mutants: 'it names the cases that must fail',
  'suite-over-port': 'the same cases hold, in `suite`',
  'browser-pages': 'a browser draws what `api-documents` and `generated-documents` look at',
  'tried-out': 'it names its operations',
  accessibility: 'pages of one operation are all made alike',
  'page-responses': 'pages of one operation are all made alike',
}

/** Paths of the test files in `test/` that an added operation can break. */
export async function operationTests(): Promise<string[]> {
  return (await operationListReaders()).filter(
    (file) => !(path.basename(file, '.test.ts') in UNTOUCHED),
  )
}

/** Paths of the test files in `test/` that read the lists, themselves or by what they import. */
export async function operationListReaders(): Promise<string[]> {
  const found: string[] = []
  for await (const file of new Bun.Glob('test/**/*.test.ts').scan(ROOT))
    if (readsLists(path.join(ROOT, file), new Set())) found.push(`./${file}`)
  return found.sort()
}

function readsLists(file: string, seen: Set<string>): boolean {
  if (seen.has(file)) return false
  seen.add(file)
  return importsOf(file).some(
    (one) => LISTS.test(one) || (!one.startsWith(SRC) && readsLists(one, seen)),
  )
}

function importsOf(file: string): string[] {
  const { imports } = new Bun.Transpiler({ loader: 'ts' }).scan(readFileSync(file, 'utf8'))
  const near = imports.filter(({ path: from }) => from.startsWith('.') && from.endsWith('.ts'))
  return near.map(({ path: from }) => path.resolve(path.dirname(file), from))
}
