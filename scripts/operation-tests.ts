/** Which tests read the lists of the contract: those that an added operation can break. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './install.ts'

/** The list of operations, and the cases that are made of it. */
const LISTS = /\/src\/(contract\/index|conformance\/derived)\.ts$/

const SRC = path.join(ROOT, 'src')
/** Some documents are made of the list, others draw what they are given. */
const DOCUMENTS = path.join(SRC, 'specs')

/**
 * Tests below `test/` that read them, and why an added operation cannot break them even so, or
 * which quicker ones it breaks as well: the whole of them is for `bun run test`.
 */
export const UNTOUCHED: Readonly<Record<string, string>> = {
  'http/perpdex-accounts': 'it names its operations',
  'http/perpdex-market': 'it names its operations',
  'world/trader-search-options': 'it names its operations',
  'control/market-event-effects': 'it names its operations',
  'control/market-event-script': '`grown-world` asks every operation while a market goes on',
  'world/market-lines': '`grown-world` asks every operation while a market goes on',
  'world/cut-worlds': '`grown-world` shows that no operation reads what is later than now',
  'world/listed-coin': '`grown-world` shows that no operation reads what is later than now',
  'world/wasm-database': '`every-operation` asks the same queries, of the other SQLite',
  'control/scenarios/listing': '`grown-world` shows that no operation reads what is later than now',
  'conformance/suite':
    'its cases of an operation are made of what `every-operation`, `caps`, `derived-errors` and ' +
    '`random-input` hold it to',
  'conformance/deviations': 'it names deviations and the cases that must fail',
  'conformance/suite-over-port': 'the same cases hold, in `conformance/suite`',
  'msw/suite': 'the same cases hold, in `conformance/suite`',
  'endurance/fuzz': '`random-input` gives every operation what nobody expects',
  'generators/generators': '`api-documents` looks at the documents that they read',
  'pages/browser-pages': 'a browser draws what `api-documents` and `generated-documents` look at',
  'pages/tried-out': 'it names its operations',
  'pages/accessibility': 'pages of one operation are all made alike',
  'pages/page-responses': 'pages of one operation are all made alike',
  'pages/pocket-conformance': 'the same cases hold, in `conformance/suite`',
  'pages/console-demo': 'the console names its operations',
  'pages/console-drive': 'the console names its operations',
  'pages/console-market': 'the console names its operations',
  'pages/console-sandboxes': 'the console names its operations',
  'pages/console-shell': 'the console names its operations',
  'pages/console-tools': 'the console names its operations',
}

/** Paths of the test files in `test/` that an added operation can break. */
export async function operationTests(): Promise<string[]> {
  return (await operationListReaders()).filter((file) => !(testName(file) in UNTOUCHED))
}

/** What a test file is called here: its path below `test/`. */
export const testName = (file: string) => file.slice('./test/'.length, -'.test.ts'.length)

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
    (one) =>
      LISTS.test(one) ||
      ((!one.startsWith(SRC) || one.startsWith(DOCUMENTS)) && readsLists(one, seen)),
  )
}

function importsOf(file: string): string[] {
  const { imports } = new Bun.Transpiler({ loader: 'ts' }).scan(readFileSync(file, 'utf8'))
  const near = imports.filter(({ path: from }) => from.startsWith('.') && from.endsWith('.ts'))
  return near.map(({ path: from }) => path.resolve(path.dirname(file), from))
}
