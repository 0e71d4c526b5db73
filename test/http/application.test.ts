/** The server is one Elysia application: its routes, its plugins and `handle` work as they do. */
import { expect, test } from 'bun:test'
import { swagger } from '@elysiajs/swagger'
import { Elysia } from 'elysia'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import { openapiText } from '../../src/contract/documents/openapi.ts'
import { operationPath, socketPath } from '../../src/contract/paths.ts'
import { SERVED_OPERATIONS } from '../../src/contract/served-operations.ts'
import { pages } from '../../src/pages/documents/pages.ts'
import { SOCKET_ENDPOINTS } from '../../src/sandbox/session/socket-upgrade.ts'
import { controlRoutes } from '../../src/server/control/index.ts'
import { server } from '../../src/server/transport/elysia/server.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { ADDRESS, fakeRegistry, signed } from '../fixtures/fake-market.ts'

async function application() {
  const registry = await fakeRegistry({ epoch: 'tape' })
  const control = controlRoutes(registry, { token: null })
  return { app: server({ registry, control, pages }), control, registry }
}

type Paths = Record<string, Record<string, object>>

interface Routed {
  method: string
  path: string
}

const routeName = ({ method, path }: Routed) => `${method} ${path}`

/** What a document with these paths says of a route. */
const described = (paths: Paths, { method, path }: Routed) =>
  paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as Record<string, unknown>

test('each operation, socket and call of the control plane is one route', async () => {
  const { app, control } = await application()
  const names = app.routes.map(routeName)
  expect(new Set(names).size).toBe(names.length)
  const expected = [
    ...SERVED_OPERATIONS.map((one) => `${one.method} ${operationPath(one)}`),
    ...SOCKET_ENDPOINTS.map(({ dialect }) => `GET ${socketPath(dialect)}`),
    ...control.map(routeName),
  ]
  expect(names).toEqual(expect.arrayContaining(expected))
})

test('a route says what our documents say of it', async () => {
  const { app } = await application()
  const { paths } = JSON.parse(openapiText())
  for (const operation of OPERATIONS) {
    const path = operationPath(operation)
    const { method } = operation
    const route = app.routes.find((one) => one.method === method && one.path === path)
    const detail = route?.hooks.detail ?? {}
    expect(described(paths, { method, path })).toMatchObject(JSON.parse(JSON.stringify(detail)))
    expect(detail.operationId).toBe(operation.id)
  }
})

test('a plugin that lists routes lists them all', async () => {
  const { app, control } = await application()
  app.use(swagger({ path: '/listed', excludeStaticFile: false }))
  const answer = await app.handle(new Request('http://localhost/listed/json'))
  const { paths } = (await answer.json()) as { paths: Paths }
  for (const route of control) expect(described(paths, route)).toBeDefined()
  for (const operation of OPERATIONS)
    expect(described(paths, { ...operation, path: operationPath(operation) }).operationId).toBe(
      operation.id,
    )
})

test('a plugin that traces sees the route of a request, however its path is written', async () => {
  const { app } = await application()
  const seen: unknown[] = []
  const traced = new Elysia({ strictPath: true })
    .trace(({ context, onHandle }) => {
      onHandle(() => void seen.push([context.request.method, context.route, context.path]))
    })
    .use(app)
  const path = `/hl/fills/${ADDRESS}`
  const written = ['/api/upgrade/v2', '/v2', '/s/default/api/v2'].map((base) => base + path)
  for (const at of [...written, `${written[0]}/`])
    await traced.handle(new Request(`http://localhost${at}?${signed()}`))
  const route = ['GET', '/api/upgrade/v2/hl/fills/:address', `/api/upgrade/v2${path}`]
  expect(seen).toEqual([route, route, route, route])
})

test('without a port it answers as the other transport without one does', async () => {
  const { app, registry } = await application()
  const targets = SERVED_OPERATIONS.filter(({ method }) => method === 'GET').flatMap(
    (operation) => {
      const path = operationPath(operation).replace(/:\w+/g, 'PURR%2FUSDC')
      return [path, `${path}/`, `${path}//`, `/${path}`, `/s/default${path}`, `/s/unknown${path}`]
    },
  )
  const { request } = memoryTransport(registry)
  for (const target of targets) {
    const unsigned = await app.handle(new Request(`http://localhost${target}`))
    const { status, body } = request('GET', target)
    expect({ target, status: unsigned.status, body: await unsigned.text() }).toEqual({
      target,
      status,
      body,
    })
  }
})
