/** The result of a failure as files: plan, scenario, ready test, journal, and a timeline to see. */

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { JournalEntry } from '../../clients/control/records.ts'
import { writeYaml } from '../../contract/fields/yaml-text.ts'
import { UserError } from '../../platform/user-error.ts'
import { failureText } from './judges.ts'
import { actionText, beginMs, kindOfAction, type Plan, planText, ruleOf, spanOf } from './plan.ts'
import type { Shrunk } from './shrinking.ts'
import { timelinePage } from './timeline-page.ts'

/** Entries of the journal before and after the failure. */
const EXCERPT = 200

/** Writes the files of a failure into a folder; a UserError where that is impossible. */
export function writeResult(
  folder: string,
  found: Shrunk,
  command: readonly string[] | null,
): void {
  const { plan, run, failure } = found
  const files: Record<string, string> = {
    'plan.yaml': planText(plan),
    'scenario.yaml': scenarioText(plan, failureText(failure)),
    ...(command === null ? { 'replay.test.ts': testText() } : { 'replay.sh': shellText(command) }),
    'journal.ndjson': excerpt(run.journal, failure.seq, failure.atMs + run.startMs)
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join(''),
    'timeline.html': timelinePage(found),
    'failure.txt': `${reportText(found)}\n`,
  }
  try {
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  } catch (error) {
    throw new UserError(`cannot write the result to ${folder}: ${(error as Error).message}`)
  }
}

/** A failure as text: what, with which plan, and how often. */
export function reportText({ plan, run, failure, rate, runs }: Shrunk): string {
  const share = rate.failed === rate.of ? 'each time' : `${rate.failed} of ${rate.of} times`
  const actions = plan.actions.map((one) => `  ${one.at}: ${forText(one.for)}${actionText(one)}`)
  const others = run.failures.filter(({ judge }) => judge !== failure.judge)
  return [
    failureText(failure),
    plan.seed === undefined ? null : `seed ${plan.seed}, found ${share}, ${runs} runs to shrink it`,
    `smallest plan, of ${plan.actions.length} actions in ${spanOf(plan.lengthMs)}:`,
    ...(actions.length === 0 ? ['  none'] : actions),
    ...others.map((one) => `also ${failureText(one)}`),
  ]
    .filter((line) => line !== null)
    .join('\n')
}

const forText = (span: string | undefined) => (span === undefined ? '' : `for ${span}, `)

/** The entries around a failure, by its entry or else by its instant. */
function excerpt(journal: readonly JournalEntry[], seq: number | null, sessionMs: number) {
  const is = (entry: JournalEntry) =>
    seq === null ? entry.sessionMs >= sessionMs : entry.seq === seq
  const index = journal.findIndex(is)
  const middle = index < 0 ? journal.length : index
  return journal.slice(Math.max(0, middle - EXCERPT), middle + EXCERPT)
}

/** The faults, market events and answers of a plan as a scenario; the rest is named as missing. */
function scenarioText(plan: Plan, title: string): string {
  const { actions } = plan
  const ofKind = (kind: string) => actions.filter((one) => kindOfAction(one) === kind)
  const missing = actions.filter(
    (one) => !['fault', 'market', 'questions'].includes(kindOfAction(one)),
  )
  const rules = ofKind('fault').map((action, at) => ({
    ...ruleOf(action, `${at + 1} ${actionText(action)}`.slice(0, 200)),
    from: action.at,
    ...(action.for === undefined ? {} : { for: action.for }),
  }))
  const market = ofKind('market').map(({ market: event, ...one }) => ({
    at: spanOf(beginMs(one)),
    event,
  }))
  const questions = Object.assign({}, ...ofKind('questions').map((one) => one.questions))
  const guidance =
    missing.length === 0
      ? 'Found by tapewright explore.'
      : `Found by tapewright explore. plan.yaml also has: ${missing
          .map((one) => `${one.at} ${actionText(one)}`)
          .join('; ')}`
  return writeYaml({
    title: title.slice(0, 500),
    guidance: guidance.slice(0, 5_000),
    ...(Object.keys(questions).length > 0 ? { questions } : {}),
    ...(market.length > 0 ? { market } : {}),
    rules,
  })
}

const quoted = (word: string) =>
  /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

const shellText = (command: readonly string[]) => `#!/bin/sh
# Carries out plan.yaml against the client again; the code is 1 as long as it fails.
here=$(dirname "$0")
exec tapewright explore --plan "$here/plan.yaml" -- ${command.map(quoted).join(' ')}
`

const testText =
  () => `/** Carries out plan.yaml against the client again; put your client where it says so. */
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { explore } from 'tapewright/explore'

const plan = readFileSync(new URL('plan.yaml', import.meta.url), 'utf8')

test('the client survives what was found', () =>
  explore(
    async ({ sandbox, claim, signal }) => {
      // Your client: connect it to sandbox.baseUrl, make claims, and end when signal is aborted.
      throw new Error(\`put your client here: \${sandbox.id} \${claim.name} \${signal.aborted}\`)
    },
    { plan },
  ))
`
