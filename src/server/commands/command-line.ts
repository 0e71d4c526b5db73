/** Parses the command line by a declaration; an invalid one is a `UserError`. */

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { nearestName } from '../../contract/fields/nearest-name.ts'
import { UserError } from '../../platform/user-error.ts'
import type { Argument, Declaration, Flags, FlagValues } from './command.ts'

/** The texts given for each flag, under its declared name, and the other words. */
export interface CommandLine {
  texts: ReadonlyMap<string, readonly string[]>
  rest: readonly string[]
}

/** `--max-sockets` for `maxSockets`. */
export const flagName = (key: string) => `--${dashed(key)}`

const dashed = (key: string) => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The words of a command by flag; the texts are not parsed yet. */
export function readCommandLine(
  { name, flags, argument }: Pick<Declaration, 'name' | 'flags' | 'argument'>,
  words: readonly string[],
): CommandLine {
  const given = argument === undefined ? words : withNumbersLast(flags, words)
  const { values, positionals } = parse(name, flags, given)
  checkCount(name, argument, positionals)
  const texts = Object.keys(flags).flatMap((key): [string, string[]][] => {
    const found = values[dashed(key)]
    if (found === undefined) return []
    return [[key, Array.isArray(found) ? found.map(String) : [String(found)]]]
  })
  return { texts: new Map(texts), rest: positionals }
}

/** Negative numbers behind all flags: `-5%` is an argument, and no flag. */
function withNumbersLast(flags: Flags, words: readonly string[]): string[] {
  const end = words.includes('--') ? words.indexOf('--') : words.length
  const isValue = (at: number) =>
    Object.entries(flags).some(
      ([key, { placeholder }]) => placeholder !== null && words[at - 1] === flagName(key),
    )
  const isNumber = (word: string, at: number) => at < end && /^-[\d.]/.test(word) && !isValue(at)
  const numbers = words.filter(isNumber)
  if (numbers.length === 0) return [...words]
  const others = words.slice(0, end).filter((word, at) => !isNumber(word, at))
  return [...others, '--', ...numbers, ...words.slice(end + 1)]
}

/** The values of the flags of a program without other arguments. */
export function readFlags<const F extends Flags>(
  name: string,
  words: readonly string[],
  flags: F,
): FlagValues<F> {
  const { texts } = readCommandLine({ name, flags }, words)
  const values = Object.entries(flags).map(([key, flag]) => [
    key,
    flag.read(texts.get(key) ?? [], flagName(key)),
  ])
  return Object.fromEntries(values)
}

function parse(name: string, flags: Flags, words: readonly string[]) {
  const options: ParseArgsOptionsConfig = {}
  for (const [key, { placeholder, isRepeatable }] of Object.entries(flags)) {
    const type = placeholder === null ? 'boolean' : 'string'
    options[dashed(key)] = { type, multiple: isRepeatable }
  }
  try {
    // Libraries start slower, or read `0x10` and `007` as numbers.
    return parseArgs({ args: [...words], options, allowPositionals: true })
  } catch (error) {
    const { message } = error as Error
    const dashed = /'(--[\w-]+)[^']*' argument is ambiguous/.exec(message)?.[1]
    if (dashed !== undefined)
      throw new UserError(`a value of ${dashed} that begins with a dash is given as ${dashed}=-…`)
    const [first = 'cannot be read'] = message.split('. ')
    const nearest = nearestFlag(first, Object.keys(options))
    const hint = nearest === undefined ? '; see' : `, did you mean --${nearest}? See`
    throw new UserError(`${first}${hint} tapewright ${name} --help`)
  }
}

/** The likely flag of a message such as `Unknown option '--prot'`. */
function nearestFlag(message: string, known: readonly string[]): string | undefined {
  const given = /^Unknown option '--?([^']+)'/.exec(message)?.[1]
  return given === undefined ? undefined : nearestName(given, known)
}

function checkCount(name: string, argument: Argument | undefined, given: readonly string[]): void {
  const { length } = given
  if (argument === undefined) {
    if (length === 0) return
    throw new UserError(
      `${name} takes no ${name.startsWith('tape ') ? 'file' : 'argument'}, "${given[0]}" was given`,
    )
  }
  const { noun, min, max, placeholder } = argument
  if (length >= min && length <= max) return
  if (max === 1) throw new UserError(`${name} takes one ${noun}, ${length} were given`)
  if (min === max && placeholder.split(' ').length === min) {
    const wanted = `${placeholder}, ${length || 'no words'} given`
    throw new UserError(`${name} takes ${wanted}; see tapewright ${name} --help`)
  }
  const least = min === max ? '' : 'at least '
  const wanted = min === 1 ? `${least}one ${noun}` : `${least}${min} ${noun}s`
  throw new UserError(`${name} takes ${wanted}, ${length || 'none'} given`)
}
