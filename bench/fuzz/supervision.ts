/** Targets in processes of their own, monitored from outside. */
import path from 'node:path'
import type { Failure } from './attempt.ts'
import type { TargetOrder, TargetReport } from './target-process.ts'

const PROGRAM = path.join(import.meta.dir, 'target-process.ts')
/** A slower script counts as hanging. */
const HANGING_MS = 60_000

/** Result of an order: the target's report, or a hang or exit of the process. */
export async function supervised(order: TargetOrder): Promise<Failure | null> {
  const { promise, resolve } = Promise.withResolvers<
    string | Extract<TargetReport, { report: 'done' | 'retried' }>
  >()
  let script: unknown = order.order === 'retry' ? order.script : null
  const hung = () => resolve(`nothing came of it within ${HANGING_MS / 1000} s`)
  let timer = setTimeout(hung, HANGING_MS)
  const child = Bun.spawn([process.execPath, PROGRAM], {
    stdout: 'inherit',
    stderr: 'pipe',
    ipc(report: TargetReport) {
      clearTimeout(timer)
      timer = setTimeout(hung, HANGING_MS)
      if (report.report === 'script') script = report.script
      else resolve(report)
    },
  })
  const printed = new Response(child.stderr).text()
  child.exited.then(async (code) =>
    resolve(`the process ended with code ${code}\n${await printed}`),
  )
  child.send(order)
  const outcome = await promise
  clearTimeout(timer)
  child.kill('SIGKILL')
  await child.exited
  const complaint = (await printed).trim()
  if (typeof outcome === 'object') {
    if (outcome.report === 'done' && outcome.failure) return outcome.failure
    const message = outcome.report === 'retried' ? outcome.message : null
    if (message === null && complaint === '') return null
    return failureOf(order, script, message ?? `it complained:\n${complaint}`)
  }
  return failureOf(order, script, outcome)
}

const failureOf = (order: TargetOrder, script: unknown, message: string): Failure => ({
  target: order.target,
  seed: order.order === 'attempt' ? order.seed : 0,
  path: '',
  message,
  script,
})
