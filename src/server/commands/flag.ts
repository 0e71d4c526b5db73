/** Declarations of flags: value, meaning and default. */

import { readSpan, spanMs } from '../../contract/span.ts'
import { UserError } from '../../platform/user-error.ts'

/**
 * One flag of a command. `T` is the type of its value; a flag per run is neither in a settings file
 * nor in the environment.
 */
export interface Flag<T = unknown, PerRun extends boolean = boolean> {
  about: string
  /** The placeholder of its value: `FILE`, `live|tape`; null for a switch. */
  placeholder: string | null
  /** The default value. */
  fallback: unknown
  /** The text of the default where no value describes it: `never`. */
  absent: string
  isRequired: boolean
  isRepeatable: boolean
  isPerRun: PerRun
  /** Whether its value is not to be shown. */
  isSecret: boolean
  completes: Completes | null
  /** The schema of one value in a settings file. */
  schema: object
  /** The types of one value in a settings file. */
  takes: Kind<unknown>['takes']
  /**
   * Parses all texts given for it, under the name by which they were given; a `UserError` describes
   * the valid form.
   */
  read(texts: readonly string[], name: string): T
}

/** The options of a flag's declaration. */
interface Options<V> {
  about: string
  default?: V
  absent?: string
  required?: true
  repeatable?: true
  perRun?: true
  secret?: true
  /** The completions, where the kind of the flag does not determine them. */
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

/** A file of candles, with the name of its coin before it where it does not contain that itself. */
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

/** A span of time, as ms. */
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

/** A switch: it is given, or it is not. */
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

// Kinds of flag values: their parsers, types and completions.

/** The completions of a value: names, or files. */
export type Completes = 'file' | 'tape' | 'scenario' | 'history' | readonly string[]

/** Parses a text to a value. */
interface Kind<V> {
  placeholder: string
  schema: object
  /** Its types in a settings file. */
  takes: readonly ('number' | 'string')[]
  completes?: Completes
  /** A `UserError` describes the valid form, under the given name. */
  parse(text: string, name: string): V
}

/** Any text. */
const textKind = (placeholder: string, completes?: Completes): Kind<string> => ({
  placeholder,
  schema: { type: 'string' },
  takes: ['string'],
  ...(completes === undefined ? {} : { completes }),
  parse: (input) => input,
})

/** A number in a range, ends included. */
const numberKind = (min: number, max: number): Kind<number> => ({
  placeholder: 'X',
  schema: { type: 'number', minimum: min, maximum: max },
  takes: ['number'],
  parse(input, name) {
    const value = numberIn(input, min, max)
    if (value !== null) return value
    throw new UserError(`${name} must be a number from ${min} to ${max}, not "${input}"`)
  },
})

/** A whole number in a range. */
const wholeNumberKind = (min: number, max: number, unit: string): Kind<number> => ({
  placeholder: unit,
  schema: { type: 'integer', minimum: min, maximum: max },
  takes: ['number'],
  parse(input, name) {
    const value = numberKind(min, max).parse(input, name)
    if (Number.isInteger(value)) return value
    throw new UserError(`${name} must be a whole number, not "${input}"`)
  },
})

/** A number in a range, or one word. */
const numberOrKind = <W extends string>(word: W, min: number, max: number): Kind<number | W> => ({
  placeholder: 'X',
  schema: { anyOf: [{ type: 'number', minimum: min, maximum: max }, { const: word }] },
  takes: ['number', 'string'],
  completes: [word],
  parse(input, name) {
    if (input === word) return word
    const value = numberIn(input, min, max)
    if (value !== null) return value
    throw new UserError(`${name} must be ${word} or a number from ${min} to ${max}, not "${input}"`)
  },
})

/** A span of time such as `15m`, in ms. */
const spanKind = (min: string, max: string): Kind<number> => ({
  placeholder: 'SPAN',
  schema: { type: 'string', pattern: '^[1-9]\\d*[smhdw]$' },
  takes: ['string'],
  parse(input, name) {
    const lengthMs = readSpan(input)
    if (lengthMs !== null && lengthMs >= spanMs(min) && lengthMs <= spanMs(max)) return lengthMs
    throw new UserError(`${name} must be a span from ${min} to ${max}, such as 15m, not "${input}"`)
  },
})

/** A size in bytes, or a share of what there is. */
type SizeOrShare = number | `${number}%`

/** A size such as `2GB`, of at least `min` bytes, or a share such as `50%`. */
const sizeOrShareKind = (min: number): Kind<SizeOrShare> => ({
  placeholder: 'SIZE',
  schema: { type: 'string', pattern: '^(\\d+(\\.\\d+)?(kB|MB|GB)|[1-9]\\d?%|100%)$' },
  takes: ['string'],
  parse(input, name) {
    const [, percent] = /^([1-9]\d?|100)%$/.exec(input.trim()) ?? []
    if (percent !== undefined) return `${Number(percent)}%`
    const [, digits = '', unit = ''] = /^(\d+(?:\.\d+)?)(kB|MB|GB)$/i.exec(input.trim()) ?? []
    const bytes = Math.round(Number(digits) * (BYTES[unit.toLowerCase()] ?? 0))
    if (bytes >= min) return bytes
    const size = `a size of at least ${min / 1e6}MB, as 2GB`
    throw new UserError(`${name} must be ${size}, or a share from 1% to 100%, not "${input}"`)
  },
})

const BYTES: Readonly<Record<string, number>> = { kb: 1e3, mb: 1e6, gb: 1e9 }

/** One of some words. */
const choiceKind = <const C extends readonly string[]>(choices: C): Kind<C[number]> => ({
  placeholder: choices.join('|'),
  schema: { enum: choices },
  takes: ['string'],
  completes: choices,
  parse(input, name) {
    if (choices.includes(input)) return input
    throw new UserError(`${name} must be ${choices.join(' or ')}, not "${input}"`)
  },
})

function numberIn(input: string, min: number, max: number): number | null {
  const value = Number(input)
  return input.trim() !== '' && value >= min && value <= max ? value : null
}
