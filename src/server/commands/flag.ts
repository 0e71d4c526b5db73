/** Flags as they are declared: what one takes, what it means, and what it is when not given. */
import { UserError } from '../../platform/user-error.ts'
import {
  type Completes,
  choiceKind,
  type Kind,
  numberKind,
  numberOrKind,
  type SizeOrShare,
  sizeOrShareKind,
  spanKind,
  textKind,
  wholeNumberKind,
} from './flag-kind.ts'

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
