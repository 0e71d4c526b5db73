/** The examples of the control plane's document work on the server that shows them. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { dereference } from '@apidevtools/swagger-parser'
import Ajv2020 from 'ajv/dist/2020'
import { withCalls } from '../../scripts/control-page.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

type Schema = Record<string, unknown>
type Examples = Record<string, { value: unknown }>

interface Call {
  operationId: string
  tags: string[]
  parameters: { name: string; in: string; schema: Schema; examples?: Examples }[]
  requestBody?: { content: { 'application/json': { schema: Schema; examples: Examples } } }
  responses: { 200: { content: Record<string, { schema: Schema }> } }
}

const { registry } = await recordedRegistry()
const { origin } = await serveRegistry(registry)
const served = await (await fetch(`${origin}/_control/openapi.json`)).json()
const document = (await dereference(served as never)) as unknown as {
  tags: { name: string }[]
  paths: Record<string, Record<string, Call>>
}

const ajv = new Ajv2020({ strict: false })
const flaw = (schema: Schema, value: unknown): string | null =>
  ajv.validate(schema, value) ? null : ajv.errorsText()

/** Created before it is deleted: groups in the order of the document, deletions last. */
const calls = Object.entries(document.paths)
  .flatMap(([at, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ at, method, call })),
  )
  .toSorted((a, b) => rank(a.call) - rank(b.call) || order(a.method) - order(b.method))

function rank({ tags: [group] }: Call): number {
  return document.tags.findIndex(({ name }) => name === group)
}
function order(method: string): number {
  return ['post', 'put', 'get', 'delete'].indexOf(method)
}

const requests = calls.flatMap(({ at, method, call }) => {
  const { parameters, requestBody, operationId, responses } = call
  const body = requestBody?.content['application/json']
  const sets = [...parameters.map(({ examples = {} }) => examples), body?.examples ?? {}]
  const names = new Set(sets.flatMap((examples) => Object.keys(examples)))
  const isPlain = !body && !at.includes('{')
  return [...(names.size === 0 && isPlain ? ['plain'] : names)].map((name) => ({
    title: `${operationId}, ${name}`,
    at,
    method,
    name,
    parameters,
    body,
    responses,
  }))
})

test('every call belongs to a group that the document names', () => {
  for (const { call } of calls) expect([call.operationId, rank(call)]).not.toContain(-1)
})

test('every call has an example, except the one that needs another’s answer', () => {
  const shown = new Set(requests.map(({ title }) => title.split(',')[0]))
  const ids = calls.map(({ call }) => call.operationId)
  expect(ids.filter((id) => !shown.has(id))).toEqual(['snapshot.put'])
})

test.each(requests)('$title is answered', async (request) => {
  const { method, name, parameters, body, responses } = request
  const url = new URL(origin)
  url.pathname = request.at
  for (const { name: parameter, in: place, schema, examples = {} } of parameters) {
    const value = examples[name]?.value
    if (value === undefined) continue
    expect([parameter, flaw(schema, value)]).toEqual([parameter, null])
    if (place === 'query') url.searchParams.set(parameter, String(value))
    else url.pathname = decodeURI(url.pathname).replace(`{${parameter}}`, String(value))
  }
  expect(decodeURI(url.pathname)).not.toContain('{')
  const given = body?.examples[name]?.value
  if (body && given !== undefined) expect(flaw(body.schema, given)).toBeNull()
  const sent = given === undefined ? {} : { body: JSON.stringify(given) }
  const answer = await fetch(url, { method: method.toUpperCase(), ...sent })
  const text = await answer.text()
  expect([answer.status, text]).toEqual([200, expect.any(String)])
  const json = responses[200].content['application/json']
  if (json) expect(flaw(json.schema, JSON.parse(text))).toBeNull()
})

test('docs/control.md has the calls of the code; else run `bun run generate`', async () => {
  const page = await Bun.file(path.join(PROJECT_FOLDER, 'docs', 'control.md')).text()
  expect(page).toBe(withCalls(page))
})
