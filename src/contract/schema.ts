/**
 * The building blocks of schemas: JSON Schema with keywords of ours: `x-time` (an instant in that
 * unit), `x-cut` (more than this is silently cut, never refused), `x-alias` (other spellings that
 * clients send), `x-list` (the separator of a list in one text), `x-repeat` (the name may be
 * repeated, and every value counts), `x-form` (the form of a text in words) and `x-identifies` (an
 * id of that kind). The meaning of a parameter is `x-meaning` (meaning.ts).
 */
import {
  Kind,
  type Static,
  type TInteger,
  type TSchema,
  Type,
  TypeRegistry,
} from '@sinclair/typebox'
import { type MeaningDetails, meant } from './meaning.ts'
import { readSpan } from './span.ts'

/**
 * ms, s: whole numbers; sOrMs: either, by its size. msDigits, sDigits: the same as text.
 * iso: `2026-01-15T12:00:29.16Z`.
 * text: `2026-01-15 12:00:29`.
 */
export type TimeUnit = 'ms' | 's' | 'sOrMs' | 'msDigits' | 'sDigits' | 'iso' | 'text'

/** Keywords of a parameter besides its schema. */
export interface ParameterKeywords {
  description?: string
  default?: unknown
  examples?: unknown[]
  'x-alias'?: string[]
}

/** A decimal number as text. */
export const Decimal = (description = 'decimal number') =>
  Type.String({ pattern: '^-?\\d+(\\.\\d+)?$', description })

/** A whole number as text. */
export const Digits = (description: string) => Type.String({ pattern: '^\\d+$', description })

/** Whether the texts of a schema are numbers: its pattern begins with digits. */
export const isNumberText = ({ pattern = '' }: TSchema): boolean => /^\^(-\?)?\\d/.test(pattern)

/** A decimal number as text, or null where there is none. */
export const NullableDecimal = (description = 'decimal number, null where there is none') =>
  Type.Union([Decimal(description), Type.Null()])

/** An account address: `0x` and 40 hexadecimal digits, lower case in answers. */
export const Address = (description = 'account address') =>
  meant('address', Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description }))

/** A coin's name on the perpetual venue: `BTC`, `kPEPE`, `@107`, `PURR/USDC`, `xyz:TSLA`. */
export const Coin = (description = 'coin name, such as BTC, kPEPE, PURR/USDC or xyz:TSLA') =>
  meant('coin', Type.String({ minLength: 1, maxLength: 64, description }))

/** A pair, an index or a stock, or a coin by its key or symbol. */
export const SymbolName = (description = 'pair, `symbol:exchange`') =>
  meant('symbol', Type.String({ description }))

/** B: bid or buy; A: ask or sell. */
export const Side = Type.Union([Type.Literal('B'), Type.Literal('A')], {
  description: 'B bid or buy, A ask or sell',
})

const instant = <T extends TSchema>(unit: TimeUnit, schema: T): T =>
  meant('instant', { ...schema, 'x-time': unit })

/** An instant in whole milliseconds since 1970. */
export const TimeMs = (description = 'time, ms') => instant('ms', Type.Integer({ description }))

/** An instant in whole seconds since 1970. */
export const TimeS = (description = 'time, s') => instant('s', Type.Integer({ description }))

/** An instant in whole seconds or milliseconds, by the answer to an open question. */
export const TimeSOrMs = (description = 'time, s or ms') =>
  instant('sOrMs', Type.Integer({ description }))

/** An instant in ms, written as text. */
export const TimeMsDigits = (description = 'time, ms, as text') =>
  instant('msDigits', Type.String({ pattern: '^\\d+$', description }))

/** An instant in seconds, written as text. */
export const TimeSDigits = (description = 'time, s, as text') =>
  instant('sDigits', Type.String({ pattern: '^\\d+$', description }))

/** An instant in ISO 8601, UTC, at most three decimals. */
export const TimeIso = (description = 'time, ISO 8601, UTC') =>
  instant('iso', Type.String({ description }))

/** An instant as `YYYY-MM-DD HH:mm:ss`, UTC. */
export const TimeText = (description = 'time, YYYY-MM-DD HH:mm:ss, UTC') =>
  instant('text', Type.String({ description }))

/** The kind of an id, which differs in each lap of a tape. */
export type Identified = 'order' | 'trade' | 'twap' | 'transaction' | 'article'

/** An id. */
export const IdOf = <T extends TSchema>(of: Identified, schema: T): T => ({
  ...schema,
  'x-identifies': of,
})

/** A schema with keywords of ours; its type does not change. */
export const withKeywords = <T extends TSchema>(
  schema: T,
  keywords: Record<`x-${string}`, unknown>,
): T => ({ ...schema, ...keywords })

/** A parameter with a default. */
export const WithDefault = <T extends TSchema>(schema: T, value: unknown): T & Defaulted =>
  ({ ...schema, default: value }) as T & Defaulted

/** Marks, for types, an optional parameter with a default. */
export interface Defaulted {
  default: NonNullable<unknown>
}

/** A count that is silently cut to `max`, with a default. */
export function Limit(cut: { default: number; max?: number }, about?: string): TInteger & Defaulted
export function Limit(cut: { max?: number }, about?: string): TInteger
export function Limit(cut: { default?: number; max?: number }, about = 'how many at most') {
  const { default: usual, max } = cut
  const most = max === undefined ? {} : { 'x-cut': max }
  const count = meant('pageSize', Type.Integer({ description: about, minimum: 1, ...most }))
  return usual === undefined ? count : WithDefault(count, usual)
}

/** A page number, from 1; the answer to one beyond `last` is an open question. */
export const PageNumber = (last: number) =>
  WithDefault(Type.Integer({ description: `page, from 1 to ${last}`, minimum: 1 }), 1)

/** A list that is silently cut after the first `max`. */
export const Batch = <T extends TSchema>(item: T, max: number, description: string) =>
  Type.Array(item, { description, 'x-cut': max })

/** Comma-separated text as a list that is silently cut after the first `max`. */
export const CommaList = (max: number, description: string) =>
  Type.String({ description, 'x-cut': max, 'x-list': ',' })

/**
 * A list of whole numbers in a query: comma-separated, or the name repeated without limit
 * (`x-repeat`); it is silently cut after the first `max`.
 */
export const NumberList = (
  of: { default: number[]; max: number; alias: string[] },
  description: string,
) =>
  WithDefault(
    Type.Array(Type.Integer(), {
      description,
      'x-alias': of.alias,
      'x-cut': of.max,
      'x-list': ',',
      'x-repeat': true,
    }),
    of.default,
  )

/** A span of time such as `15m`, from `least` to `most`. */
export const Span = (least: string, most: string, description: string) =>
  Type.Unsafe<string>({
    [Kind]: 'Span',
    type: 'string',
    description: `${description}, ${least} to ${most}`,
    'x-span': [least, most],
  })

TypeRegistry.Set<TSchema>('Span', (schema, value) => {
  const [least, most] = schema['x-span'].map(readSpan) as [number, number]
  const length = typeof value === 'string' ? readSpan(value) : null
  return length !== null && length >= least && length <= most
})

/** A look-back from the present, such as `15m`, from `least` to `most`. */
export const Lookback = (
  least: string,
  most: string,
  { description = 'how far back', ...details }: MeaningDetails & { description?: string } = {},
) => meant('rangeLength', Span(least, most, description), details)

/** One of a fixed set of words. */
export const OneOf = <const T extends string[]>(words: T, description: string) =>
  Type.Unsafe<T[number]>({ [Kind]: 'OneOf', type: 'string', enum: words, description })

TypeRegistry.Set<TSchema>('OneOf', (schema, value) => (schema.enum as unknown[]).includes(value))

/** The value T or null. */
export const Nullable = <T extends TSchema>(schema: T, about: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], about)

/** No parameters of this place. */
export const NoParameters = Type.Object({})

export type { TObject } from '@sinclair/typebox'
export { type Static, type TSchema, Type }
