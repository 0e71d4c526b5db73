import { markupText as html } from '../../platform/markup-text.ts'
import { type Breadth, breadthLines } from '../ledger/breadth.ts'
import { type Report, sectionsOf } from '../report.ts'
import { CAUSES_MAX, type Cause, causesOf, extentText, type Failure } from './failure.ts'

/** A self-contained page: summary, requirements, failures with their requests. */
export function htmlReport(report: Report): string {
  const { breadth, counts, ended, notes, results, schemas, target } = report
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Conformance of ${html(target)}</title>
<style>${STYLE}</style></head><body>
<h1>Conformance</h1>
<p>${html(target)}</p>
${[...(ended === null ? [] : [`The run ended before its end: ${ended}`]), ...notes]
  .map((one) => `<p>${html(one)}</p>`)
  .join('\n')}
<p class="counts"><b class="passed">${counts.passed} passed</b>
<b class="failed">${counts.failed} failed</b>
<b class="skipped">${counts.skipped} skipped</b></p>
<h2>Failures</h2>
${failuresPart(causesOf(report))}
<h2>Requirements</h2>
${sectionsOf(report)
  .map((section) => sectionTable(report, section))
  .join('\n')}
${breadth === null ? '' : breadthPart(breadth)}
<h2>Schemas</h2>
<details><summary>${schemas.seen} of ${schemas.total} parts of the declared schemas were seen: each
branch, null, optional field and word of a set</summary>
<ul>${unseenItems(schemas)}</ul></details>
<h2>Not looked at</h2>
<ul>${results
    .filter(({ verdict }) => verdict === 'skipped')
    .map(({ title, message }) => `<li>${html(title)}: ${html(message)}</li>`)
    .join('\n')}</ul>
</body></html>
`
}

const breadthPart = (breadth: Breadth): string =>
  `<h2>Operations</h2>\n<ul>${breadthLines(breadth)
    .map((line) => `<li>${html(line)}</li>`)
    .join('\n')}</ul>`

/** Causes first, then each failure; the first of each cause is expanded. */
function failuresPart(causes: readonly Cause[]): string {
  if (causes.length === 0) return '<p>None.</p>'
  const items = causes.map(
    (cause, at) =>
      `<li><a href="#cause-${at + 1}">${html(cause.text)}</a> ` +
      `<small>${html(extentText(cause))}</small></li>`,
  )
  const sections = causes.map(({ text, failures }, at) => {
    const reported = failures.map((failure, index) => failureSection(failure, index === 0))
    return `<h3 id="cause-${at + 1}">${at + 1}. ${html(text)}</h3>\n${reported.join('\n')}`
  })
  const count = causes.length === 1 ? 'one reason' : `${causes.length} reasons`
  const [first, rest] = [items.slice(0, CAUSES_MAX), items.slice(CAUSES_MAX)]
  const more = `<ol start="${CAUSES_MAX + 1}">${rest.join('\n')}</ol>`
  const tail = rest.length === 0 ? '' : folded(`${rest.length} more`, more)
  const list = `<ol>${first.join('\n')}</ol>${tail}`
  return `<p>For ${count}, those that explain most first:</p>\n${list}\n${sections.join('\n')}`
}

function failureSection(failure: Failure, isOpen: boolean): string {
  const { id, title, expected, found, evidence, conversation, again } = failure
  const required = expected.map((of) => `${html(of.text)} <small>${html(of.id)}</small>`)
  const others = conversation.filter(({ isLatest }) => !isLatest)
  const parallel = others.map(exchange).join('\n')
  const start = isOpen ? '<details open>' : '<details>'
  const latest = conversation.filter(({ isLatest }) => isLatest)
  return `${start}<summary><b>${html(title)}</b> <small>${html(id)}</small></summary>
<dl><dt>expected</dt><dd>${required.join('<br>')}</dd><dt>failed</dt><dd>${html(found)}</dd></dl>
${evidence === '' ? '' : `<pre>${coloured(evidence)}</pre>`}
${latest.map(exchange).join('\n')}
${others.length === 0 ? '' : folded(`What else was said (${others.length})`, parallel)}
<p>This case alone:</p>${pre(again, AGAIN)}</details>`
}

const exchange = ({ text, again }: Failure['conversation'][number]): string =>
  pre(text) + folded('The same from a shell', pre(again, AGAIN))

const folded = (title: string, inside: string): string =>
  `<details><summary>${title}</summary>${inside}</details>`

const pre = (text: string, kind = '') => `<pre${kind}>${html(text)}</pre>`

/** Lines of a difference, coloured. */
const coloured = (evidence: string): string =>
  evidence
    .split('\n')
    .map((text) => {
      const kind = text.startsWith('- ') ? 'passed' : text.startsWith('+ ') ? 'failed' : ''
      return kind === '' ? html(text) : `<span class="${kind}">${html(text)}</span>`
    })
    .join('\n')

const AGAIN = ' class="again"'

function sectionTable({ requirements }: Report, section: string): string {
  const own = requirements.filter((one) => one.section === section)
  const passed = own.filter(({ verdict }) => verdict === 'passed').length
  const rows = own.map(
    ({ id, text, verdict, cases }) =>
      `<tr><td>${html(id)}</td><td>${html(text)}</td>` +
      `<td class="${verdict}">${verdict}</td><td>${cases}</td></tr>`,
  )
  return `<details><summary>${html(section)}: ${passed} of ${own.length} passed</summary>
<table><tr><th>id</th><th>requirement</th><th></th><th>cases</th></tr>
${rows.join('\n')}</table></details>`
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
pre { overflow: auto; padding: .6rem; border: 1px solid #8884; border-radius: 4px; font-size: 13px }
.again { border-style: dashed }
dt { font-weight: 600 }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; vertical-align: top }
td, th { padding: .25rem .5rem; border-bottom: 1px solid #8883 }
details { margin: .6rem 0 }
summary { cursor: pointer }
h3 { margin-top: 2rem }
pre { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 24rem }
.passed { color: #1a7f37 } .failed { color: #cf222e } .skipped, .unchecked { color: #9a6700 }
tr td:nth-child(3) { font-weight: 600 }
.counts b { margin-right: 1rem; font-size: 1.2rem }
`

const unseenItems = ({ unseen, reasons }: Report['schemas']): string =>
  unseen
    .map(
      (part) =>
        `<li><code>${html(part)}</code>${reasons[part] ? `: ${html(reasons[part])}` : ''}</li>`,
    )
    .join('\n')
