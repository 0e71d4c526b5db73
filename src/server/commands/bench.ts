import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { hostClock } from '../../clock/system-clock.ts'
import { unknownText } from '../../contract/fields/nearest-name.ts'
import { PROJECT_FOLDER } from '../../platform/environment.ts'
import { UserError } from '../../platform/user-error.ts'
import type { BENCH } from './bench/declaration.ts'
import {
  type ComparedRatio,
  comparedRatios,
  historyText,
  isCertain,
  keptRatios,
  measuredRatios,
} from './bench/history.ts'
import {
  type BenchmarkResult,
  isOfThisMachine,
  machineClass,
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
const HISTORY = join(FOLDER, 'history.ndjson')

type Flags = Parameters<Run<typeof BENCH>>[0]['flags']

/** `tapewright bench`: measures the numbers of docs/performance.md on this machine. */
export const bench: Run<typeof BENCH> = async ({ flags, rest }) => {
  if (flags.keep && !flags.compare)
    throw new UserError('--keep keeps what --compare has measured: give both')
  if (flags.compare && flags.write)
    throw new UserError('--compare measures ratios, --write whole tables: give one of them')
  return flags.compare ? compare(rest, flags) : measure(rest, flags)
}

async function measure(requested: readonly string[], flags: Flags): Promise<number> {
  const names = selectBenchmarks(requested)
  const earlier = flags.write ? await earlierPage(requested.length > 0) : ''
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
    const kept = keptRatios(await history())
    const page = performancePage(results, earlier, allBenchmarks(), kept)
    await writeAtomically(PERFORMANCE_PAGE, page)
    writeLine(`tapewright: wrote ${relative(PROJECT_FOLDER, PERFORMANCE_PAGE)}`)
  }
  return code
}

/** Reads, pushes, a start, casting and an import: some minutes in all. */
const QUICK = ['signed-reads', 'fan-out', 'start-up', 'casting', 'import-tables']

async function compare(requested: readonly string[], flags: Flags): Promise<number> {
  const names = selectBenchmarks(requested.length > 0 ? requested : QUICK)
  const commit = flags.keep ? presentCommit() : ''
  const rounds: BenchmarkResult[] = []
  const failed = new Set<string>()
  for (let round = 1; round <= flags.rounds; round++) {
    const open = names.filter((name) => !failed.has(name) && !isCertain(name, rounds))
    if (open.length === 0) break
    for (const name of open) {
      writeLine(`tapewright: round ${round}, ${name}`)
      const { endedBadly, ...result } = await runBenchmark(name, join(FOLDER, `${name}.ts`))
      if (endedBadly) failed.add(name)
      else rounds.push(result)
    }
  }
  const measured = measuredRatios(rounds)
  const earlier = await history()
  const compared = comparedRatios(measured, keptRatios(earlier), machineClass())
  for (const one of compared) console.log(flags.json ? JSON.stringify(one) : comparedText(one))
  for (const name of failed) writeLine(`tapewright: ${name} failed, and is not compared`)
  const isWorse = compared.some(({ verdict }) => verdict === 'worse')
  if (flags.keep) {
    const machine = machineClass()
    await writeAtomically(HISTORY, historyText(earlier, measured, { commit, machine }))
    writeLine(`tapewright: wrote ${relative(PROJECT_FOLDER, HISTORY)}`)
  }
  return isWorse || failed.size > 0 ? 1 : 0
}

function comparedText({ now, kept, gain, verdict }: ComparedRatio): string {
  const of = `${verdict.padEnd(9)} ${now.name}: ratio ${now.ratio.toFixed(2)}`
  const error = `± ${(200 * now.spread).toFixed(0)} % in ${now.rounds} rounds`
  if (kept === null || gain === null) return `${of} ${error}, none was kept before`
  const change = `${gain < 0 ? '' : '+'}${(100 * gain).toFixed(0)} %`
  return `${of} ${error}, ${change} against ${kept.ratio.toFixed(2)} at ${kept.commit}`
}

const history = async () => ((await Bun.file(HISTORY).exists()) ? Bun.file(HISTORY).text() : '')

/** The checked out commit, marked where files differ from it. */
function presentCommit(): string {
  const words = ['describe', '--always', '--dirty', '--exclude', '*', '--abbrev=8']
  const { exitCode, stdout } = Bun.spawnSync(['git', ...words], { cwd: PROJECT_FOLDER })
  if (exitCode !== 0)
    throw new UserError('--keep names the commit that was measured: run it in a checkout with git')
  return stdout.toString().trim()
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
