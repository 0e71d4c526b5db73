/** docs/realism.md: every figure of every market, and the pictures. */
import type { Column } from './column.ts'
import {
  type Comparison,
  comparisonsOf,
  moodFlaws,
  type Percentiles,
  realOf,
  type WorldSpans,
} from './continuity.ts'
import { CRASH_FIGURES } from './crash.ts'
import { FIGURE_GROUPS } from './figures/all-figures.ts'
import { type Figure, isWithin, type Range } from './figures/figure.ts'
import { type SecondLook, secondLookOf } from './second-look.ts'
import { SOURCES } from './sources.ts'

/** A picture beside the page. */
export interface Picture {
  /** Path from the page. */
  file: string
  about: string
}

/** Contents of the page. */
export interface PageContent {
  /** Our worlds, the default one first. */
  worlds: readonly Column[]
  /** The world of a real recording, and real data; null where none was ever measured. */
  recordedWorld: Column | null
  recorded: Column | null
  pictures: readonly Picture[]
  /** Spans of worlds before and after their tapes; null where none was ever measured. */
  spans: { days: number; worlds: readonly WorldSpans[] } | null
  /** Figures of the published crash by title; null where it was never played. */
  crash: Readonly<Record<string, number | null>> | null
}

/** The page in Markdown. */
export function pageOf({
  worlds,
  recordedWorld,
  recorded,
  pictures,
  spans,
  crash,
}: PageContent): string {
  const columns = [recorded, ...worlds, recordedWorld].filter((column) => column !== null)
  return [
    INTRODUCTION,
    ...secondLookLines(
      secondLookOf({ world: worlds[0], spans: spans?.worlds ?? [], crash: crash ?? {} }),
    ),
    ...FIGURE_GROUPS.flatMap(({ title, figures }) => [
      `## ${title}\n`,
      `${tableOf(figures, columns)}\n`,
    ]),
    REASONS,
    '## A minute of BTC, at the same hour of day\n',
    `${seamTable([...worlds, recordedWorld].filter((column) => column !== null))}\n`,
    ...(spans === null ? [] : continuityOf(spans)),
    ...(crash === null ? [] : crashOf(crash)),
    '## Sources\n',
    `${Object.entries(SOURCES)
      .map(([letter, text]) => `- ${letter}: ${text}`)
      .join('\n')}\n`,
    '## Pictures\n',
    ...pictures.map(({ file, about }) => `![${about}](${file})\n`),
  ].join('\n')
}

const INTRODUCTION = `# How real the market looks

What a client sees of a world, beside real markets. All of it is read through the queries that
operations ask, and measured by the same code (\`bench/realism/figures\`) whether it is ours or
recorded.

<!-- not run: it casts several worlds, and writes this page -->
\`\`\`sh
bun run realism                 # writes this page and its pictures, the same bytes each time
bun run realism --tapes FOLDER  # recordings of real markets to measure beside ours
bun run realism --days 14       # grows each market, and compares it before and after its tape
bun run realism --crashes       # plays a published crash and a fall, and draws them and a book
\`\`\`

Real data is not part of the project. Without a folder of recordings its columns stay as they were
written last. *Wanted* is what real markets do; a letter says where that was published. A value
outside of it is **bold**; – stands where nothing can be seen of it. \`test/realism\` holds wider
ranges. A month is a small sample: an autocorrelation of its 720 hours strays by some 0.04 from
month to month, and one crash can be all of a kurtosis.

Hours of day are those of the tape. Where sandboxes show another clock (\`--epoch live\`), all times
are moved alike, and the busy hours of the American session are shown at other hours.
`

const REASONS = `## Where ours differ, and why

- *Shorts that are liquidated far away, or never*: accounts that hold several coins on cross margin.
  Their whole equity stands behind each position, so a small one is far from its liquidation.
- *Order sizes*: the largest hundredth of BTC's orders begins at some 20 times the mean, in the
  venue's nine busy minutes at 70 times. At our rate of two orders a second such orders would be
  nearly all that is traded, and minutes would differ by more than real ones do.
- *bitcoin's part of the market value*: the coin list has a tape's coins, and no others.
- *Hours and days after a tape*: a span of one or two days has one night or weekend, and some hours
  that are far quieter than those of a mean over weeks. Percentiles over worlds are the measure.
- *Seams of the real recording*: it shows minutes at many times the usual turnover. The past leads
  to these, and the future back from them.
`

/** What a second look found at first, and what is served now. */
function secondLookLines(rows: readonly SecondLook[]): string[] {
  const measured = rows.flatMap(({ now, ...row }) => (now === null ? [] : [{ ...row, now }]))
  if (measured.length === 0) return []
  const cells = measured.map(({ title, first, now, real, form, reason }) => {
    const text = valueText({ form }, now)
    return [title, first, reason ? `**${text}**` : text, rangeOf({ form }, real), reason ?? '']
  })
  return [
    '## A second look\n',
    [
      'What a careful look found wrong in an earlier version, as it was then, and as it is served',
      'now: BTC of the default world, and the middle of all compared worlds after their tapes.\n',
    ].join('\n'),
    `${lines(['statistic', 'at first', 'now', 'real', 'why it is outside'], cells)}\n`,
  ]
}

/** Before, on and after the tape, coin by coin. */
function continuityOf({ days, worlds }: { days: number; worlds: readonly WorldSpans[] }): string[] {
  const comparisons = comparisonsOf(worlds)
  const titleOf = ({ recording, coin }: Comparison) =>
    recording === null ? coin : `${coin}, ${recording}`
  const titles = [...new Set(comparisons.map(titleOf))]
  const flaws = moodFlaws(worlds)
  const names = worlds.map(({ name }) => name).join(', ')
  return [
    '## Before, on and after the tape\n',
    [
      `${days} days after the tape beside two spans of ${days} days before it, over ${names}.`,
      'Each cell is the 10th, 50th and 90th percentile over the worlds without a mood; a future',
      'outside of the past and of real months is **bold**, and ends the command with code 1.\n',
    ].join('\n'),
    ...titles.flatMap((title) => [
      `### ${title}\n`,
      `${lines(
        ['statistic', 'before', 'tape', 'after', 'real'],
        comparisons.filter((one) => titleOf(one) === title).map(comparisonCells),
      )}\n`,
    ]),
    ...(flaws.length === 0
      ? []
      : ['Shapes that differ in a mood:\n', `${flaws.map((flaw) => `- ${flaw}`).join('\n')}\n`]),
  ]
}

/** The published crash beside ours. */
function crashOf(crash: Readonly<Record<string, number | null>>): string[] {
  const rows = CRASH_FIGURES.map(({ title, published, form }) => {
    const value = crash[title] ?? null
    return [title, published, value === null ? '–' : valueText({ form }, value)]
  })
  return [
    '## A published crash\n',
    [
      '10 October 2025 from 20:50 UTC, as it was published (e, f, g), and the story',
      '`tenth-of-october` played after the tape of seed 1: 12 % within 25 minutes, a third of it',
      'taken back. Other coins follow BTC by their betas, no coin has bad news of its own, and all',
      'exchanges keep running: nothing here loses its collateral or stops answering.',
      'Some exchanges publish at most one liquidation a second of a contract: what was published',
      'is a lower bound, and the fall of open interest the better measure.\n',
    ].join('\n'),
    `${lines(['figure', 'published', 'seed 1'], rows)}\n`,
  ]
}

function comparisonCells({ coin, figure, past, tape, future, holds }: Comparison): string[] {
  const text = (values: Percentiles) =>
    values === null
      ? '–'
      : [...new Set(values.map((value) => valueText(figure, value)))].join(' / ')
  const real = realOf(figure, coin)
  const after = text(future)
  return [
    figure.title,
    text(past),
    text(tape),
    holds ? after : `**${after}**`,
    real === undefined ? '–' : rangeOf(figure, real),
  ]
}

function tableOf(figures: readonly Figure[], columns: readonly Column[]): string {
  const head = ['statistic', 'wanted', ...columns.map(({ name }) => name)]
  const rows = figures.map((figure) => [
    figure.title,
    `${rangeText(figure)}${figure.source === undefined ? '' : ` (${figure.source})`}`,
    ...columns.map(({ values }) => cellOf(figure, values[figure.id] ?? null)),
  ])
  return lines(head, rows)
}

function cellOf(figure: Figure, value: number | null): string {
  if (value === null) return '–'
  const text = valueText(figure, value)
  return isWithin(value, figure.wanted) ? text : `**${text}**`
}

function seamTable(columns: readonly Column[]): string {
  const spans = columns[0]?.seams.map(({ name }) => name) ?? []
  const head = ['', ...columns.map(({ name }) => name)]
  const rows = (['trades', 'dollars'] as const).flatMap((what) =>
    spans.map((span, at) => [
      `${what}, ${span}`,
      ...columns.map(({ seams }) => {
        const value = seams[at]?.[what] ?? null
        return value === null ? '–' : Math.round(value).toLocaleString('en-US')
      }),
    ]),
  )
  return lines(head, rows)
}

function lines(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = head.map((_, at) => (at === 0 ? '---' : '---:'))
  return [row(head), row(rule), ...rows.map(row)].join('\n')
}

const rangeText = (figure: Figure): string => rangeOf(figure, figure.wanted)

function rangeOf(figure: Pick<Figure, 'form'>, { min, max }: Range): string {
  const [low, high] = [min, max].map((end) => (end === undefined ? '' : valueText(figure, end)))
  if (low && high) return `${low} … ${high}`
  return low ? `from ${low}` : high ? `to ${high}` : ''
}

function valueText({ form }: Pick<Figure, 'form'>, value: number): string {
  if (form === 'percent') return `${digits(value * 100)} %`
  if (form === 'dollars') return `${digits(value / 1e6)} M$`
  return form === 'seconds' ? `${digits(value)} s` : digits(value)
}

/** Three significant digits, and no decimals from a hundred on. */
function digits(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(3)))
}
