import type { ParseArgsOptionsConfig } from 'node:util'
import { UserError } from '../../user-error.ts'
import { parseCommandLine } from '../flags.ts'

/**
 * Reads the arguments of a command; a flag that is not in `options` is a `UserError`.
 *
 * `rest` are the arguments that are no flags.
 */
export function readArguments<const T extends ParseArgsOptionsConfig>(args: string[], options: T) {
  return parseCommandLine('tape', args, options)
}

/** A flag that must be there. */
export function required(name: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value
  throw new UserError(`--${name} is missing`)
}

/** The one tape of a command. */
export function oneFile(command: string, rest: readonly string[]): string {
  const [file, ...more] = rest
  if (file !== undefined && more.length === 0) return file
  throw new UserError(`tape ${command} takes one tape, ${rest.length} were given`)
}

/** At least `min` files. */
export function files(command: string, rest: readonly string[], min: number): readonly string[] {
  if (rest.length >= min) return rest
  const wanted = min === 1 ? 'at least one file' : `at least ${min} tapes`
  throw new UserError(`tape ${command} takes ${wanted}, ${rest.length || 'none'} given`)
}

/** A whole number in plain digits. */
export function wholeNumberFlag(name: string, text: string): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value
  throw new UserError(`--${name} is "${text}", it must be a whole number`)
}
