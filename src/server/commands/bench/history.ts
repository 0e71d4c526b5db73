/**
 * Ratios of benchmarks over time: those of a run, those kept in bench/history.ndjson, and which of
 * the first are worse than the second.
 */
import type { BenchmarkResult } from './performance-page.ts'

/** The ratio of one row, from several rounds. */
export interface MeasuredRatio {
  benchmark: string
  name: string
  unit: string
  /** The median of the rounds. */
  ratio: number
  /** The standard error of that median, as a share of it. */
  spread: number
  rounds: number
}

/** A line of bench/history.ndjson. */
export interface KeptRatio extends MeasuredRatio {
  commit: string
  /** The class of the machine, as in docs/performance.md. */
  machine: string
}

export interface ComparedRatio {
  now: MeasuredRatio
  /** The last kept one of this machine class, else of any; null for a row that is new. */
  kept: KeptRatio | null
  /** Improvement (positive) or deterioration, as a share; null without a kept one. */
  gain: number | null
  verdict: 'better' | 'same' | 'worse' | 'uncertain' | 'new'
}

/** The smallest change that counts, as a share. */
const CHANGE_LEAST = 0.1
/** The same against a ratio of another machine class, whose processor may favour the baseline. */
const CHANGE_LEAST_ELSEWHERE = 0.3
/** A median is certain when twice its error is below half of that change. */
const ERROR_MOST = CHANGE_LEAST / 4
const ROUNDS_LEAST = 3

/** The ratios of the rows that have a baseline, over all rounds of their benchmark. */
export function measuredRatios(rounds: readonly BenchmarkResult[]): MeasuredRatio[] {
  const found = new Map<string, { benchmark: string; unit: string; ratios: number[] }>()
  for (const { name: benchmark, rows } of rounds)
    for (const row of rows) {
      if ('why' in row || row.ratio === null) continue
      const of = found.get(row.name) ?? { benchmark, unit: row.unit, ratios: [] }
      of.ratios.push(row.ratio)
      found.set(row.name, of)
    }
  return [...found].map(([name, { benchmark, unit, ratios }]) => {
    const ratio = median(ratios)
    const deviation = 1.4826 * median(ratios.map((one) => Math.abs(one - ratio)))
    const spread = (1.2533 * deviation) / Math.sqrt(ratios.length) / ratio
    return { benchmark, name, unit, ratio, spread, rounds: ratios.length }
  })
}

/** Whether a benchmark has had enough rounds to tell a change of a tenth in each of its rows. */
export function isCertain(benchmark: string, rounds: readonly BenchmarkResult[]): boolean {
  const own = rounds.filter(({ name }) => name === benchmark)
  return own.length >= ROUNDS_LEAST && measuredRatios(own).every(({ spread }) => isNarrow(spread))
}

/** Each measured ratio against the last one kept of its row. */
export function comparedRatios(
  measured: readonly MeasuredRatio[],
  kept: readonly KeptRatio[],
  machine: string,
): ComparedRatio[] {
  return measured.map((now) => {
    const earlier = kept.filter(({ name }) => name === now.name)
    const last = earlier.findLast((one) => one.machine === machine) ?? earlier.at(-1) ?? null
    if (last === null) return { now, kept: null, gain: null, verdict: 'new' }
    const gain = isMoreBetter(now.unit) ? now.ratio / last.ratio - 1 : last.ratio / now.ratio - 1
    const error = 2 * Math.hypot(now.spread, last.spread)
    const least = last.machine === machine ? CHANGE_LEAST : CHANGE_LEAST_ELSEWHERE
    const isChange = Math.abs(gain) > least
    const verdict = !isChange
      ? 'same'
      : !isNarrow(now.spread) && Math.abs(gain) < least + error
        ? 'uncertain'
        : gain > 0
          ? 'better'
          : 'worse'
    return { now, kept: last, gain, verdict }
  })
}

const isNarrow = (spread: number) => spread <= ERROR_MOST

/** Rates are better when they are higher; times, sizes and the like when they are lower. */
const isMoreBetter = (unit: string) => /\/s$|real time$|^% of a core$/.test(unit)

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}

/** The lines of bench/history.ndjson. */
export const keptRatios = (text: string): KeptRatio[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as KeptRatio)

/** The file with a run's ratios behind those that are there. */
export function historyText(
  earlier: string,
  measured: readonly MeasuredRatio[],
  of: Pick<KeptRatio, 'commit' | 'machine'>,
): string {
  const rounded = (value: number) => Number(value.toPrecision(4))
  const lines = measured.map(({ benchmark, name, unit, ratio, spread, rounds }) =>
    JSON.stringify({
      ...of,
      ...{ benchmark, name, unit },
      ...{ ratio: rounded(ratio), spread: rounded(spread), rounds },
    } satisfies KeptRatio),
  )
  return `${earlier}${lines.join('\n')}\n`
}

const RULE = '| --- | --: | --: | --: | --: | --- |'
const CURVE = '▁▂▃▄▅▆▇█'

/**
 * The kept ratios of each row as a Markdown section: the first, the best and the last, and a curve
 * of all from the lowest to the highest. One machine class a table.
 */
export function historySection(kept: readonly KeptRatio[]): string {
  const machines = [...new Set(kept.map(({ machine }) => machine))]
  const tables = machines.map((machine) => {
    const own = kept.filter((one) => one.machine === machine)
    const names = [...new Set(own.map(({ name }) => name))]
    const rows = names.map((name) => curveRow(own.filter((one) => one.name === name)))
    return [`${machine}\n`, '| | runs | first | best | last | curve |', RULE, ...rows].join('\n')
  })
  return tables.join('\n\n')
}

function curveRow(kept: readonly KeptRatio[]): string {
  const ratios = kept.map(({ ratio }) => ratio)
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)]
  const best = isMoreBetter(kept[0]?.unit ?? '') ? most : least
  const height = (ratio: number) =>
    most === least ? 0 : Math.round(((ratio - least) / (most - least)) * (CURVE.length - 1))
  const cells = [
    kept[0]?.name ?? '',
    String(kept.length),
    ...[ratios[0], best, ratios.at(-1)].map((ratio) => (ratio ?? 0).toFixed(2)),
    ratios.map((ratio) => CURVE[height(ratio)]).join(''),
  ]
  return `| ${cells.join(' | ')} |`
}
