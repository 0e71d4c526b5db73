/** Reading flags: what is not understood is a complaint that says what would be right. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UserError } from '../user-error.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/** The values of a command's flags; an unknown one refers to the command's help. */
export function readFlags<const T extends Options>(command: string, args: string[], options: T) {
  try {
    return parseArgs({ args, options, strict: true }).values
  } catch (error) {
    const [first] = (error as Error).message.split('. ')
    throw new UserError(`${first}; see tapewright ${command} --help`)
  }
}

export function numberFlag(name: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= least && value <= most))
    throw new UserError(`${name} must be a number from ${least} to ${most}, not "${text}"`)
  return value
}

export function integerFlag(name: string, text: string, least: number, most: number): number {
  const value = numberFlag(name, text, least, most)
  if (!Number.isInteger(value)) throw new UserError(`${name} must be a whole number, not "${text}"`)
  return value
}

export function choiceFlag<T extends string>(name: string, text: string, words: readonly T[]): T {
  const found = words.find((word) => word === text)
  if (!found) throw new UserError(`${name} must be ${words.join(' or ')}, not "${text}"`)
  return found
}
