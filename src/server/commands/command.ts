/** Declarations of commands, from which parser, help, documents and completion follow. */
import type { Completes, Flag } from './flag.ts'

/** Flags under their names in a settings file: `maxSockets` is `--max-sockets`. */
export type Flags = Readonly<Record<string, Flag>>

/** The argument after a command. */
export interface Argument {
  /** Its placeholder in help: `TAPE`. */
  placeholder: string
  /** Its noun: `tape`. */
  noun: string
  min: number
  max: number
  completes?: Completes
}

/** An example of a command line with its effect; a test runs each. */
export interface Example {
  /** Without the name of the program. */
  words: string
  does: string
}

/** The declaration of a command: help, documents and completion are made from it. */
export interface Declaration<F extends Flags = Flags> {
  /** `serve`, `tape cut`. */
  name: string
  /** One line for the list of commands. */
  summary: string
  /** The full description. */
  about: string
  argument?: Argument
  flags: F
  /** Its section in a settings file; without it, flags are on the command line only. */
  section?: string
  examples: readonly [Example, ...Example[]]
}

/** The values of declared flags. */
export type FlagValues<F extends Flags> = {
  readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never
}

/** The input of a command: its flags and the other words. */
export interface Given<D extends Declaration = Declaration> {
  flags: FlagValues<D['flags']>
  rest: readonly string[]
  /** The settings file in force; null without one. */
  settingsFile?: SettingsFile<FlagValues<D['flags']>> | null
}

/** A settings file that a command may read again. */
export interface SettingsFile<V> {
  /** Its path, and its name in messages. */
  path: string
  shown: string
  /** The flags with its present contents; a UserError when it is invalid. */
  reread(): Promise<V>
}

/**
 * Runs a command and returns the exit code; a `UserError` becomes one line on standard error and
 * code 1.
 */
export type Run<D extends Declaration = Declaration> = (given: Given<D>) => Promise<number>

/** A command, or an action of a command group; loaded on demand. */
export interface Command {
  name: string
  summary: string
  declaration: Declaration
  load(): Promise<Run>
}

/** A command with actions, each with flags of its own. */
export interface CommandGroup {
  name: string
  summary: string
  about: string
  /** By the last word of their names. */
  actions: readonly Command[]
}

/** Connects a declaration with its implementation, which gets exactly the declared flags. */
export function command<const D extends Declaration>(
  declaration: D,
  load: () => Promise<Run<D>>,
): Command {
  const { name, summary } = declaration
  return { name, summary, declaration, load: load as () => Promise<Run> }
}

/** Every command and action, in this order. */
export const everyCommand = (commands: readonly (Command | CommandGroup)[]): Command[] =>
  commands.flatMap((entry) => ('actions' in entry ? entry.actions : [entry]))
