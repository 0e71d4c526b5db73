/**
 * The commands, in the order of the overview. Their code is loaded on demand, so that `serve`
 * starts without the others.
 */
import { BENCH } from './bench/declaration.ts'
import { CAST } from './cast/declaration.ts'
import { type Command, type CommandGroup, command } from './command.ts'
import { COMPLETION } from './completion/declaration.ts'
import { CONFORM } from './conform/declaration.ts'
import { COVERAGE } from './coverage/declaration.ts'
import { DOCTOR } from './doctor/declaration.ts'
import { EXPLAIN } from './explain/declaration.ts'
import { EXPLORE } from './explore/declaration.ts'
import { HEALTH } from './health/declaration.ts'
import { LOGS } from './logs/declaration.ts'
import { RECORD } from './record/declaration.ts'
import { SERVE } from './serve/declaration.ts'
import { TAPE } from './tape.ts'
import { TRIGGER } from './trigger/declaration.ts'

export const COMMANDS: readonly (Command | CommandGroup)[] = [
  command(SERVE, async () => (await import('./serve.ts')).serve),
  command(CAST, async () => (await import('./cast.ts')).cast),
  TAPE,
  command(RECORD, async () => (await import('./record.ts')).record),
  command(CONFORM, async () => (await import('./conform.ts')).conform),
  command(EXPLORE, async () => (await import('./explore.ts')).explore),
  command(COVERAGE, async () => (await import('./coverage.ts')).coverage),
  command(EXPLAIN, async () => (await import('./explain.ts')).explain),
  command(TRIGGER, async () => (await import('./trigger.ts')).trigger),
  command(LOGS, async () => (await import('./logs.ts')).logs),
  command(DOCTOR, async () => (await import('./doctor.ts')).doctor),
  command(HEALTH, async () => (await import('./health.ts')).health),
  command(BENCH, async () => (await import('./bench.ts')).bench),
  command(COMPLETION, async () => (await import('./completion.ts')).completionOf(COMMANDS)),
]
