/** What a step counted. */
export interface Tally {
  passed: number
  failed: Failure[]
  skipped: number
  /** How long each test file took. */
  files?: FileTime[]
}

export interface Failure {
  /** The file and the test with the groups that it stands in, or the step. */
  name: string
  /** What was expected and what came, or what the step printed. */
  says: string
}

export interface FileTime {
  file: string
  seconds: number
}

/**
 * Reads the JUnit report of `bun test` and what it printed. A run that ends badly although no test
 * did (a crash, no report at all) counts as one failure.
 */
export function tallyOf(junit: string, printed: string, exitCode: number): Tally {
  const tally: Tally = { passed: 0, failed: outsideTests(printed), skipped: 0, files: [] }
  for (const [whole, attributes = '', , inside = ''] of junit.matchAll(TESTCASE)) {
    if (/<(failure|error)/.test(inside)) tally.failed.push(failureIn(whole, inside))
    else if (inside.includes('<skipped')) tally.skipped += 1
    else if (attributes !== '') tally.passed += 1
  }
  for (const [tag] of junit.matchAll(FILE_SUITE))
    tally.files?.push({ file: attribute(tag, 'file'), seconds: Number(attribute(tag, 'time')) })
  if (exitCode !== 0 && tally.failed.length === 0)
    tally.failed.push({
      name: `the test run itself (code ${exitCode})`,
      says: printed.slice(-4000),
    })
  return tally
}

const TESTCASE = /<testcase\b([^>]*?)(\/>|>([\s\S]*?)<\/testcase>)/g
/** Groups inside of a file are indented further. */
const FILE_SUITE = /^ {2}<testsuite\b[^>]*>/gm

/** Files that could not be loaded: they stand in what is printed, but not in the report. */
function outsideTests(printed: string): Failure[] {
  const failures: Failure[] = []
  let file = ''
  for (const part of printed.split(/^(?=\S+\.test\.ts:$)/m)) {
    file = /^(\S+\.test\.ts):\n/.exec(part)?.[1] ?? file
    for (const [, says = ''] of part.matchAll(UNHANDLED))
      failures.push({ name: `${file}: outside of its tests`, says: says.trim() })
  }
  return failures
}

const UNHANDLED = /^# Unhandled error between tests\n-+\n([\s\S]*?)\n-{10,}$/gm

function failureIn(testcase: string, inside: string): Failure {
  const file = attribute(testcase, 'file')
  // Bun lists the innermost group first.
  const groups = attribute(testcase, 'classname').split(' > ').filter(Boolean).reverse()
  const test = [...groups, attribute(testcase, 'name')].join(' > ')
  const text = /<(?:failure|error)\b[^>]*>([\s\S]*?)<\/(?:failure|error)>/.exec(inside)?.[1]
  const says = text === undefined ? attribute(inside, 'message') : plain(text)
  return { name: `${file === '' ? '' : `${file}: `}${test}`, says: says.trim() }
}

function attribute(tag: string, name: string): string {
  return plain(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
}

function plain(text: string): string {
  return text.replace(/&(quot|apos|lt|gt|amp|#10);/g, (_, name: string) => ENTITIES[name] ?? '')
}

const ENTITIES: Record<string, string> = {
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  amp: '&',
  '#10': '\n',
}
