import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { UserError } from '../user-error.ts'
import { runBenchmark } from './bench/benchmark-run.ts'
import {
  type BenchmarkResult,
  performancePage,
  table,
  writeAtomically,
} from './bench/performance-page.ts'
import type { Command } from './command.ts'
import { PROJECT_FOLDER } from './environment.ts'
import { parseCommandLine } from './flags.ts'

const FOLDER = join(PROJECT_FOLDER, 'bench')
const PERFORMANCE_PAGE = join(PROJECT_FOLDER, 'docs', 'performance.md')

const USAGE = `tapewright bench [name…] [options]

Runs the benchmarks of bench/, each in a process of its own, one after the other. What cannot be
measured says so in its row; the code is 1 when a benchmark ended badly.

  --json    one line of JSON for each row instead of tables
  --write   writes docs/performance.md from this run (all benchmarks only)`

/** `tapewright bench`: the numbers of docs/performance.md, measured on this machine. */
export const bench: Command = {
  name: 'bench',
  summary: 'run the benchmarks that docs/performance.md shows',
  usage: USAGE,
  async run(args) {
    const { flags, rest } = parseCommandLine('bench', args, FLAGS)
    const names = selectBenchmarks(rest)
    if (flags.write && rest.length > 0)
      throw new UserError('--write describes a run of all benchmarks, leave the names out')
    const results: BenchmarkResult[] = []
    let code = 0
    for (const name of names) {
      const result = await runBenchmark(name, join(FOLDER, `${name}.ts`))
      results.push(result)
      if (result.endedBadly) code = 1
      if (flags.json) for (const row of result.rows) console.log(JSON.stringify(row))
      else console.log(`${name}\n\n${table(result.rows)}\n`)
    }
    if (flags.write) await writeAtomically(PERFORMANCE_PAGE, performancePage(results))
    if (flags.write)
      console.error(`tapewright: wrote ${relative(PROJECT_FOLDER, PERFORMANCE_PAGE)}`)
    return code
  },
}

const FLAGS = {
  json: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
} as const

/** The names asked for, or all. */
function selectBenchmarks(requested: string[]): string[] {
  if (!existsSync(FOLDER))
    throw new UserError('benchmarks are not in the package: run `bun run bench` in a checkout')
  const all = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()
  for (const name of requested)
    if (!all.includes(name))
      throw new UserError(`there is no benchmark "${name}", there are: ${all.join(', ')}`)
  return requested.length > 0 ? requested : all
}
