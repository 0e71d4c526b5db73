/** The thread of a run of the conformance suite: it judges beside the server, and after it. */

import { hostClock } from '../../clock/system-clock.ts'
import { conform, resultsNamed } from '../../conformance/conform.ts'
import type { ConformSettings } from '../../conformance/conform-settings.ts'
import type { Report } from '../../conformance/report.ts'
import type { Result, Verdict } from '../../conformance/runner.ts'
import { lowerPriority } from '../../platform/thread-priority.ts'
import { UserError } from '../../platform/user-error.ts'

/** First the settings of the run, then possibly its interruption. */
export type SuiteRequest = { run: ConformSettings } | { stop: true }

/** The number of cases, then each verdict, with the result of a failure; the report at the end. */
export type SuiteMessage =
  | { total: number }
  | { verdict: Verdict; remainingMs: number | null; failure: Result | null }
  | { note: string }
  | { report: Report }
  | { failed: string; isOurFault: boolean }

declare const self: Worker

const interruption = new AbortController()
const send = (message: SuiteMessage) => postMessage(message)

self.onmessage = ({ data }: MessageEvent<SuiteRequest>) => {
  if ('stop' in data) interruption.abort()
  else run(data.run).catch((error) => send(failureOf(error)))
}

async function run(settings: ConformSettings): Promise<void> {
  lowerPriority()
  send({ total: resultsNamed(settings.only ?? [], settings.exclude) })
  const report = await conform({
    ...settings,
    systemClock: hostClock,
    signal: interruption.signal,
    onResult: (result, remainingMs) => {
      const { verdict } = result
      send({ verdict, remainingMs, failure: verdict === 'failed' ? result : null })
    },
    onNote: (note) => send({ note }),
  })
  // Its results were sent one by one, with all their evidence.
  send({ report: { ...report, results: [] } })
}

function failureOf(error: unknown): SuiteMessage {
  if (error instanceof UserError) return { failed: error.message, isOurFault: false }
  const trace = error instanceof Error ? error.stack : undefined
  return { failed: trace ?? String(error), isOurFault: true }
}
