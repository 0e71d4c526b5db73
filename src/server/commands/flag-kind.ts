/** The kinds of values that flags take: how a text becomes one, and what else is known of it. */
import { readSpan, spanMs } from '../../contract/span.ts'
import { UserError } from '../../platform/user-error.ts'

/** What a shell offers for a value: names, or what lies on the disk. */
export type Completes = 'file' | 'tape' | 'scenario' | 'history' | readonly string[]

/** How a text becomes a value. */
export interface Kind<V> {
  placeholder: string
  schema: object
  /** What it may be in a settings file. */
  takes: readonly ('number' | 'string')[]
  completes?: Completes
  /** A `UserError` says what it must be, under the name by which it was given. */
  parse(text: string, name: string): V
}

/** Any text. */
export const textKind = (placeholder: string, completes?: Completes): Kind<string> => ({
  placeholder,
  schema: { type: 'string' },
  takes: ['string'],
  ...(completes === undefined ? {} : { completes }),
  parse: (said) => said,
})

/** A number in a range, ends included. */
export const numberKind = (min: number, max: number): Kind<number> => ({
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
export const wholeNumberKind = (min: number, max: number, unit: string): Kind<number> => ({
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
export const numberOrKind = <W extends string>(
  word: W,
  min: number,
  max: number,
): Kind<number | W> => ({
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
export const spanKind = (min: string, max: string): Kind<number> => ({
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
export type SizeOrShare = number | `${number}%`

/** A size such as `2GB`, of at least `min` bytes, or a share such as `50%`. */
export const sizeOrShareKind = (min: number): Kind<SizeOrShare> => ({
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
export const choiceKind = <const C extends readonly string[]>(choices: C): Kind<C[number]> => ({
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
