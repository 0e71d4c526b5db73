/** Lies between answers: each keeps its form, and contradicts another answer. */

import { OPERATIONS } from '../../contract/catalogue.ts'
import { joinedBy } from '../../contract/identities/identity.ts'
import { VENUE_INFO_TYPES } from '../../contract/info/index.ts'
import type { TSchema } from '../../contract/schema.ts'
import { isSafeToCall } from '../derived/tested-operation.ts'
import { JUDGED_IDENTITIES } from '../identity-questions.ts'
import type { JsonObject } from '../responses.ts'
import { type AnswerSource, dataChange, negated, nudged } from './answer-changes.ts'
import type { Lie } from './lying-transport.ts'
import { type NumericField, numericFields } from './numeric-fields.ts'

/** An operation or a type of info, and the schema of its data. */
interface Tried extends AnswerSource {
  id: string
  data: TSchema
}

/** Names that an identity joins: only of these another answer says the same. */
const JOINED = new Set([...JUDGED_IDENTITIES.address, ...JUDGED_IDENTITIES.coin].flatMap(joinedBy))

const TRIED: readonly Tried[] = [
  ...OPERATIONS.filter((operation) => isSafeToCall(operation) && JOINED.has(operation.id)).map(
    ({ id, data }) => ({ id, operation: id, data }),
  ),
  ...VENUE_INFO_TYPES.filter(({ type, profile }) => profile !== 'raw' && JOINED.has(type)).map(
    ({ type, data }) => ({ id: `perpdex.info.${type}`, operation: 'perpdex.info', type, data }),
  ),
]

const changed =
  (tried: Tried, holdersOf: NumericField['holders'], change: Change): Lie['change'] =>
  () =>
    dataChange(tried, (data) => {
      for (const holder of holdersOf(data)) change(holder)
      return data
    })

type Change = (holder: JsonObject) => void

const lie = (tried: Tried, what: string, change: Lie['change']): Lie => ({
  id: `between.${tried.id}.${what}`,
  family: 'between',
  of: tried.operation,
  ...(tried.type === undefined ? {} : { type: tried.type }),
  needs: `answers of ${tried.id} with values, and another answer of the same instant about them`,
  change,
})

/** Names of figures that can be below zero. */
const SIGNED = /pnl|delta|change|net|flow|diff|funding|degree|roi/i

const PAIRS = [
  ['long', 'short'],
  ['Long', 'Short'],
  ['buy', 'sell'],
  ['Buy', 'Sell'],
  ['bid', 'ask'],
  ['bids', 'asks'],
  ['high', 'low'],
  ['open', 'close'],
] as const

/** Two fields of one object, of which one is about the other side. */
function swaps(tried: Tried, fields: readonly NumericField[]): Lie[] {
  const paths = new Set(fields.map(({ path }) => path))
  return fields.flatMap((field) =>
    PAIRS.flatMap(([one, other]) => {
      const name = field.name.replace(one, other)
      const path = `${field.path.slice(0, field.path.length - field.name.length)}${name}`
      if (name === field.name || !paths.has(path)) return []
      const change = changed(tried, field.holders, (holder) => {
        const kept = holder[field.name]
        holder[field.name] = holder[name]
        holder[name] = kept
      })
      return [lie(tried, `${field.path}: swapped with ${name}`, change)]
    }),
  )
}

const of = (tried: Tried): Lie[] => {
  const fields = numericFields(tried.data)
  const each = (what: string, all: readonly NumericField[], change: (value: unknown) => unknown) =>
    all.map(({ path, name, holders }) =>
      lie(
        tried,
        `${path}: ${what}`,
        changed(tried, holders, (holder) => {
          holder[name] = change(holder[name])
        }),
      ),
    )
  return [
    ...each('a hundredth more', fields, nudged),
    ...each(
      'with the other sign',
      fields.filter(({ name }) => SIGNED.test(name)),
      negated,
    ),
    ...swaps(tried, fields),
  ]
}

export const BETWEEN_LIES: readonly Lie[] = TRIED.flatMap(of)
