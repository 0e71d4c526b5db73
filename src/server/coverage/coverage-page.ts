/** The report of coverage as one HTML page without scripts and without other files. */

import { markupText as html } from '../../platform/markup-text.ts'
import type { CoverageFile } from './coverage-file.ts'
import {
  type CoverageItem,
  type CoverageReport,
  type CoverageTotal,
  ITEM_KINDS,
  type ItemState,
  metPercent,
} from './coverage-report.ts'
import { KIND_NAMES } from './coverage-texts.ts'

/** Totals first, then every item by kind and section; what was never met is marked. */
export function coveragePage(report: CoverageReport, file: CoverageFile): string {
  const runs = file.runs === 1 ? 'one sandbox' : `${file.runs} sandboxes`
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Coverage of the contract</title>
<style>${STYLE}</style></head><body>
<h1>Coverage of the contract</h1>
<p class="share">${metPercent(report)} % of the requirements</p>
<p>What clients have met in ${runs}. Handled: a claim of the client, or what it did next, has shown
that it copes.</p>
<table><tr><th></th><th>total</th><th>met</th><th>handled</th><th></th></tr>
${report.totals.map(totalRow).join('\n')}</table>
${countsPart('Outcomes that rest on open questions', file.questions)}
${countsPart('Accepted beyond the contract', file.leniencies)}
${countsPart('Requests that the contract does not have', file.beyond)}
${ITEM_KINDS.map((kind) => kindPart(kind, report)).join('\n')}
</body></html>
`
}

const totalRow = ({ kind, total, met, handled, judgeable }: CoverageTotal): string =>
  `<tr><td>${KIND_NAMES[kind]}</td><td>${total}</td><td>${met}</td>` +
  `<td>${judgeable === 0 ? '' : `${handled} of ${judgeable}`}</td>` +
  `<td><meter min="0" max="${Math.max(1, total)}" value="${met}">${met}</meter></td></tr>`

function countsPart(title: string, counts: Readonly<Record<string, number>>): string {
  const all = Object.entries(counts).toSorted(([, a], [, b]) => b - a)
  if (all.length === 0) return ''
  const items = all.map(([name, count]) => `<li><code>${html(name)}</code> ${count}</li>`)
  return `<h2>${title}</h2>\n<ul>${items.join('\n')}</ul>`
}

function kindPart(kind: CoverageItem['kind'], { items }: CoverageReport): string {
  const own = items.filter((one) => one.kind === kind)
  if (own.length === 0) return ''
  const sections = [...Map.groupBy(own, ({ section }) => section)]
  return `<h2>${KIND_NAMES[kind]}</h2>\n${sections.map(sectionPart).join('\n')}`
}

function sectionPart([section, items]: [string, CoverageItem[]]): string {
  const met = items.filter(({ state }) => state !== 'never').length
  const rows = items.map(
    ({ id, text, state, met: count, evidence }) =>
      `<tr class="${state}"><td>${STATE_NAMES[state]}</td><td>${count}</td>` +
      `<td>${html(text)}<br><small>${html(id)}${evidenceText(evidence)}</small></td></tr>`,
  )
  return `<details><summary>${html(section)}: ${met} of ${items.length}</summary>
<table>${rows.join('\n')}</table></details>`
}

const STATE_NAMES: Readonly<Record<ItemState, string>> = {
  never: 'never met',
  met: 'met',
  handled: 'handled',
}

const evidenceText = (evidence: CoverageItem['evidence']): string =>
  evidence === null ? '' : `, shown by ${EVIDENCE[evidence]}`

const EVIDENCE = { sequel: 'the next step of the client', claim: 'a claim' } as const

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
.share { font-size: 1.6rem; font-weight: 600; margin: 0 }
table { border-collapse: collapse }
td, th { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0 }
td, th { border-bottom: 1px solid #8883 }
details { margin: .4rem 0 }
summary { cursor: pointer }
.never td:first-child { color: #cf222e } .met td:first-child { color: #9a6700 }
.handled td:first-child { color: #1a7f37 }
`
