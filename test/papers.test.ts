import { expect, test } from 'bun:test'
import { createRequire } from 'node:module'
import SwaggerParser from '@apidevtools/swagger-parser'
import Ajv from 'ajv'
import addFormats from 'ajv-formats'
import { CHANNELS, OPERATIONS } from '../src/contract/index.ts'
import { asyncapi } from '../src/specs/asyncapi.ts'
import { openapi } from '../src/specs/openapi.ts'

type Json = Record<string, unknown>

async function openapiFlaw(document: Json): Promise<string | null> {
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

test('the OpenAPI document is valid, and a broken one is not', async () => {
  const document = JSON.parse(JSON.stringify(openapi()))
  expect(await openapiFlaw(document)).toBeNull()
  const broken = structuredClone(document)
  const [path] = Object.keys(broken.paths)
  broken.paths[path as string].get.responses = { 200: {} }
  expect(await openapiFlaw(broken)).not.toBeNull()
})

test('the AsyncAPI document is valid, and a broken one is not', () => {
  const document = JSON.parse(JSON.stringify(asyncapi()))
  expect(checkAsyncapi(document) || checkAsyncapi.errors).toBe(true)
  expect(checkAsyncapi({ ...document, operations: { x: { action: 'shout' } } })).toBe(false)
})

test('every operation and every channel stands in its paper', () => {
  const paths = openapi().paths as Record<string, Json>
  const ids = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map((one) => (one as { operationId: string }).operationId),
  )
  expect(ids.sort()).toEqual(OPERATIONS.map(({ id }) => id).sort())
  const text = JSON.stringify(asyncapi())
  for (const { id } of CHANNELS) expect(text).toContain(`"${id}.push"`)
})

test('permissions, limits, refusals and assumptions are told', () => {
  const paths = openapi().paths as Record<string, Record<string, Json>>
  const depth = paths['/api/upgrade/v2/futures/latest-depth']?.get
  expect(depth).toMatchObject({ 'x-permission': 'LATEST_DEPTH' })
  const text = JSON.stringify(depth)
  expect(text).toContain('more than 500 is silently cut to 500')
  expect(text).toContain('Permission denied: LATEST_DEPTH')
  expect(text).toContain('Assumed here:')
  expect(text).toContain('"const":"200"')
})
