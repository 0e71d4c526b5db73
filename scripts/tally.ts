/** What a step counted. Failures are kept by name, so that they can be listed at the end. */
export interface Tally {
  passed: number
  failed: string[]
  skipped: number
}

/**
 * Reads the JUnit report of `bun test`. A run that ends badly although no test did (a file that
 * could not be loaded, a crash, no report at all) counts as one failure.
 */
export function tallyOf(junit: string, exitCode: number): Tally {
  const tally: Tally = { passed: 0, failed: [], skipped: 0 }
  for (const [whole, attributes = '', , inside = ''] of junit.matchAll(TESTCASE)) {
    if (inside.includes('<failure') || inside.includes('<error')) tally.failed.push(nameIn(whole))
    else if (inside.includes('<skipped')) tally.skipped += 1
    else if (attributes !== '') tally.passed += 1
  }
  if (exitCode !== 0 && tally.failed.length === 0)
    tally.failed.push(`the test run itself (code ${exitCode})`)
  return tally
}

const TESTCASE = /<testcase\b([^>]*?)(\/>|>([\s\S]*?)<\/testcase>)/g

function nameIn(testcase: string): string {
  const file = attribute(testcase, 'file')
  return `${file === '' ? '' : `${file}: `}${attribute(testcase, 'name')}`
}

function attribute(tag: string, name: string): string {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
  return value.replace(/&(quot|apos|lt|gt|amp);/g, (_, entity: string) => ENTITIES[entity] ?? '')
}

const ENTITIES: Record<string, string> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' }
