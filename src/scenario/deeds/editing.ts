/** Deeds on data: of answers, and of pushes. */
import { mapLeaves } from '../../contract/leaves.ts'
import { meaningOf } from '../../contract/meaning.ts'
import { isNumberText, type TSchema, Type } from '../../contract/schema.ts'
import { type Deed, deed } from '../deed.ts'
import { emptied, mapFields, shortened } from '../edits.ts'

const exact = { additionalProperties: false }
const Field = Type.String({ minLength: 1, description: 'name of a field, wherever it stands' })

export const EDITING: readonly Deed[] = [
  deed({
    name: 'empty',
    about: 'There is nothing: lists are empty, everything else is null.',
    settings: Type.Object({}, exact),
    edit: () => emptied,
  }),
  deed({
    name: 'retype',
    about: 'Numbers come as text and text that is a number as a number: one field, or all.',
    settings: Type.Object({ field: Type.Optional(Field) }, exact),
    edit({ field }) {
      if (field === undefined) return (data, schema) => mapLeaves(schema, data, turnedNumber)
      return (data) =>
        mapFields(data, (name, value) => [name, name === field ? turned(value) : value])
    },
  }),
  deed({
    name: 'set',
    about: 'A field has this value: null, "NaN", or anything else.',
    settings: Type.Object({ field: Field, value: Type.Unknown() }, exact),
    edit: ({ field, value }) => {
      return (data) => mapFields(data, (name, own) => [name, name === field ? value : own])
    },
  }),
  deed({
    name: 'rename',
    about: 'A field has another name.',
    settings: Type.Object({ field: Field, to: Field }, exact),
    edit: ({ field, to }) => {
      return (data) => mapFields(data, (name, value) => [name === field ? to : name, value])
    },
  }),
  deed({
    name: 'omit',
    about: 'A field is missing.',
    settings: Type.Object({ field: Field }, exact),
    edit: ({ field }) => {
      return (data) =>
        mapFields(data, (name, value) => (name === field ? undefined : [name, value]))
    },
  }),
  deed({
    name: 'shorten',
    about: 'Lists are cut without a word.',
    settings: Type.Object({ most: Type.Integer({ minimum: 0 }) }, exact),
    edit: ({ most }) => {
      return (data) => shortened(data, most)
    },
  }),
  deed({
    name: 'shuffle',
    about: 'The list comes in another order each time.',
    settings: Type.Object({}, exact),
    edit: (_, dice) => (data) => {
      if (!Array.isArray(data)) return data
      return data
        .map((one) => [dice.unit(), one] as const)
        .sort(([a], [b]) => a - b)
        .map(([, one]) => one)
    },
  }),
  deed({
    name: 'capitals',
    about: 'Addresses come with capital letters, as checksums write them.',
    settings: Type.Object({}, exact),
    edit: () => (data, schema) => mapLeaves(schema, data, capital),
  }),
]

function turned(value: unknown): unknown {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value
}

const DECIMAL = /^-?\d+(\.\d+)?$/

const turnedNumber = (value: unknown, schema: TSchema): unknown =>
  typeof value === 'number' || isNumberText(schema) ? turned(value) : value

const capital = (value: unknown, schema: TSchema): unknown =>
  typeof value === 'string' && meaningOf(schema) === 'address'
    ? `0x${value.slice(2).replaceAll(/[a-f](?=\d|$)/g, (letter) => letter.toUpperCase())}`
    : value
