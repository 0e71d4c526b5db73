/** The control plane’s own document, and its errors derived from its declarations. */
import { describe, expect, test } from 'bun:test'
import { validate } from '@apidevtools/swagger-parser'
import fc from 'fast-check'
import { fieldsOf } from '../../src/contract/parameters.ts'
import { CONTROL_OPERATIONS } from '../../src/server/control/operations.ts'
import { wrongValues } from '../fixtures/derived-requests.ts'
import { serve } from '../fixtures/test-server.ts'

const { control, origin } = await serve()

const pathOf = (path: string) =>
  path.replace(':id', 'default').replace(':key', 'demo-sub').replace(/:\w+/g, 'here')

test('it is valid OpenAPI 3.1 and names every call', async () => {
  const document = (await (await fetch(`${origin}/_control/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  await validate(structuredClone(document) as never)
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  // Generators make functions of these names, and `await` cannot be one.
  const named = CONTROL_OPERATIONS.map(({ id }) => (id === 'await' ? 'sandbox.await' : id))
  expect(ids.sort()).toEqual(named.sort())
})

for (const { id, method, path, params = {} } of CONTROL_OPERATIONS)
  describe(id, () => {
    const at = pathOf(path)
    if (path.includes(':id'))
      test('knows no sandbox that is not there', async () => {
        const answer = await control(method, path.replace(':id', 'nobody').replace(/:\w+/g, 'x'))
        // A missing field of the body may be reported first.
        expect([400, 404]).toContain(answer.status)
        if (answer.status === 404) expect(answer.body.error).toContain('no sandbox "nobody"')
      })

    if (method !== 'GET')
      test('refuses an unknown field', async () => {
        const { status, body } = await control(method, at, { colour: 'red' })
        expect([status, body.error]).toEqual([400, expect.stringContaining('"colour"')])
      })

    test('refuses an unknown query parameter', async () => {
      const { status, body } = await control(method, `${at}?colour=red`)
      expect([status, body.error]).toEqual([400, expect.stringContaining('"colour"')])
    })

    for (const field of fieldsOf('body', params.body))
      for (const wrong of wrongValues(field))
        test(`refuses ${field.name} ${JSON.stringify(wrong)} by name`, async () => {
          const before = (await control('GET', '/sandboxes/default')).body
          const { status, body } = await control(method, at, { [field.name]: wrong })
          expect([status, body.error]).toEqual([400, expect.any(String)])
          expect((await control('GET', '/sandboxes/default')).body).toEqual(before)
        })
  })

test('junk never causes an internal error', async () => {
  const calls = CONTROL_OPERATIONS.filter(
    ({ id }) => !['sandbox.drop', 'sandbox.create'].includes(id),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...calls),
      fc.json(),
      fc.webPath(),
      async (call, body, tail) => {
        const path = pathOf(call.path) + (tail.length % 2 ? '' : tail)
        const sent = call.method === 'GET' ? {} : { body }
        const answer = await fetch(`${origin}/_control${path}`, { method: call.method, ...sent })
        await answer.arrayBuffer()
        expect(answer.status).toBeLessThan(500)
      },
    ),
    { numRuns: 300, seed: 7 },
  )
})
