/** The API documents are valid by public validators, and complete. */
import { expect, test } from 'bun:test'
import { createRequire } from 'node:module'
import SwaggerParser from '@apidevtools/swagger-parser'
import Ajv from 'ajv'
import Ajv2020 from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { CHANNELS, OPERATIONS } from '../../src/contract/catalogue.ts'
import { asyncapi } from '../../src/contract/documents/asyncapi.ts'
import { typeName } from '../../src/contract/documents/components.ts'
import { INFO_TYPES } from '../../src/contract/info/index.ts'
import { pages } from '../../src/pages/documents/pages.ts'
import { server } from '../../src/server/transport/elysia/server.ts'
import {
  documents,
  messagesOf,
  openapi,
  operationsOf,
  resolved,
  schemaOf,
} from '../fixtures/api-documents.ts'
import { fakeRegistry } from '../fixtures/fake-market.ts'

type Json = Record<string, unknown>

async function openapiFlaw(document: unknown): Promise<string | null> {
  try {
    await SwaggerParser.validate(structuredClone(document) as never)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

const specification = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0.json')
const ajv = new Ajv({ strict: false, meta: false, validateSchema: false })
addFormats(ajv)
const checkAsyncapi = ajv.compile(specification)

/** Broken references of a document. */
function broken(document: unknown): string[] {
  const targets = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)]
  return targets.flatMap(([, target = '']) => {
    const parts = target.split('/').map((part) => part.replaceAll('~1', '/'))
    const found = parts.reduce((at: unknown, part) => (at as Json | undefined)?.[part], document)
    return found === undefined ? [target] : []
  })
}

test('the OpenAPI document is valid', async () => {
  expect(await openapiFlaw(openapi())).toBeNull()
})

test.each([
  ['a parameter in no place', (get: Json) => ({ ...get, parameters: [{ name: 'a', in: 'b' }] })],
  ['an answer without a description', (get: Json) => ({ ...get, responses: { 200: {} } })],
  [
    'a reference that leads nowhere',
    (get: Json) => ({ ...get, requestBody: { $ref: '#/components/requestBodies/none' } }),
  ],
])('an OpenAPI document with %s is not valid', async (_, spoil) => {
  const document = structuredClone(openapi()) as { paths: Record<string, { get: Json }> }
  const item = Object.values(document.paths).find(({ get }) => get !== undefined)
  if (!item) throw new Error('no operation with GET')
  item.get = spoil(item.get)
  expect(await openapiFlaw(document)).toBeString()
})

test('the AsyncAPI document is valid, and its references lead somewhere', () => {
  const document = asyncapi()
  expect(checkAsyncapi(document) || checkAsyncapi.errors).toBe(true)
  expect(broken(document)).toEqual([])
})

test('a broken AsyncAPI document is not valid', () => {
  const document = asyncapi()
  expect(checkAsyncapi({ ...document, operations: { x: { action: 'shout' } } })).toBe(false)
  expect(checkAsyncapi({ ...document, channels: { x: { address: 7 } } })).toBe(false)
  expect(broken({ a: { $ref: '#/b' } })).toEqual(['b'])
})

test('every schema in the documents is JSON Schema of the draft of its document', () => {
  const modern = new Ajv2020({ strict: false })
  const answers = operationsOf().flatMap(({ schemas }) => schemas)
  expect(answers.length).toBeGreaterThan(OPERATIONS.length)
  for (const schema of [...answers, ...Object.values(documents.openapi.components.schemas)])
    expect(modern.validateSchema(schema) || modern.errors).toBe(true)
  const old = new Ajv({ strict: false })
  for (const { payload } of messagesOf())
    expect(old.validateSchema(payload) || old.errors).toBe(true)
  expect(modern.validateSchema({ type: 'sting' })).toBe(false)
  expect(modern.validateSchema({ items: [{ type: 'string' }] })).toBe(false)
})

test('the documents are plain JSON', () => {
  for (const make of [openapi, asyncapi])
    expect(JSON.parse(JSON.stringify(make())) as Json).toStrictEqual(make())
})

test('every operation, every type of POST /info and every channel is in its document', () => {
  const ids = operationsOf().map(({ operationId }) => operationId)
  expect(ids.sort()).toEqual(OPERATIONS.map(({ id }) => id).sort())
  const schemas = Object.keys(documents.openapi.components.schemas)
  for (const { type } of INFO_TYPES)
    expect(schemas).toEqual(
      expect.arrayContaining([`Info${typeName(type)}Request`, `Info${typeName(type)}Answer`]),
    )
  const pushed = messagesOf().map(({ name }) => name)
  for (const { id } of CHANNELS) expect(pushed).toContain(`${id}.push`)
})

test('permissions, limits, refusals and assumptions are documented', () => {
  const depth = operationsOf().find(({ operationId }) => operationId === 'futures.latestDepth')
  expect(depth?.operation).toMatchObject({ 'x-permission': 'LATEST_DEPTH' })
  expect(resolved(depth?.operation.responses[403])).toMatchObject({
    description: 'Permission denied: NAME_OF_THE_PERMISSION',
  })
  expect(depth && schemaOf(depth.operation.responses[200])).toEqual([
    { $ref: '#/components/schemas/FuturesLatestDepthAnswer' },
  ])
  expect(documents.openapi.components.schemas.FuturesLatestDepthAnswer).toMatchObject({
    properties: { code: { const: '200' }, data: { $ref: '#/components/schemas/LatestDepth' } },
  })
  const text = JSON.stringify(depth?.operation)
  expect(text).toContain('more than 500 is silently cut to 500')
  expect(text).toContain('missing required parameter: dbKey')
  expect(text).toContain('Assumed here:')
})

test('limits of keys are documented everywhere', () => {
  const declared = new Map(OPERATIONS.map(({ id, access }) => [id, access.kind]))
  for (const { operationId, operation } of operationsOf())
    expect([operationId, '429' in operation.responses]).toEqual([
      operationId,
      declared.get(operationId) !== 'public',
    ])
})

test('each entity is a component with a name that is a type in any language', () => {
  const { schemas, responses } = documents.openapi.components
  for (const name of [...Object.keys(schemas), ...Object.keys(responses)])
    expect(name).toMatch(/^[A-Z][A-Za-z0-9]*$/)
  for (const [name, schema] of Object.entries(schemas))
    expect([name, Object.values(schema).flatMap(objectsIn)]).toEqual([name, []])
  for (const { operationId, schemas } of operationsOf())
    expect([operationId, schemas.flatMap(objectsIn)]).toEqual([operationId, []])
  expect(objectsIn({ items: { type: 'object', properties: {} } })).toHaveLength(1)
})

/** Object schemas without a name. */
function objectsIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const { type, properties } = value as Json
  const inner = Object.values(value).flatMap(objectsIn)
  return type === 'object' && properties !== undefined ? [value, ...inner] : inner
}

test('the document is small enough to be read by tools in a browser', () => {
  const document = JSON.parse(pages.get('/openapi.json')?.().body ?? '')
  expect(JSON.stringify(document).length).toBeLessThan(500_000)
})

test('the pages are the documents, made once and served as JSON', async () => {
  for (const [path, make] of [
    ['/openapi.json', openapi],
    ['/asyncapi.json', asyncapi],
  ] as const) {
    const app = server({ registry: await fakeRegistry(), control: [], pages })
    const answer = await app.handle(new Request(`http://localhost${path}`))
    expect(answer.headers.get('content-type')).toStartWith('application/json')
    expect(await answer.json()).toStrictEqual(make())
    expect(pages.get(path)?.()).toBe(pages.get(path)?.() as never)
  }
})
