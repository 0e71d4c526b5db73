/** Faults on pushes, one stream to one client at a time. */

import { Type } from '../../../contract/schema.ts'
import { rebaseOf } from '../../../contract/shown-value.ts'
import { type Fault, fault, type OutgoingPush } from '../fault.ts'
import { mapFields } from './data.ts'

const exact = { additionalProperties: false }
const NO_SETTINGS = Type.Object({}, exact)

export const PUSH_FAULTS: readonly Fault[] = [
  fault({
    name: 'silence',
    about: 'Nothing is pushed. The connection stays open, heartbeats are answered, books expire.',
    settings: NO_SETTINGS,
    onPush: () => () => [],
  }),
  fault({
    name: 'stale',
    about: 'Books are marked as expired.',
    settings: NO_SETTINGS,
    onPush: () => (push) => [{ ...push, stale: true }],
  }),
  fault({
    name: 'freeze',
    about: 'The same push is repeated, with its old time.',
    settings: NO_SETTINGS,
    onPush: () => {
      let first: OutgoingPush | null = null
      return (push) => {
        first ??= push
        return [first]
      }
    },
  }),
  fault({
    name: 'lose-pushes',
    about: 'Some pushes are lost.',
    settings: Type.Object(
      { count: Type.Integer({ minimum: 1, description: 'number of times' }) },
      exact,
    ),
    onPush: ({ count }) => {
      let left = count
      return (push) => (left-- > 0 ? [] : [push])
    },
  }),
  fault({
    name: 'repeat',
    about: 'Each push is sent several times.',
    settings: Type.Object({ times: Type.Integer({ minimum: 2, maximum: 100 }) }, exact),
    onPush: ({ times }) => {
      return (push) => Array<OutgoingPush>(times).fill(push)
    },
  }),
  fault({
    name: 'reorder',
    about: 'Pushes are sent in pairs, the later one first.',
    settings: NO_SETTINGS,
    onPush: () => {
      let held: OutgoingPush[] = []
      const inPairs = (push: OutgoingPush) => {
        const pair = [push, ...held]
        held = pair.length === 1 ? pair : []
        return pair.length === 1 ? [] : pair
      }
      return Object.assign(inPairs, { rest: () => held.splice(0) })
    },
  }),
  fault({
    name: 'backdate',
    about: 'Times are set back.',
    settings: Type.Object({ ms: Type.Integer({ minimum: 1, description: 'how far, ms' }) }, exact),
    onPush: ({ ms }) => {
      return ({ data, ...push }, schema) => [
        { ...push, data: rebaseOf(schema)?.(data, -ms) ?? data },
      ]
    },
  }),
  fault({
    name: 'crossed-book',
    about: 'The best bid of a book is above its best ask.',
    settings: NO_SETTINGS,
    onPush: () => (push) => [{ ...push, data: mapFields(push.data, crossedBook) }],
  }),
  fault({
    name: 'burst',
    about: 'Pushes are held back and then sent together.',
    settings: Type.Object({ size: Type.Integer({ minimum: 2, maximum: 10_000 }) }, exact),
    onPush: ({ size }) => {
      const held: OutgoingPush[] = []
      const inBursts = (push: OutgoingPush) => {
        held.push(push)
        return held.length < size ? [] : held.splice(0)
      }
      return Object.assign(inBursts, { rest: () => held.splice(0) })
    },
  }),
]

/** Bids and asks swapped: the best bid is then above the best ask. */
function crossedBook(name: string, value: unknown): [string, unknown] {
  const isBook = (name === 'levels' || name === 'bbo') && Array.isArray(value)
  return [name, isBook ? value.toReversed() : value]
}
