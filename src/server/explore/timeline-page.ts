/** A page that shows a failed run: what was done, what the client did, and where it broke. */

import type { JournalEntry } from '../../clients/control/records.ts'
import { markupText } from '../../platform/markup-text.ts'
import { failureText } from './judges.ts'
import { actionText, beginMs, planText } from './plan.ts'
import type { Shrunk } from './shrinking.ts'

const WIDTH = 960
const LEFT = 230
const ROW = 26

/** One HTML page without scripts and without other files. */
export function timelinePage(found: Shrunk): string {
  const { plan, run, failure, rate } = found
  const lastMs = (run.journal.at(-1)?.sessionMs ?? run.startMs) - run.startMs
  const spanMs = Math.max(plan.lengthMs, lastMs, failure.atMs, 1)
  const rows = [...actionRows(found, spanMs), ...clientRows(found, spanMs)]
  const height = rows.length * ROW + 40
  const breakX = xAt(failure.atMs, spanMs)
  const title = markupText(failureText(failure))
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; max-width: 1020px; color: #1a1d21 }
h1 { font-size: 1.2rem }
text { font-size: 12px; fill: #1a1d21 }
pre { background: #f3f4f6; padding: 1rem }
@media (prefers-color-scheme: dark) {
  body { background: #14171a; color: #e6e8ea } text { fill: #e6e8ea } pre { background: #20252a }
}
</style></head>
<body>
<h1>${title}</h1>
<p>It failed ${rate.failed} of ${rate.of} times. Grey: what was done. Blue: the client's sockets and
requests. Red: refusals, and where it broke.</p>
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">
${rows.map((row, at) => `<g transform="translate(0 ${at * ROW + 8})">${row}</g>`).join('\n')}
<line x1="${breakX}" x2="${breakX}" y1="0" y2="${height - 26}" stroke="#c81e1e" stroke-width="2"/>
${axis(spanMs, height)}
</svg>
<pre>${markupText(planText(plan))}</pre>
</body>
</html>
`
}

const xAt = (ms: number, spanMs: number): number =>
  Math.round(10 * (LEFT + (Math.min(Math.max(ms, 0), spanMs) / spanMs) * (WIDTH - LEFT - 10))) / 10

const label = (text: string) =>
  `<text x="0" y="14">${markupText(text.length > 34 ? `${text.slice(0, 33)}…` : text)}` +
  `<title>${markupText(text)}</title></text>`

const bar = (fromMs: number, toMs: number, spanMs: number, fill: string, hint: string) => {
  const from = xAt(fromMs, spanMs)
  const width = Math.max(3, xAt(toMs, spanMs) - from)
  return (
    `<rect x="${from}" y="3" width="${width}" height="14" rx="2" fill="${fill}">` +
    `<title>${markupText(hint)}</title></rect>`
  )
}

/** A row for each action, at the instants of the session. */
function actionRows({ plan, run }: Shrunk, spanMs: number): string[] {
  return plan.actions.map((action, number) => {
    const text = actionText(action)
    const done = run.carriedOut.find((one) => one.number === number)
    const fromMs = done?.atMs ?? beginMs(action)
    const hint = done?.refused ? `${text}: ${done.refused}` : text
    return label(text) + bar(fromMs, done?.untilMs ?? fromMs, spanMs, '#8a94a0', hint)
  })
}

/** A row for each connection, and one for the requests. */
function clientRows({ run }: Shrunk, spanMs: number): string[] {
  const { journal, startMs } = run
  const sockets = socketSpans(journal, startMs, spanMs).slice(0, 40)
  const rows = sockets.map(({ number, fromMs, toMs, frames, how }) => {
    const hint = `connection ${number}: ${frames} frames, ${how}`
    return label(`connection ${number}`) + bar(fromMs, toMs, spanMs, '#2f6fdb', hint)
  })
  const marks = journal.flatMap((entry) => {
    if (entry.kind === 'request') {
      const hint = `${entry.status} ${entry.method} ${entry.path}`
      return [mark(entry.sessionMs - startMs, spanMs, entry.status >= 400, hint)]
    }
    if (entry.kind !== 'socket' || entry.event !== 'refused') return []
    return [mark(entry.sessionMs - startMs, spanMs, true, `socket refused: ${entry.status}`)]
  })
  return [...rows, label('requests') + marks.slice(0, 2_000).join('')]
}

const mark = (atMs: number, spanMs: number, isRefused: boolean, hint: string) =>
  `<circle cx="${xAt(atMs, spanMs)}" cy="10" r="3.5" fill="${isRefused ? '#c81e1e' : '#2f6fdb'}">` +
  `<title>${markupText(hint)}</title></circle>`

function socketSpans(journal: readonly JournalEntry[], startMs: number, spanMs: number) {
  const spans = new Map<
    number,
    { number: number; fromMs: number; toMs: number; frames: number; how: string }
  >()
  for (const entry of journal) {
    if (entry.kind !== 'socket' && entry.kind !== 'frame') continue
    const { connection } = entry
    if (connection === null) continue
    const atMs = entry.sessionMs - startMs
    const known = spans.get(connection)
    if (!known) {
      const open = { fromMs: atMs, toMs: spanMs, frames: 0, how: 'open to the end' }
      spans.set(connection, { number: connection, ...open })
    } else if (entry.kind === 'frame') known.frames++
    else if (entry.event === 'closed') {
      known.toMs = atMs
      known.how = `closed with ${entry.status}: ${entry.subject}`
    }
  }
  return [...spans.values()]
}

function axis(spanMs: number, height: number): string {
  const stepMs = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_800]
    .map((s) => s * 1_000)
    .find((step) => spanMs / step <= 12) as number
  const count = Math.floor(spanMs / (stepMs ?? spanMs))
  return Array.from({ length: count + 1 }, (_, at) => {
    const ms = at * (stepMs ?? spanMs)
    return `<text x="${xAt(ms, spanMs)}" y="${height - 8}">${ms / 1000}s</text>`
  }).join('')
}
