import { rename } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import packageJson from '../../../../package.json' with { type: 'json' }
import { historySection, type KeptRatio } from './history.ts'

/** A measured number. */
export interface BenchmarkRow {
  name: string
  value: number
  unit: string
  /** The same work done in the barest way on the same machine, in the same unit; null for none. */
  baseline: number | null
  /** value / baseline. */
  ratio: number | null
}

/** A number that could not be measured, with the reason; it has a row like the others. */
export interface Unmeasured {
  name: string
  why: string
}

/** The results of one file of bench/. */
export interface BenchmarkResult {
  name: string
  rows: (BenchmarkRow | Unmeasured)[]
}

/**
 * The whole of docs/performance.md: the machine, then a table for each benchmark. Results of an
 * earlier page are kept for benchmarks that still exist and were not run. The kept ratios follow.
 */
export function performancePage(
  results: readonly BenchmarkResult[],
  earlier = '',
  names: readonly string[] = results.map(({ name }) => name),
  kept: readonly KeptRatio[] = [],
): string {
  const sections = sectionsOf(earlier)
  for (const { name, rows } of results) sections.set(title(name), table(rows))
  const tables = [...names].sort().flatMap((name) => {
    const section = sections.get(title(name))
    return section === undefined ? [] : [`## ${title(name)}\n\n${section}`]
  })
  const history = kept.length === 0 ? [] : [`${HISTORY}\n\n${historySection(kept)}`]
  return `${[INTRODUCTION, machineText(), ...tables, ...history].join('\n\n')}\n`
}

const HISTORY = `## Over time

Ratios kept by \`bun run bench --compare --keep\` in bench/history.ndjson: medians of several
rounds.`

/** Whether a page was measured on this machine and version. */
export const isOfThisMachine = (page: string): boolean => page.includes(`\n${machineText()}\n`)

function sectionsOf(page: string): Map<string, string> {
  const [, ...parts] = page.split('\n## ')
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n')
      return [part.slice(0, end), part.slice(end).trim()]
    }),
  )
}

const INTRODUCTION = `# Performance

Written by \`bun run bench --write\`, not by hand; benchmarks that take long are run by name.
Each value is the median of several runs in a process of its own. The *baseline* is the barest way
to do the same work on the same machine; *ratio* is value / baseline, and that is what to compare
between machines.
What an hour of use does to memory, handles and waits stands in [endurance.md](endurance.md).`

/** Rows as a Markdown table, aligned for reading as plain text. */
export function table(rows: BenchmarkResult['rows']): string {
  const cells = [
    ['', 'value', 'baseline', 'ratio', 'unit'],
    ...rows.map((row) => ('why' in row ? [row.name, '', '', '', unmeasured(row)] : cellsOf(row))),
  ]
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)),
  )
  const isNumber = (column: number) => column >= 1 && column <= 3
  const lines = cells.map((row) =>
    row.map((cell, column) =>
      isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    ),
  )
  const rule = widths.map((width, column) =>
    isNumber(column) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  )
  lines.splice(1, 0, rule)
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

const cellsOf = (row: BenchmarkRow) => [
  row.name,
  numberText(row.value),
  row.baseline === null ? '' : numberText(row.baseline),
  row.ratio === null ? '' : row.ratio.toFixed(2),
  row.unit,
]

const unmeasured = ({ why }: Unmeasured) => `not measured: ${why}`

/** Writes a file under a temporary name beside it, then renames: a reader never sees half of it. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const draft = `${path}.tmp`
  await Bun.write(draft, text)
  await rename(draft, path)
}

function machineText(): string {
  return `Tapewright ${packageJson.version} on Bun ${Bun.version}, ${machineClass()}.`
}

/** The system, the processors and the memory of this machine. */
export function machineClass(): string {
  const processors = cpus()
  const model = processors[0]?.model.trim() || process.arch
  const memoryGb = Math.round(totalmem() / 2 ** 30)
  const system = `${process.platform} ${process.arch}`
  return `${system}: ${processors.length} x ${model}, ${memoryGb} GiB of memory`
}

/** A number with three significant digits and separated thousands. */
function numberText(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 4
  return value.toLocaleString('en-US', { maximumFractionDigits: digits })
}

function title(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')
}
