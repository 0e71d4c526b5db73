import { expect, test } from 'bun:test'
import { distributorAccess, permission, publicAccess, signedAccess } from '../access.ts'
import { B, type Operation, operation } from '../operation.ts'
import { refusalText } from '../refusal-forms.ts'
import { Limit, Type } from '../schema.ts'
import { refusalsOf } from './responses.ts'

function declared(rest: Partial<Operation>): Operation {
  const declared = { id: 'toy.thing', title: '', source: '', envelope: B(), access: signedAccess }
  const request = { method: 'GET' as const, path: '/toy', data: Type.Null(), examples: [] }
  return { ...operation({ ...declared, ...request, answer: () => null }), ...rest }
}

const texts = (rest: Partial<Operation>) => refusalsOf(declared(rest)).map(refusalText)

/** The refusals of every call with a key. */
const OF_KEYS = [
  'Invalid signature',
  'too many requests: at most 60 a minute',
  'the quota of this month is used up',
]

test('the access determines the refusals of signature, limits and permission', () => {
  expect(texts({ access: publicAccess })).toEqual([])
  expect(texts({ access: signedAccess })).toEqual(OF_KEYS)
  expect(texts({ access: permission('X') })).toEqual([...OF_KEYS, 'Permission denied: X'])
  expect(texts({ access: distributorAccess })).toEqual([
    ...OF_KEYS,
    'Permission denied: DISTRIBUTOR',
  ])
})

test('only a required parameter can be missing, only one with a form can be invalid', () => {
  const free = { params: { query: Type.Object({ coins: Type.Optional(Type.String()) }) } }
  expect(texts({ access: publicAccess, ...free })).toEqual([])
  const filled = { params: { query: Type.Object({ size: Limit({ default: 10, max: 20 }) }) } }
  expect(texts({ access: publicAccess, ...filled })).toEqual([
    'invalid parameter: size must be a whole number, 1 or more',
  ])
  const needed = { params: { query: Type.Object({ dbKey: Type.String() }) } }
  expect(texts({ access: publicAccess, ...needed })).toEqual(['missing required parameter: dbKey'])
})

test('a body can be too large, no object, and of wrong fields; further refusals come last', () => {
  const params = { body: Type.Object({ coinKeys: Type.Array(Type.String()) }) }
  expect(
    texts({ method: 'POST', access: publicAccess, params, refuses: ['position', 'body'] }),
  ).toEqual([
    'request body is larger than 1048576 bytes',
    'invalid request body: expected a JSON object',
    'missing required parameter: coinKeys',
    'invalid parameter: coinKeys must be an array, each item text',
    'position not found',
  ])
})
