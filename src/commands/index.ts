/**
 * The commands, in the order of the overview. `src/commands/<name>.ts` exports a `Command` of that
 * name; each is loaded only when it is asked for, so that `serve` starts without the weight of the
 * others.
 */
import type { Command } from './command.ts'

/** A command as the overview knows it: name and summary are those of the command itself. */
export interface Entry extends Pick<Command, 'name' | 'summary'> {
  load(): Promise<Command>
}

export const COMMANDS: readonly Entry[] = []
