/** The papers as the tests read them: as their documents say, not as the code that makes them. */
import Ajv2020 from 'ajv/dist/2020'
import { asyncapi } from '../src/specs/asyncapi.ts'
import { openapi } from '../src/specs/openapi.ts'

export type Json = Record<string, unknown>

interface Media {
  content?: { 'application/json': { schema: Json; examples?: Record<string, { value: unknown }> } }
}

interface Operation {
  operationId: string
  parameters?: {
    name: string
    in: string
    schema: Json
    examples?: Record<string, { value: unknown }>
  }[]
  requestBody?: Media
  responses: Record<string, Media>
}

interface Message {
  payload: Json
  examples?: { payload: unknown }[]
}

export const papers = {
  openapi: openapi() as { paths: Json; components: { schemas: Record<string, Json> } },
  asyncapi: asyncapi() as {
    channels: Record<string, { address: string; messages: Record<string, Message> }>
    operations: Record<string, { action: 'send' | 'receive'; messages: Reference[] } & Replies>
  },
}

type Reference = { $ref: string }
type Replies = { reply?: { messages: Reference[] } }

/** Every operation of the OpenAPI document with every schema in it. */
export function operationsOf() {
  return Object.entries(papers.openapi.paths as Record<string, Record<string, Operation>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, told]) => ({
        path,
        method: method.toUpperCase(),
        operationId: told.operationId,
        told,
        schemas: [
          ...(told.parameters ?? []).map(({ schema }) => schema),
          ...[told.requestBody, ...Object.values(told.responses)].flatMap(schemaOf),
        ],
      })),
  )
}

/** Every message of the AsyncAPI document: where it belongs, and who sends it. */
export function messagesOf() {
  const said = new Set(
    Object.values(papers.asyncapi.operations).flatMap(({ action, messages, reply }) =>
      [...(action === 'send' ? messages : []), ...(reply?.messages ?? [])].map(({ $ref }) => $ref),
    ),
  )
  return Object.entries(papers.asyncapi.channels).flatMap(([channel, { address, messages }]) =>
    Object.entries(messages).map(([name, { payload, examples = [] }]) => ({
      address,
      name,
      payload,
      examples: examples.map((example) => example.payload),
      from: said.has(`#/channels/${channel}/messages/${name}`) ? 'service' : 'client',
    })),
  )
}

export function schemaOf(media: Media | undefined): Json[] {
  const schema = media?.content?.['application/json'].schema
  return schema === undefined ? [] : [schema]
}

const ajv = new Ajv2020({ strict: false })
ajv.addSchema({ $id: 'paper', components: papers.openapi.components })

/** What does not fit, in words; null when all is as promised. */
export function flaw(schema: Json | undefined, value: unknown): string | null {
  if (schema === undefined) return 'nothing is promised'
  const text = JSON.stringify(schema).replaceAll('"#/', '"paper#/')
  const check = known.get(text) ?? ajv.compile(JSON.parse(text))
  known.set(text, check)
  return check(value) ? null : ajv.errorsText(check.errors)
}

const known = new Map<string, ReturnType<typeof ajv.compile>>()
