/** Faults on data: of answers, and of pushes. */

import { meaningOf } from '../../../contract/meaning.ts'
import { isNumberText, OneOf, type TSchema, Type } from '../../../contract/schema.ts'
import { mapLeaves } from '../../../contract/schema-walk.ts'
import { editRoom, type Fault, fault } from '../fault.ts'

// Changes of data, at any depth. The argument is not changed.

/** The data with each object's fields mapped by `change`; undefined removes one. */
export function mapFields(
  data: unknown,
  change: (name: string, value: unknown) => [name: string, value: unknown] | undefined,
): unknown {
  if (Array.isArray(data)) return data.map((one) => mapFields(one, change))
  if (typeof data !== 'object' || data === null) return data
  const entries = Object.entries(data).flatMap(([name, value]) => {
    const changed = change(name, value)
    return changed ? [[changed[0], mapFields(changed[1], change)]] : []
  })
  return Object.fromEntries(entries)
}

/**
 * The empty form of data: an empty list, null, or, where a record holds lists, that record with
 * empty lists, its subject fields, and null for everything else.
 */
function emptied(data: unknown, schema: TSchema): unknown {
  if (Array.isArray(data)) return []
  if (typeof data !== 'object' || data === null) return null
  const entries = Object.entries(data)
  if (!entries.some(([, value]) => Array.isArray(value))) return null
  const subjects = entries.flatMap(([name, value]) =>
    isSubject(schema, name) ? [[name, value]] : [[name, Array.isArray(value) ? [] : null]],
  )
  return Object.fromEntries(subjects)
}

/** Whether a field names the subject of the data. */
function isSubject(schema: TSchema, name: string): boolean {
  const members = (schema.anyOf ?? [schema]) as TSchema[]
  return members.some(({ properties = {} }) =>
    ['coin', 'symbol', 'address'].includes(meaningOf(properties[name] ?? {}) ?? ''),
  )
}

/** The data with every list cut to `length` items. */
function truncatedLists(data: unknown, length: number): unknown {
  if (Array.isArray(data)) return data.slice(0, length).map((one) => truncatedLists(one, length))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, truncatedLists(value, length)]),
  )
}

const exact = { additionalProperties: false }
const Field = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'name of a field, at any depth',
})

export const DATA_FAULTS: readonly Fault[] = [
  fault({
    name: 'empty',
    about: 'Lists are empty, and everything else is null.',
    settings: Type.Object({}, exact),
    onData: () => emptied,
  }),
  fault({
    name: 'empty-book',
    about: 'One or both sides of a book are empty.',
    settings: Type.Object(
      { side: Type.Optional(OneOf(['bids', 'asks'], 'the empty side; both by default')) },
      exact,
    ),
    onData: ({ side }) => {
      return (data) => mapFields(data, (name, value) => [name, emptySides(name, value, side)])
    },
  }),
  fault({
    name: 'swap-types',
    about: 'Numbers become text, and numeric text becomes numbers: in one field, or in all.',
    settings: Type.Object({ field: Type.Optional(Field) }, exact),
    onData({ field }) {
      if (field === undefined) return (data, schema) => mapLeaves(schema, data, swappedNumber)
      return (data) =>
        mapFields(data, (name, value) => [name, name === field ? swappedType(value) : value])
    },
  }),
  fault({
    name: 'set',
    about:
      'A field gets this value: null, "NaN", or any other. Large values are set as often as ' +
      'they fit into 4 MB of one answer or push.',
    settings: Type.Object({ field: Field, value: Type.Unknown() }, exact),
    onData: ({ field, value }) => {
      const length = JSON.stringify(value)?.length ?? 0
      return (data, _, room = editRoom()) =>
        mapFields(data, (name, own) => {
          if (name !== field || room.left < length) return [name, own]
          room.left -= length
          return [name, value]
        })
    },
  }),
  fault({
    name: 'rename',
    about: 'A field has another name.',
    settings: Type.Object({ field: Field, to: Field }, exact),
    onData: ({ field, to }) => {
      return (data) => mapFields(data, (name, value) => [name === field ? to : name, value])
    },
  }),
  fault({
    name: 'omit',
    about: 'A field is missing.',
    settings: Type.Object({ field: Field }, exact),
    onData: ({ field }) => {
      return (data) =>
        mapFields(data, (name, value) => (name === field ? undefined : [name, value]))
    },
  }),
  fault({
    name: 'truncate-lists',
    about: 'Lists are silently cut.',
    settings: Type.Object({ length: Type.Integer({ minimum: 0 }) }, exact),
    onData: ({ length }) => {
      return (data) => truncatedLists(data, length)
    },
  }),
  fault({
    name: 'shuffle',
    about: 'The list has a different order each time.',
    settings: Type.Object({}, exact),
    onData: (_, random) => (data) => {
      if (!Array.isArray(data)) return data
      return data
        .map((one) => [random.unit(), one] as const)
        .sort(([a], [b]) => a - b)
        .map(([, one]) => one)
    },
  }),
  fault({
    name: 'checksum-case',
    about: 'Addresses have capital letters, as in checksum addresses.',
    settings: Type.Object({}, exact),
    onData: () => (data, schema) => mapLeaves(schema, data, checksumCase),
  }),
]

function swappedType(value: unknown): unknown {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value
}

/** Sides of a book, in all forms in which books are represented. */
function emptySides(name: string, value: unknown, side: string | undefined): unknown {
  if (!Array.isArray(value)) return value
  const hasNo = (one: string) => side === undefined || side === one
  if (name === 'bids' || name === 'asks') return hasNo(name) ? [] : value
  const none = name === 'levels' ? [] : null
  const isBook = (name === 'levels' || name === 'bbo') && value.length === 2
  return isBook ? [hasNo('bids') ? none : value[0], hasNo('asks') ? none : value[1]] : value
}

const DECIMAL = /^-?\d+(\.\d+)?$/

const swappedNumber = (value: unknown, schema: TSchema): unknown =>
  typeof value === 'number' || isNumberText(schema) ? swappedType(value) : value

const checksumCase = (value: unknown, schema: TSchema): unknown =>
  typeof value === 'string' && meaningOf(schema) === 'address'
    ? `0x${value.slice(2).replaceAll(/[a-f](?=\d|$)/g, (letter) => letter.toUpperCase())}`
    : value
