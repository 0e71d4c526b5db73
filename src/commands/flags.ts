/** Reading flags: one that is not understood is a `UserError` that says what would be right. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UserError } from '../user-error.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/** The flags of a command that takes nothing else. */
export function readFlags<const T extends Options>(command: string, args: string[], options: T) {
  const { flags, rest } = parseCommandLine(command, args, options)
  if (rest.length === 0) return flags
  throw new UserError(`Unexpected argument '${rest[0]}'; see tapewright ${command} --help`)
}

/** The flags of a command, and the other arguments. An unknown flag refers to the help. */
export function parseCommandLine<const T extends Options>(
  command: string,
  args: string[],
  options: T,
) {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    return { flags: values, rest: positionals }
  } catch (error) {
    const [first = 'cannot be read'] = (error as Error).message.split('. ')
    throw new UserError(`${first}; see tapewright ${command} --help`)
  }
}

export function numberFlag(name: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= min && value <= max))
    throw new UserError(`${name} must be a number from ${min} to ${max}, not "${text}"`)
  return value
}

export function integerFlag(name: string, text: string, min: number, max: number): number {
  const value = numberFlag(name, text, min, max)
  if (!Number.isInteger(value)) throw new UserError(`${name} must be a whole number, not "${text}"`)
  return value
}

export function choiceFlag<T extends string>(name: string, text: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text)
  if (!found) throw new UserError(`${name} must be ${choices.join(' or ')}, not "${text}"`)
  return found
}
