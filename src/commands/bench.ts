import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { Complaint } from '../complaint.ts'
import { measured } from './bench/measured.ts'
import { performancePage, type Result, table, writeWhole } from './bench/page.ts'
import type { Command } from './command.ts'
import { HOME } from './environment.ts'

const FOLDER = join(HOME, 'bench')
const PAGE = join(HOME, 'docs', 'performance.md')

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
    const { values, positionals } = read(args)
    const names = chosen(positionals)
    if (values.write && positionals.length > 0)
      throw new Complaint('--write describes a run of all benchmarks, leave the names out')
    const results: Result[] = []
    let code = 0
    for (const name of names) {
      const result = await measured(name, join(FOLDER, `${name}.ts`))
      results.push(result)
      if (result.endedBadly) code = 1
      if (values.json) for (const row of result.rows) console.log(JSON.stringify(row))
      else console.log(`${name}\n\n${table(result.rows)}\n`)
    }
    if (values.write) await writeWhole(PAGE, performancePage(results))
    if (values.write) console.error(`tapewright: wrote ${relative(HOME, PAGE)}`)
    return code
  },
}

function read(args: string[]) {
  const options = {
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  } as const
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const [first] = (error as Error).message.split('. ')
    throw new Complaint(`${first}; the flags are --json, --write`)
  }
}

/** The names asked for, or all. */
function chosen(asked: string[]): string[] {
  const all = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()
  for (const name of asked)
    if (!all.includes(name))
      throw new Complaint(`there is no benchmark "${name}", there are: ${all.join(', ')}`)
  return asked.length > 0 ? asked : all
}
