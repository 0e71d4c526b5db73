/** Flags as they are declared: what one takes, what it means, and what it is when not given. */

import { readSpan, spanMs } from '../../contract/span.ts'
import { UserError } from '../../platform/user-error.ts'

/**
 * One flag of a command. `T` is what the command gets; a flag that is of one run only stands
 * neither in a settings file nor in the environment.
 */
export interface Flag<T = unknown, PerRun extends boolean = boolean> {
  about: string
  /** What stands for its value: `FILE`, `live|tape`; null for a switch, which takes none. */
  placeholder: string | null
  /** What it is when nothing is said. */
  fallback: unknown
  /** How that is told where no value says it: `never`. */
  absent: string
  isRequired: boolean
  isRepeatable: boolean
  isPerRun: PerRun
  /** Whether its value is not to be shown. */
  isSecret: boolean
  completes: Completes | null
  /** The schema of one value in a settings file. */
  schema: object
  /** What one value may be there. */
  takes: Kind<unknown>['takes']
  /**
   * The value out of all the texts that were given for it, under the name by which they were;
   * a `UserError` says what it must be.
   */
  read(texts: readonly string[], name: string): T
}

/** What a declaration says of a flag. */
interface Options<V> {
  about: string
  default?: V
  absent?: string
  required?: true
  repeatable?: true
  perRun?: true
  secret?: true
  /** What a shell offers, where the kind of the flag does not say it. */
  completes?: Completes
}

type Read<V, O> = O extends { repeatable: true }
  ? readonly V[]
  : O extends { default: unknown } | { required: true }
    ? V
    : V | undefined

type Declared<V, O> = Flag<Read<V, O>, O extends { perRun: true } ? true : false>

/** Any text. */
export const text = <const O extends Options<string>>(placeholder: string, options: O) =>
  flag(textKind(placeholder), options)

/** A file. */
export const file = <const O extends Options<string>>(options: O) =>
  flag(textKind('FILE', 'file'), options)

/** A tape: a file, or the name of a recording. */
export const tapeName = <const O extends Options<string>>(options: O) =>
  flag(textKind('TAPE', 'tape'), options)

/** A file of candles, with the name of its coin before it where it does not say that itself. */
export const historyName = <const O extends Options<string>>(options: O) =>
  flag(textKind('[COIN=]FILE', 'history'), options)

/** A scenario: a file, or a name in the library. */
export const scenarioName = <const O extends Options<string>>(options: O) =>
  flag(textKind('NAME', 'scenario'), options)

export const wholeNumber = <const O extends Options<number>>(
  { min, max, unit = 'N' }: { min: number; max: number; unit?: string },
  options: O,
) => flag(wholeNumberKind(min, max, unit), options)

export const number = <const O extends Options<number>>(min: number, max: number, options: O) =>
  flag(numberKind(min, max), options)

/** A number, or one word. */
export const numberOr = <const W extends string, const O extends Options<number | W>>(
  word: W,
  { min, max }: { min: number; max: number },
  options: O,
) => flag(numberOrKind(word, min, max), options)

/** A span of time; it is told in ms. */
export const span = <const O extends Options<number>>(
  { min, max }: { min: string; max: string },
  options: O,
) => flag(spanKind(min, max), options)

/** A size in bytes, given as `2GB`, or a share of what there is, given as `50%`. */
export const sizeOrShare = <const O extends Options<SizeOrShare>>(min: number, options: O) =>
  flag(sizeOrShareKind(min), options)

export const choice = <const C extends readonly string[], const O extends Options<C[number]>>(
  choices: C,
  options: O,
) => flag(choiceKind(choices), options)

/** A flag without a value: it is given, or it is not. */
export function given(about: string): Flag<boolean, true> {
  return {
    about,
    placeholder: null,
    fallback: undefined,
    absent: '',
    isRequired: false,
    isRepeatable: false,
    isPerRun: true,
    isSecret: false,
    completes: null,
    schema: { type: 'boolean' },
    takes: [],
    read: (texts) => texts.length > 0,
  }
}

function flag<V, const O extends Options<V>>(kind: Kind<V>, options: O): Declared<V, O> {
  const { about, default: fallback, absent = '', required, repeatable, perRun, secret } = options
  const declared: Flag = {
    about,
    placeholder: kind.placeholder,
    fallback,
    absent,
    isRequired: required === true,
    isRepeatable: repeatable === true,
    isPerRun: perRun === true,
    isSecret: secret === true,
    completes: options.completes ?? kind.completes ?? null,
    schema: kind.schema,
    takes: kind.takes,
    read(texts, name) {
      if (repeatable) return texts.map((one) => kind.parse(one, name))
      const last = texts.at(-1)
      if (required && !last) throw new UserError(`${name} is missing`)
      return last === undefined ? fallback : kind.parse(last, name)
    },
  }
  return declared as Declared<V, O>
}

// The kinds of values that flags take: how a text becomes one, and what else is known of it.

/** What a shell offers for a value: names, or what lies on the disk. */
export type Completes = 'file' | 'tape' | 'scenario' | 'history' | readonly string[]

/** How a text becomes a value. */
interface Kind<V> {
  placeholder: string
  schema: object
  /** What it may be in a settings file. */
  takes: readonly ('number' | 'string')[]
  completes?: Completes
  /** A `UserError` says what it must be, under the name by which it was given. */
  parse(text: string, name: string): V
}

/** Any text. */
const textKind = (placeholder: string, completes?: Completes): Kind<string> => ({
  placeholder,
  schema: { type: 'string' },
  takes: ['string'],
  ...(completes === undefined ? {} : { completes }),
  parse: (said) => said,
})

/** A number in a range, ends included. */
const numberKind = (min: number, max: number): Kind<number> => ({
  placeholder: 'X',
  schema: { type: 'number', minimum: min, maximum: max },
  takes: ['number'],
  parse(said, name) {
    const value = numberIn(said, min, max)
    if (value !== null) return value
    throw new UserError(`${name} must be a number from ${min} to ${max}, not "${said}"`)
  },
})

/** A whole number in a range. */
const wholeNumberKind = (min: number, max: number, unit: string): Kind<number> => ({
  placeholder: unit,
  schema: { type: 'integer', minimum: min, maximum: max },
  takes: ['number'],
  parse(said, name) {
    const value = numberKind(min, max).parse(said, name)
    if (Number.isInteger(value)) return value
    throw new UserError(`${name} must be a whole number, not "${said}"`)
  },
})

/** A number in a range, or one word. */
const numberOrKind = <W extends string>(word: W, min: number, max: number): Kind<number | W> => ({
  placeholder: 'X',
  schema: { anyOf: [{ type: 'number', minimum: min, maximum: max }, { const: word }] },
  takes: ['number', 'string'],
  completes: [word],
  parse(said, name) {
    if (said === word) return word
    const value = numberIn(said, min, max)
    if (value !== null) return value
    throw new UserError(`${name} must be ${word} or a number from ${min} to ${max}, not "${said}"`)
  },
})

/** A span of time such as `15m`, in ms. */
const spanKind = (min: string, max: string): Kind<number> => ({
  placeholder: 'SPAN',
  schema: { type: 'string', pattern: '^[1-9]\\d*[smhdw]$' },
  takes: ['string'],
  parse(said, name) {
    const lengthMs = readSpan(said)
    if (lengthMs !== null && lengthMs >= spanMs(min) && lengthMs <= spanMs(max)) return lengthMs
    throw new UserError(`${name} must be a span from ${min} to ${max}, such as 15m, not "${said}"`)
  },
})

/** A size in bytes, or a share of what there is. */
type SizeOrShare = number | `${number}%`

/** A size such as `2GB`, of at least `min` bytes, or a share such as `50%`. */
const sizeOrShareKind = (min: number): Kind<SizeOrShare> => ({
  placeholder: 'SIZE',
  schema: { type: 'string', pattern: '^(\\d+(\\.\\d+)?(kB|MB|GB)|[1-9]\\d?%|100%)$' },
  takes: ['string'],
  parse(said, name) {
    const [, percent] = /^([1-9]\d?|100)%$/.exec(said.trim()) ?? []
    if (percent !== undefined) return `${Number(percent)}%`
    const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)(kB|MB|GB)$/i.exec(said.trim()) ?? []
    const bytes = Math.round(Number(digits) * (BYTES[unit.toLowerCase()] ?? 0))
    if (bytes >= min) return bytes
    const size = `a size of at least ${min / 1e6}MB, as 2GB`
    throw new UserError(`${name} must be ${size}, or a share from 1% to 100%, not "${said}"`)
  },
})

const BYTES: Readonly<Record<string, number>> = { kb: 1e3, mb: 1e6, gb: 1e9 }

/** One of some words. */
const choiceKind = <const C extends readonly string[]>(choices: C): Kind<C[number]> => ({
  placeholder: choices.join('|'),
  schema: { enum: choices },
  takes: ['string'],
  completes: choices,
  parse(said, name) {
    if (choices.includes(said)) return said
    throw new UserError(`${name} must be ${choices.join(' or ')}, not "${said}"`)
  },
})

function numberIn(said: string, min: number, max: number): number | null {
  const value = Number(said)
  return said.trim() !== '' && value >= min && value <= max ? value : null
}
