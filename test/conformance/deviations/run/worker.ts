/** Tries all deviations in one mode: `worker.ts with|without [id prefix]`; a line each. */
import { noticedByWhich } from './noticing.ts'
import type { Mode } from './outcomes.ts'

const [mode, only = ''] = process.argv.slice(2)
for await (const outcome of noticedByWhich(mode as Mode, only))
  process.stdout.write(`${JSON.stringify(outcome)}\n`)
