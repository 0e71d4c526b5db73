/** The meanings of parameters are declared on their schemas. */
import { expect, test } from 'bun:test'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import { VENUE_INFO_TYPES } from '../../src/contract/info/index.ts'
import { meaningOf } from '../../src/contract/meaning.ts'
import { fieldsOf, parametersOf } from '../../src/contract/parameters.ts'
import type { TSchema } from '../../src/contract/schema.ts'

test('every requested instant and span has a meaning', () => {
  const parameters = [
    ...OPERATIONS.flatMap((one) => parametersOf(one).map((field) => ({ id: one.id, ...field }))),
    ...VENUE_INFO_TYPES.flatMap(({ type, request }) =>
      fieldsOf('body', request).map((field) => ({ id: type, ...field })),
    ),
  ]
  const isOfTime = (schema: TSchema): boolean =>
    schema['x-time'] !== undefined ||
    schema['x-span'] !== undefined ||
    /days back|how far back/.test(schema.description ?? '') ||
    ((schema.anyOf ?? []) as TSchema[]).some(isOfTime)
  const silent = parameters
    .filter(({ schema }) => isOfTime(schema) && meaningOf(schema) === undefined)
    .map(({ id, name }) => `${id} ${name}`)
  expect(silent).toEqual([])
  expect(parameters.filter(({ schema }) => isOfTime(schema)).length).toBeGreaterThan(50)
})
