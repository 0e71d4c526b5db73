/**
 * The types of `POST /info` as OpenAPI shows them: one request with one answer each, told apart by
 * the body's `type`.
 */
import { INFO_TYPES } from '../info/index.ts'
import type { InfoType } from '../info/info-type.ts'
import type { Operation } from '../operation.ts'
import { typeName } from './components.ts'
import { type Json, openapiSchema } from './schemas.ts'

/** Whether this is the operation whose body says what is asked for. */
export const isInfo = ({ id }: Operation): boolean => id === 'perpdex.info'

/** Schemas of all requests and answers, by the names that the two others refer to. */
export function infoSchemas(): Json {
  return Object.fromEntries(
    INFO_TYPES.flatMap((info) => [
      [requestName(info), requestSchema(info)],
      [answerName(info), openapiSchema(info.data)],
    ]),
  )
}

/** The body: one of the requests. */
export function infoRequest(): Json {
  return {
    oneOf: INFO_TYPES.map((info) => reference(requestName(info))),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(INFO_TYPES.map((info) => [info.type, pathOf(requestName(info))])),
    },
  }
}

/** The data: what the type that was asked for answers. */
export function infoAnswer(): Json {
  return {
    description: 'the data of the requested type',
    anyOf: INFO_TYPES.map((info) => reference(answerName(info))),
  }
}

function requestSchema({ type, title: description, request }: InfoType): Json {
  const { properties, required, ...rest } = openapiSchema(request)
  return {
    ...rest,
    description,
    required: ['type', ...((required as string[] | undefined) ?? [])],
    properties: { type: { type: 'string', const: type }, ...(properties as Json) },
  }
}

const requestName = ({ type }: InfoType): string => `Info${typeName(type)}Request`
const answerName = ({ type }: InfoType): string => `Info${typeName(type)}Answer`
const pathOf = (name: string): string => `#/components/schemas/${name}`
const reference = (name: string): Json => ({ $ref: pathOf(name) })
