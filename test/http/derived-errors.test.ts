/** The errors of every operation, derived from its declaration. */
import { describe, expect, test } from 'bun:test'
import type { TargetInventory } from '../../src/conformance/example-filler.ts'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { type Parameter, parametersOf } from '../../src/contract/parameters.ts'
import { operationPath } from '../../src/contract/paths.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import {
  type DerivedRequest,
  exampleRequest,
  without,
  withValue,
  wrongValues,
} from '../fixtures/derived-requests.ts'
import { signed } from '../fixtures/fake-market.ts'

const market = recordedRegistry()
const ready = market.then(({ registry }) => memoryTransport(registry))
const inventory = market.then(({ cast }) => cast() as unknown as TargetInventory)

async function ask(
  operation: Operation,
  { path, query, body }: DerivedRequest,
  signature = signed(),
) {
  const transport = await ready
  const at = operationPath(operation)
  const filled = at.replace(/:(\w+)/g, (_, name) => encodeURIComponent(path[name] ?? ''))
  const all = `${signature}&${new URLSearchParams(query)}`
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  const answer = transport.request(operation.method, `${filled}?${all}`, text)
  return { status: answer.status, body: JSON.parse(answer.body) }
}

const B = (code: string, msg: string) => ({ status: Number(code), body: { code, msg, data: null } })
/** The distributor group reports wrong parameters, not missing ones, in its own envelope. */
const wrongly = ({ envelope }: Operation, text: string) =>
  envelope.kind === 'C' ? { status: 400, body: { success: false, error: text } } : B('400', text)
const UNSIGNED = B('401', 'Invalid signature')

for (const operation of OPERATIONS)
  describe(operation.id, () => {
    const valid = exampleRequest(operation)
    const { access, params } = operation

    if (access.kind !== 'public')
      test('refuses missing, wrong, premature and expired signatures', async () => {
        const empty: DerivedRequest = { path: valid.path, query: {}, body: undefined }
        for (const signature of [
          '',
          signed('demo', 0, 'wrong'),
          signed('nobody'),
          signed('demo', 32),
          signed('demo', -60),
          signed().replace('Signature=', 'signature='),
        ]) {
          expect(await ask(operation, valid, signature)).toEqual(UNSIGNED)
          expect(await ask(operation, empty, signature)).toEqual(UNSIGNED)
        }
      })

    if (access.kind === 'permission')
      test('names the missing permission', async () => {
        const refused = B('403', `Permission denied: ${access.name}`)
        expect(await ask(operation, valid, signed('demo-bare'))).toEqual(refused)
      })

    for (const parameter of parametersOf(operation)) {
      if (parameter.required && parameter.place !== 'path')
        test(`reports that ${parameter.name} is missing`, async () => {
          const refused = B('400', `missing required parameter: ${parameter.name}`)
          expect(await ask(operation, without(valid, parameter))).toEqual(refused)
        })
      if (!parameter.required && parameter.place === 'body' && !operation.changes)
        test(`reads ${parameter.name} null as absent`, async () => {
          const left = await ask(operation, without(valid, parameter))
          expect(await ask(operation, withValue(valid, parameter, null))).toEqual(left)
        })
      for (const wrong of wrongValues(parameter))
        test(`refuses ${parameter.name} ${JSON.stringify(wrong)} with the valid form`, () =>
          refuses(operation, parameter, wrong))
      if (parameter.schema['x-cut'] !== undefined && parameter.schema.type === 'integer')
        test(`cuts ${parameter.name} silently`, () => cuts(operation, parameter))
    }

    if (params.body?.type === 'object')
      test('refuses a body other than a JSON object', async () => {
        for (const body of ['{', '[]', '"text"', '12', 'null', '{"a":1,}', `[${'['.repeat(5000)}`])
          expect(await ask(operation, { ...valid, body })).toEqual(
            wrongly(operation, 'invalid request body: expected a JSON object'),
          )
      })

    if (params.body?.type === 'object')
      test('reads an empty body as one without fields', async () => {
        const bare = await ask(operation, { ...valid, body: {} })
        const isAnyNeeded = parametersOf(operation).some(
          ({ place, required }) => place === 'body' && required,
        )
        if (!isAnyNeeded && !operation.changes) expect(bare.status).toBe(200)
        for (const body of ['', ' ', '\r\n'])
          expect(await ask(operation, { ...valid, body })).toEqual(bare)
      })

    test('refuses other methods with the allowed ones', async () => {
      const transport = await ready
      const path = operationPath(operation).replace(/:\w+/g, 'x')
      const answer = transport.request('PATCH', path)
      expect(answer.status).toBe(405)
      expect(answer.headers?.allow).toContain(operation.method)
      expect(transport.request(operation.method, `${path}/none/such`).status).toBe(404)
    })
  })

async function refuses(operation: Operation, parameter: Parameter, wrong: unknown): Promise<void> {
  const refused = await ask(operation, withValue(exampleRequest(operation), parameter, wrong))
  const text = refused.body.msg ?? refused.body.error
  expect(text).toStartWith(`invalid parameter: ${parameter.name}`)
  expect(refused).toEqual(wrongly(operation, text))
}

async function cuts(operation: Operation, parameter: Parameter): Promise<void> {
  const { schema } = parameter
  const most = schema['x-cut'] as number
  const valid = exampleRequest(operation, await inventory)
  const answers = (value: unknown) => ask(operation, withValue(valid, parameter, value))
  const largest = await answers(most)
  expect(largest.status).toBe(200)
  expect(await answers(most + 1)).toEqual(largest)
  if (schema.default !== undefined)
    expect(await ask(operation, without(valid, parameter))).toEqual(await answers(schema.default))
}
