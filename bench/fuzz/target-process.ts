/** A process that fuzzes one target: its parent detects hangs and exits. */
import { attempt, type Failure, retry } from './attempt.ts'
import type { OpenTarget } from './fuzz-target.ts'
import { FUZZ_TARGETS } from './targets.ts'

export type TargetOrder =
  | { order: 'attempt'; target: string; seed: number; runs: number }
  | { order: 'retry'; target: string; script: unknown }

export type TargetReport =
  | { report: 'script'; script: unknown }
  | { report: 'done'; failure: Failure | null }
  | { report: 'retried'; message: string | null }

let open: OpenTarget | undefined

process.on('message', async (message: TargetOrder) => {
  open ??= await FUZZ_TARGETS.find(({ name }) => name === message.target)?.open()
  if (!open) throw new Error(`there is no target "${message.target}"`)
  if (message.order === 'retry')
    return sendReport({ report: 'retried', message: await retry(open, message.script) })
  const { target, seed, runs } = message
  const onScript = (script: unknown) => sendReport({ report: 'script', script })
  sendReport({ report: 'done', failure: await attempt(target, open, { seed, runs, onScript }) })
})

function sendReport(report: TargetReport): void {
  process.send?.(report)
}
