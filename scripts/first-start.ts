/**
 * Preparation of a checkout's first start: builds the program and casts the world of the default
 * tape concurrently. Failures are reported and left for that start.
 */
import path from 'node:path'
import { defaultWorlds } from '../src/server/commands/serve/start-up-text.ts'
import { builtProgram } from './built-program.ts'
import { ROOT } from './install.ts'

const BUILD = path.join(import.meta.dir, 'program-build.ts')

/** Creates what is missing. */
export async function prepareFirstStart(): Promise<void> {
  for (const attempt of await Promise.allSettled([build(), cast()]))
    if (attempt.status === 'rejected')
      console.error(`tapewright: left for the first start: ${reasonOf(attempt.reason)}`)
}

async function build(): Promise<void> {
  if (builtProgram()?.isWhole) return
  const run = Bun.spawn([process.execPath, BUILD], { cwd: ROOT, stdout: 'ignore', stderr: 'pipe' })
  const output = await new Response(run.stderr).text()
  if ((await run.exited) !== 0) throw new Error(`the program cannot be built\n${output}`)
}

/** Casts the default world of `serve` into its cache folder. */
async function cast(): Promise<void> {
  await defaultWorlds()({})
}

function reasonOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}
