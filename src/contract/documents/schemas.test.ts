import { expect, test } from 'bun:test'
import { A, B, bare, C } from '../operation.ts'
import { Decimal, Nullable, Type } from '../schema.ts'
import { enveloped, openapiSchema, plainSchema } from './components.ts'
import { fieldTable } from './reference.ts'

test('a tuple is prefixItems of 2020-12, at any depth, and items of draft 07', () => {
  const pair = Type.Array(Nullable(Type.Tuple([Decimal('price'), Type.Integer()])))
  expect(openapiSchema(pair)).toMatchObject({
    items: {
      anyOf: [
        {
          type: 'array',
          prefixItems: [{ type: 'string', description: 'price' }, { type: 'integer' }],
          items: { not: {} },
          minItems: 2,
          maxItems: 2,
        },
        { type: 'null' },
      ],
    },
  })
  expect(JSON.stringify(openapiSchema(pair))).not.toContain('additionalItems')
  expect(plainSchema(pair)).toMatchObject({
    items: { anyOf: [{ items: [{ type: 'string' }, { type: 'integer' }] }, { type: 'null' }] },
  })
})

test('no symbol of the contract’s schemas is left', () => {
  const schema = Type.Object({ a: Type.Optional(Type.String()) })
  expect(Object.getOwnPropertySymbols(schema)).not.toEqual([])
  expect(Object.getOwnPropertySymbols(plainSchema(schema))).toEqual([])
  expect(openapiSchema(schema)).toStrictEqual({
    type: 'object',
    properties: { a: { type: 'string' } },
  })
})

test('each envelope has its fields, its fixed values fixed', () => {
  const data = { type: 'integer' }
  expect(enveloped(bare, data)).toBe(data)
  expect(enveloped(A, data)).toMatchObject({
    required: ['success', 'errorCode', 'error', 'data'],
    properties: { success: { const: true }, errorCode: { const: 200 }, error: { const: '' }, data },
  })
  expect(enveloped(B({ code: '200', text: 'message' }), data)).toMatchObject({
    required: ['code', 'message', 'data'],
    properties: { code: { const: '200' }, message: { examples: ['success'] }, data },
  })
  expect(enveloped(C('done'), data)).toMatchObject({
    required: ['success', 'data', 'message'],
    properties: { message: { type: 'string', examples: ['done'] } },
  })
})

test('fields of alternatives are rows once, and those of one say so', () => {
  const either = Type.Array(
    Type.Union([
      Type.Object({ coin_key: Type.String(), older: Type.String() }),
      Type.Object({ coin_key: Type.String() }),
    ]),
  )
  const rows = fieldTable('data', either).split('\n').slice(2)
  expect(rows).toEqual([
    '| `data[].coin_key` | text |  |',
    '| `data[].older` | text | in form 1 of 2 |',
  ])
})
