/** Deeds on pushes, one stream to one client at a time. */
import { rebaseOf } from '../../contract/rebase.ts'
import { Type } from '../../contract/schema.ts'
import { type Deed, deed, type Pushed } from '../deed.ts'
import { mapFields } from '../edits.ts'

const exact = { additionalProperties: false }
const none = Type.Object({}, exact)

export const PUSHING: readonly Deed[] = [
  deed({
    name: 'hush',
    about: 'Nothing is pushed. The connection stays, heartbeats are answered, books expire.',
    settings: none,
    flow: () => () => [],
  }),
  deed({
    name: 'stale',
    about: 'Books are marked as expired.',
    settings: none,
    flow: () => (push) => [{ ...push, stale: true }],
  }),
  deed({
    name: 'freeze',
    about: 'The same push again and again, with its old time.',
    settings: none,
    flow: () => {
      let first: Pushed | null = null
      return (push) => {
        first ??= push
        return [first]
      }
    },
  }),
  deed({
    name: 'gap',
    about: 'Some pushes are lost.',
    settings: Type.Object({ skip: Type.Integer({ minimum: 1, description: 'how many' }) }, exact),
    flow: ({ skip }) => {
      let left = skip
      return (push) => (left-- > 0 ? [] : [push])
    },
  }),
  deed({
    name: 'repeat',
    about: 'Each push comes several times.',
    settings: Type.Object({ times: Type.Integer({ minimum: 2, maximum: 100 }) }, exact),
    flow: ({ times }) => {
      return (push) => Array<Pushed>(times).fill(push)
    },
  }),
  deed({
    name: 'reorder',
    about: 'Two pushes at a time come the wrong way round.',
    settings: none,
    flow: () => {
      let held: Pushed | null = null
      return (push) => {
        if (held === null) {
          held = push
          return []
        }
        const pair = [push, held]
        held = null
        return pair
      }
    },
  }),
  deed({
    name: 'regress',
    about: 'Times are earlier than they were.',
    settings: Type.Object(
      { ms: Type.Integer({ minimum: 1, description: 'by so much, ms' }) },
      exact,
    ),
    flow: ({ ms }) => {
      return ({ data, ...push }, schema) => [
        { ...push, data: rebaseOf(schema)?.(data, -ms) ?? data },
      ]
    },
  }),
  deed({
    name: 'crossed',
    about: 'The best bid of a book is above its best ask.',
    settings: none,
    flow: () => (push) => [{ ...push, data: mapFields(push.data, swapped) }],
  }),
  deed({
    name: 'hollow',
    about: 'Both sides of a book are empty.',
    settings: none,
    flow: () => (push) => [{ ...push, data: mapFields(push.data, hollow) }],
  }),
  deed({
    name: 'burst',
    about: 'Pushes are held back and then come all at once.',
    settings: Type.Object({ size: Type.Integer({ minimum: 2, maximum: 10_000 }) }, exact),
    flow: ({ size }) => {
      let held: Pushed[] = []
      return (push) => {
        held.push(push)
        if (held.length < size) return []
        const all = held
        held = []
        return all
      }
    },
  }),
]

/** Bids where asks should be: the best bid is then above the best ask. */
function swapped(name: string, value: unknown): [string, unknown] {
  const isBook = (name === 'levels' || name === 'bbo') && Array.isArray(value)
  return [name, isBook ? value.toReversed() : value]
}

function hollow(name: string, value: unknown): [string, unknown] {
  if (name === 'levels' && Array.isArray(value)) return [name, [[], []]]
  if (name === 'bbo' && Array.isArray(value)) return [name, [null, null]]
  return [name, value]
}
