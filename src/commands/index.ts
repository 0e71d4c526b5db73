/**
 * The commands, in the order of the overview. `src/commands/<name>.ts` exports a `Command` of that
 * name; each is loaded only when it is asked for, so that `serve` starts without the weight of the
 * others.
 */
import type { Command } from './command.ts'

/** A command as the overview knows it: name and summary are those of the command itself. */
export interface CommandEntry extends Pick<Command, 'name' | 'summary'> {
  load(): Promise<Command>
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'serve the contract over HTTP and WebSocket',
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'cast',
    summary: 'print who and what one can ask for',
    load: async () => (await import('./cast.ts')).cast,
  },
  {
    name: 'tape',
    summary: 'look at, check, import, cut, merge and synthesise tapes',
    load: async () => (await import('./tape.ts')).tape,
  },
  {
    name: 'conform',
    summary: 'check a service against the contract',
    load: async () => (await import('./conform.ts')).conform,
  },
  {
    name: 'bench',
    summary: 'run the benchmarks that docs/performance.md shows',
    load: async () => (await import('./bench.ts')).bench,
  },
]
