/** A coverage report as text, as LCOV, and as a badge. */

import type { CoverageFile } from './coverage-file.ts'
import {
  type CoverageItem,
  type CoverageReport,
  type CoverageTotal,
  type ItemKind,
  metPercent,
} from './coverage-report.ts'

/** Names of the kinds, as they are counted. */
export const KIND_NAMES: Readonly<Record<ItemKind, string>> = {
  requirement: 'requirements',
  operation: 'operations',
  parameter: 'parameters',
  cap: 'caps',
  refusal: 'refusals',
  channel: 'channels',
  transition: 'transitions',
  scenario: 'scenarios',
}

const NAMED_MAX = 20

/** Totals, the requirements that were never met, and what the contract does not have. */
export function coverageLines(report: CoverageReport, file: CoverageFile): string {
  const never = report.items.filter((one) => one.kind === 'requirement' && one.state === 'never')
  const named = never.slice(0, NAMED_MAX).map(({ id, text }) => `  ${id}: ${text}`)
  const more = never.length - named.length
  const runs = file.runs === 1 ? 'one sandbox' : `${file.runs} sandboxes`
  return [
    `${metPercent(report)} % of the requirements were met, in ${runs}`,
    ...report.totals.filter(({ total }) => total > 0).map(totalLine),
    ...(never.length === 0 ? [] : ['never met:', ...named]),
    ...(more > 0 ? [`  and ${more} more: --report json, or --report html`] : []),
    ...countLines('rests on open questions', file.questions),
    ...countLines('accepted beyond the contract', file.leniencies),
    ...countLines('not in the contract', file.beyond),
  ].join('\n')
}

const totalLine = ({ kind, total, met, handled, judgeable }: CoverageTotal): string => {
  const handledText = judgeable === 0 ? '' : `, ${handled} of ${judgeable} handled`
  return `  ${KIND_NAMES[kind].padEnd(12)} ${met} of ${total} met${handledText}`
}

function countLines(title: string, counts: Readonly<Record<string, number>>): string[] {
  const all = Object.entries(counts).toSorted(([, a], [, b]) => b - a)
  if (all.length === 0) return []
  return [`${title}: ${all.map(([name, count]) => `${name} ${count}`).join(', ')}`]
}

/**
 * The report in the format of LCOV: a record for each section of the requirements and for each
 * group of points, with a line and a function for each item.
 */
export function lcovText({ items }: CoverageReport): string {
  const isRequirement = ({ kind }: CoverageItem) => kind === 'requirement'
  const bySection = Map.groupBy(items.filter(isRequirement), ({ section }) => section)
  const others = items.filter((one) => !isRequirement(one))
  const byGroup = Map.groupBy(others, ({ section }) => section)
  return [
    ...[...bySection].map(([name, own]) => lcovRecord(`contract/requirements/${slug(name)}`, own)),
    ...[...byGroup].map(([name, own]) => lcovRecord(`contract/points/${slug(name)}`, own)),
  ].join('')
}

const slug = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

function lcovRecord(name: string, items: readonly CoverageItem[]): string {
  const hit = items.filter(({ met }) => met > 0).length
  const lines = [
    'TN:tapewright',
    `SF:${name}`,
    ...items.map(({ id }, at) => `FN:${at + 1},${id}`),
    ...items.map(({ id, met }) => `FNDA:${met},${id}`),
    `FNF:${items.length}`,
    `FNH:${hit}`,
    ...items.map(({ met }, at) => `DA:${at + 1},${met}`),
    `LF:${items.length}`,
    `LH:${hit}`,
    'end_of_record',
  ]
  return `${lines.join('\n')}\n`
}

/** The badge of a README, as SVG: `contract 62.4 %`. */
export function badgeSvg(report: CoverageReport): string {
  const percent = metPercent(report)
  const value = `${percent} %`
  const colour = percent >= 80 ? '#1a7f37' : percent >= 50 ? '#9a6700' : '#cf222e'
  const [left, right] = [64, 16 + 7 * value.length]
  const width = left + right
  const text = (x: number, words: string) =>
    `<text x="${x}" y="14" text-anchor="middle">${words}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" \
aria-label="contract: ${value}">
<title>${value} of the requirements of the contract were met</title>
<clipPath id="r"><rect width="${width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#444c56"/>
<rect x="${left}" width="${right}" height="20" fill="${colour}"/></g>
<g fill="#fff" font-family="Verdana,Geneva,sans-serif" font-size="11">
${text(left / 2, 'contract')}${text(left + right / 2, value)}</g>
</svg>
`
}
