/** An operation in the reference. */

import { INFO_TYPES } from '../info/index.ts'
import type { InfoType } from '../info/info-type.ts'
import type { Example, Operation } from '../operation.ts'
import { fieldsOf, type Parameter, parametersOf } from '../parameters.ts'
import { PREFIXES } from '../prefixes.ts'
import { refusalText } from '../refusal-body.ts'
import { REFUSALS } from '../refusal-forms.ts'
import { description } from './description.ts'
import { fieldTable, typeText } from './field-table.ts'
import { isInfo } from './info-types.ts'
import { block, code, paragraphs, table } from './markdown.ts'
import { notes } from './parameters.ts'
import { refusalsOf } from './refusals.ts'

/** Markdown with a heading of the third level. */
export function operationPage(operation: Operation): string {
  const { method, path, title, id, data } = operation
  return paragraphs(
    `### ${title}`,
    `${code(`${method} ${path}`)}, ${code(id)}`,
    description(operation),
    parameterTable(parametersOf(operation)),
    `Answers in ${envelopeText(operation)}.`,
    isInfo(operation) ? INFO_TYPES.map(infoPage).join('\n\n') : fieldTable('data', data),
    refusalTable(operation),
    isInfo(operation) ? undefined : requests(operation),
  )
}

/** One type of `POST /info`. */
function infoPage({ type, title, request, data, examples }: InfoType): string {
  const bodies = examples.map((rest) => JSON.stringify({ type, ...rest }))
  return paragraphs(
    `#### ${code(type)}: ${title}`,
    parameterTable(fieldsOf('body', request)),
    fieldTable('data', data),
    block('json', bodies.join('\n')),
  )
}

function envelopeText({ envelope }: Operation): string {
  switch (envelope.kind) {
    case 'A':
      return 'envelope A'
    case 'B':
      return `envelope B with ${code(`code: "${envelope.code}"`)} and ${code(envelope.text)}`
    case 'C':
      return 'envelope C'
    case 'bare':
      return 'no envelope'
  }
}

function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ place, name, schema, required }) => [
    code(name),
    place,
    typeText(schema),
    required || place === 'path' ? 'required' : whenLeftOut(schema.default),
    notes(schema),
  ])
  return table(['parameter', 'in', 'type', 'default', ''], rows)
}

const whenLeftOut = (value: unknown): string =>
  value === undefined ? '' : code(JSON.stringify(value))

function refusalTable(operation: Operation): string {
  const rows = refusalsOf(operation).map((refusal) => {
    const { status, code: number } = REFUSALS[refusal.refused]
    return [String(status), code(number), refusalText(refusal)]
  })
  return table(['HTTP', 'code', 'refused with'], rows)
}

function requests(operation: Operation): string {
  return block('http', operation.examples.map((one) => request(operation, one)).join('\n\n'))
}

function request({ method, path }: Operation, { path: given, query, body }: Example): string {
  const filled = path.replace(/:(\w+)/g, (placeholder, name: string) => {
    const value = given?.[name]
    return value === undefined ? placeholder : encodeURIComponent(value)
  })
  const queryText = query ? `?${new URLSearchParams(query)}` : ''
  const line = `${method} ${PREFIXES[0]}${filled}${queryText}`
  return body === undefined ? line : `${line}\n\n${JSON.stringify(body)}`
}
