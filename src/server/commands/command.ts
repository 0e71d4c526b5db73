/** The words of the command line as they are declared; everything about them follows from this. */
import type { Completes, Flag } from './flag.ts'

/** Flags under their names in a settings file: `maxSockets` is `--max-sockets`. */
export type Flags = Readonly<Record<string, Flag>>

/** What follows a command and is no flag. */
export interface Argument {
  /** What stands for it in help: `TAPE`. */
  placeholder: string
  /** What one is called: `tape`. */
  noun: string
  min: number
  max: number
  completes?: Completes
}

/** Something to type, which does what is said of it; a test runs each. */
export interface Example {
  /** Without the name of the program. */
  words: string
  does: string
}

/** What is known of a command before it is run: help, documents and completion come from it. */
export interface Declaration<F extends Flags = Flags> {
  /** `serve`, `tape cut`. */
  name: string
  /** One line for the list of commands. */
  summary: string
  /** What it does, in full. */
  about: string
  argument?: Argument
  flags: F
  /** Where its flags stand in a settings file; without it on the command line only. */
  section?: string
  examples: readonly [Example, ...Example[]]
}

/** What the flags of a declaration give. */
export type FlagValues<F extends Flags> = {
  readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never
}

/** What a command is given: its flags, and the other words. */
export interface Given<D extends Declaration = Declaration> {
  flags: FlagValues<D['flags']>
  rest: readonly string[]
}

/**
 * Does what a command does and answers with the exit code; a `UserError` becomes one line on
 * standard error and code 1.
 */
export type Run<D extends Declaration = Declaration> = (given: Given<D>) => Promise<number>

/** A command, or one action of a command that has several; loaded when it is asked for. */
export interface Command {
  name: string
  summary: string
  declaration: Declaration
  load(): Promise<Run>
}

/** A command that has actions, each with flags of its own. */
export interface CommandGroup {
  name: string
  summary: string
  about: string
  /** By the last word of their names. */
  actions: readonly Command[]
}

/** Ties a declaration to what does it, which gets just what was declared. */
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
