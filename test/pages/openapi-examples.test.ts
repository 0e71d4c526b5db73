/** Example requests of the served documents are answered by their server. */
import { expect, test } from 'bun:test'
import { pages } from '../../src/pages/documents/pages.ts'
import { server } from '../../src/server/transport/elysia/server.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'

type Examples = Record<string, { value: unknown }>

interface Parameter {
  name: string
  in: 'path' | 'query'
  explode?: boolean
  examples?: Examples
}

interface Documented {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { examples: Examples } } }
}

interface Document {
  paths: Record<string, Record<string, Documented>>
}

/** A server on the default recording at its start, with live times. */
const { registry, sandbox } = await recordedRegistry()
const app = server({ registry, control: [], pages })
const ask = (path: string, method = 'GET', body?: string) =>
  app.handle(
    new Request(`http://localhost${path}`, { method, ...(body === undefined ? {} : { body }) }),
  )
const document = async (path: string) => (await (await ask(path)).json()) as Document

const served = await document('/openapi.json')

function requestsOf({ paths }: Document) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const bodies = operation.requestBody?.content['application/json'].examples ?? {}
      const given = (operation.parameters ?? []).flatMap(({ examples = {} }) =>
        Object.keys(examples),
      )
      const names = new Set([...given, ...Object.keys(bodies)])
      // One without parameters is requested unchanged.
      return [...(names.size > 0 ? names : ['plain'])].map((name) => ({
        title: `${operation.operationId}, ${name}`,
        method: method.toUpperCase(),
        url: urlOf(path, operation.parameters ?? [], name),
        body: bodies[name] && JSON.stringify(bodies[name].value),
      }))
    }),
  )
}

/** As generated clients write it: lists as `a=1&a=2` unless the document differs. */
function urlOf(path: string, parameters: readonly Parameter[], example: string): string {
  const query = new URLSearchParams()
  let filled = path
  for (const { name, in: place, explode, examples = {} } of parameters) {
    const value = examples[example]?.value
    if (value === undefined) continue
    if (place === 'path')
      filled = filled.replace(`{${name}}`, () => encodeURIComponent(String(value)))
    else if (Array.isArray(value) && explode !== false)
      for (const one of value) query.append(name, String(one))
    else query.append(name, String(value))
  }
  return `${filled}?${query}&`
}

const requests = requestsOf(served)

/** Some refusals have status 200, and only their code shows it. */
const SUCCESS_CODES: ReadonlySet<string> = new Set(['0', '200'])

test('every operation has an example', () => {
  const shown = new Set(requests.map(({ title }) => title.split(',')[0]))
  const declared = Object.values(served.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  expect([...shown]).toEqual(declared)
  expect(declared.length).toBeGreaterThan(100)
})

test.each(requests)('$title is answered', async ({ method, url, body }) => {
  expect(url).not.toContain('{')
  const answer = await ask(url + signed(), method, body)
  const { success, code } = (await answer.json()) as { success?: boolean; code?: unknown }
  const isSuccess = success ?? SUCCESS_CODES.has(String(code))
  expect([answer.status, isSuccess]).toEqual([200, true])
})

test('the page that requests them shows the same document', async () => {
  const page = await (await ask('/swagger')).text()
  const [, at = ''] = /data-url="([^"]+)"/.exec(page) ?? []
  expect((await document(`/${at}`)).paths).toEqual(served.paths)
  expect((await document(`/s/default/${at}`)).paths).toEqual(served.paths)
})

test('examples are in shown time, also after the market was moved', async () => {
  const at = '/api/upgrade/v2/hl/traders/{address}/completed-position-pnl/{coin}'
  const openTime = ({ paths }: Document) => {
    const time = paths[at]?.get?.parameters?.find(({ name }) => name === 'startTime')
    return Number(Object.values(time?.examples ?? {})[0]?.value)
  }
  const { shiftMs } = sandbox.position()
  await sandbox.clock.advance(3_600_000)
  sandbox.playhead.set(sandbox.clock.nowMs(), { atMs: sandbox.playhead.span.startMs })
  const moved = sandbox.position().shiftMs
  expect(moved).toBeGreaterThan(shiftMs)
  // Signed by the machine after its clock was moved.
  const signedLater = signed('demo', -1)
  const now = await document('/openapi.json')
  expect(openTime(now) - openTime(served)).toBe(moved - shiftMs)
  for (const { url, method, title, body } of requestsOf(now))
    if (title.startsWith('perpdex.completedPosition'))
      expect([title, (await ask(url + signedLater, method, body)).status]).toEqual([title, 200])
})
