/** The calls of docs/control.md, from the operations of the control plane. */

import { notes } from '../src/contract/documents/components.ts'
import { block, code, paragraphs, table, typeText } from '../src/contract/documents/reference.ts'
import { fieldsOf } from '../src/contract/parameters.ts'
import type { TSchema } from '../src/contract/schema.ts'
import type { ControlOperation } from '../src/server/control/control-operation.ts'
import { CONTROL_GROUPS, controlGroupOf, exampleRequests } from '../src/server/control/openapi.ts'
import { CONTROL_OPERATIONS } from '../src/server/control/operations.ts'
import { placeOf } from './control-types.ts'

const takesFields = ({ params = {} }: ControlOperation): boolean =>
  params.query !== undefined || params.body !== undefined

const ORIGIN = 'http://127.0.0.1:4010'

/** Creation first, deletion last, so that the calls can be made in the order of the page. */
const METHODS: readonly ControlOperation['method'][] = ['POST', 'PUT', 'GET', 'DELETE']

/** The page with its present calls. */
export function withCalls(page: string): string {
  const [before, , after] = page.split(/<!-- \/?calls -->\n/)
  if (after === undefined) throw new Error('the page has no place for calls')
  return `${before}<!-- calls -->\n${controlCalls()}\n<!-- /calls -->\n${after}`
}

/** Markdown, a second-level heading for each group. */
function controlCalls(): string {
  const groups = Object.keys(CONTROL_GROUPS).map((name) => {
    const calls = CONTROL_OPERATIONS.filter((one) => controlGroupOf(one) === name)
    const inOrder = calls.toSorted((a, b) => METHODS.indexOf(a.method) - METHODS.indexOf(b.method))
    return paragraphs(
      `## ${name[0]?.toUpperCase()}${name.slice(1)}`,
      CONTROL_GROUPS[name],
      ...inOrder.map((one) => callPage(one)),
    )
  })
  return groups.join('\n\n')
}

function callPage(operation: ControlOperation): string {
  const { method, path, title, about } = operation
  return paragraphs(
    `### ${title}`,
    `${code(`${method} /_control${path}`)}`,
    about,
    methodText(operation),
    parameterTable(operation),
    ...exampleRequests(operation).map(({ name, url, body }) =>
      paragraphs(
        name === 'plain' ? undefined : `Example, ${name}:`,
        block('sh', curl(method, url, body)),
      ),
    ),
    answerText(operation),
  )
}

/** The methods of the clients: of the control plane, and of one sandbox. */
function methodText(operation: ControlOperation): string {
  const { group, name } = placeOf(operation)
  const method = group === null ? name : `${group}.${name}`
  const names = [...operation.path.matchAll(/:(\w+)/g)].map(([, one = '']) => one)
  const given = [...names, ...(takesFields(operation) ? ['fields'] : [])]
  const whole = code(`control.${method}(${given.join(', ')})`)
  if (operation.id === 'explain')
    return `TypeScript: ${whole}; for one sandbox ${code('sandbox.control.explain(fields)')}.`
  if (!operation.path.startsWith('/sandboxes/:id')) return `TypeScript: ${whole}.`
  const own = `${group === 'sandboxes' ? name : method}(${given.slice(1).join(', ')})`
  return `TypeScript: ${whole}; for one sandbox ${code(`sandbox.control.${own}`)}.`
}

function curl(method: ControlOperation['method'], url: string, body: object | undefined): string {
  const address = /[?&]/.test(url) ? `'${ORIGIN}${url}'` : `${ORIGIN}${url}`
  const isUsual = method === (body === undefined ? 'GET' : 'POST')
  const words = ['curl', ...(isUsual ? [] : ['-X', method]), address]
  return [...words, ...(body === undefined ? [] : ['--json', `'${JSON.stringify(body)}'`])].join(
    ' ',
  )
}

function parameterTable({ params = {} }: ControlOperation): string {
  const fields = [...fieldsOf('query', params.query), ...fieldsOf('body', params.body)]
  const rows = fields.map(({ place, name, schema, required }) => [
    code(name),
    place,
    typeText(schema),
    [...(required ? ['required'] : []), notes(schema)].join('; '),
  ])
  return table(['parameter', 'in', 'type', ''], rows)
}

function answerText({ data, contentType }: ControlOperation): string {
  if (contentType !== undefined) return `Answers with ${code(contentType)}.`
  const shapes = [2, 1, 0].map((depth) => shape(data, depth))
  return `Answers with ${code(shapes.find((text) => text.length < SHAPE_MAX) ?? '{…}')}.`
}

/** Longer shapes are unreadable; the OpenAPI document has all of them. */
const SHAPE_MAX = 280

/** Field names of a value, down to a depth: `{id, keys: {full, sub}}`. */
function shape(schema: TSchema, depth: number): string {
  if (schema.type === 'array')
    return `[${schema.items ? shape(schema.items as TSchema, depth) : ''}]`
  if (isUnion(schema)) return shape(commonShape(schema.anyOf), depth)
  const fields = Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
  const names = fields.map(([name, field]) => {
    const inner = depth > 0 ? shape(field, depth - 1) : ''
    return /\w/.test(inner) ? `${name}: ${inner}` : name
  })
  const isOpen = schema.additionalProperties === true
  return schema.type === 'object' ? `{${[...names, ...(isOpen ? ['…'] : [])].join(', ')}}` : ''
}

/** Whether a value is one of several objects. */
const isUnion = (schema: TSchema): schema is TSchema & { anyOf: TSchema[] } =>
  (schema.anyOf as TSchema[] | undefined)?.every(({ type }) => type === 'object') ?? false

/** Fields common to several objects, and others. */
function commonShape([first = {} as TSchema, ...others]: readonly TSchema[]): TSchema {
  const fields = Object.entries((first.properties ?? {}) as Record<string, TSchema>)
  const common = fields.filter(([name]) =>
    others.every(({ properties = {} }) => name in properties),
  )
  return { ...first, properties: Object.fromEntries(common), additionalProperties: true }
}
