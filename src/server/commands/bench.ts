import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { hostClock } from '../../clock/system-clock.ts'
import { unknownText } from '../../contract/fields/nearest-name.ts'
import { PROJECT_FOLDER } from '../../platform/environment.ts'
import { UserError } from '../../platform/user-error.ts'
import type { BENCH } from './bench/declaration.ts'
import {
  type BenchmarkResult,
  isOfThisMachine,
  performancePage,
  table,
  writeAtomically,
} from './bench/performance-page.ts'
import type { Run } from './command.ts'
import { writeLine } from './terminal.ts'

/**
 * Runs a benchmark: a program that prints one row as JSON a line (bench/measure/result-row.ts). The
 * rows of a failed one are kept, and a row says that the rest is missing.
 */
export async function runBenchmark(
  name: string,
  program: string,
): Promise<BenchmarkResult & { endedBadly: boolean }> {
  const child = Bun.spawn([process.execPath, program], {
    cwd: PROJECT_FOLDER,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines = (await new Response(child.stdout).text()).split('\n').filter(Boolean)
  const code = await child.exited
  const rows: BenchmarkResult['rows'] = lines.map((line) => JSON.parse(line))
  if (code !== 0) rows.push({ name: `the rest of ${name}`, why: `it ended with code ${code}` })
  return { name, rows, endedBadly: code !== 0 }
}

const FOLDER = join(PROJECT_FOLDER, 'bench')
const PERFORMANCE_PAGE = join(PROJECT_FOLDER, 'docs', 'performance.md')

/** `tapewright bench`: measures the numbers of docs/performance.md on this machine. */
export const bench: Run<typeof BENCH> = async ({ flags, rest }) => {
  const names = selectBenchmarks(rest)
  const earlier = flags.write ? await earlierPage(rest.length > 0) : ''
  const results: BenchmarkResult[] = []
  let code = 0
  for (const name of names) {
    const startMs = hostClock.monotonicMs()
    const result = await runBenchmark(name, join(FOLDER, `${name}.ts`))
    const tookS = Math.round((hostClock.monotonicMs() - startMs) / 1000)
    results.push(result)
    if (result.endedBadly) code = 1
    if (flags.json) for (const row of result.rows) console.log(JSON.stringify(row))
    else console.log(`${name}, in ${tookS} s\n\n${table(result.rows)}\n`)
  }
  if (flags.write) {
    await writeAtomically(PERFORMANCE_PAGE, performancePage(results, earlier, allBenchmarks()))
    writeLine(`tapewright: wrote ${relative(PROJECT_FOLDER, PERFORMANCE_PAGE)}`)
  }
  return code
}

/** Benchmarks of ten minutes and gigabytes, which run by name only. */
const BY_NAME_ONLY = ['longest-tape']

/** The present page, of which a part is measured anew. */
async function earlierPage(isPart: boolean): Promise<string> {
  const earlier = existsSync(PERFORMANCE_PAGE) ? await Bun.file(PERFORMANCE_PAGE).text() : ''
  if (isOfThisMachine(earlier)) return earlier
  if (!isPart) return ''
  throw new UserError(
    'docs/performance.md was measured on another machine: to write it, leave the names out',
  )
}

function allBenchmarks(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()
}

/** The named benchmarks, or all but the longest. */
function selectBenchmarks(requested: readonly string[]): readonly string[] {
  if (!existsSync(FOLDER))
    throw new UserError('benchmarks are not in the package: run `bun run bench` in a checkout')
  const all = allBenchmarks()
  for (const name of requested)
    if (!all.includes(name)) throw new UserError(unknownText('benchmark', name, all))
  return requested.length > 0 ? requested : all.filter((name) => !BY_NAME_ONLY.includes(name))
}
