/** The reference of all operations and channels, generated from the contract's lists. */

import { CHANNELS, OPERATIONS } from '../catalogue.ts'
import type { Channel } from '../channel.ts'
import type { Dialect } from '../dialect.ts'
import { INFO_TYPES } from '../info/index.ts'
import type { InfoType } from '../info/info-type.ts'
import type { Example, Operation } from '../operation.ts'
import { A, B, C, wrap } from '../operation.ts'
import { fieldsOf, type Parameter, parametersOf } from '../parameters.ts'
import { PREFIXES } from '../prefixes.ts'
import type { Question } from '../questions/question.ts'
import { QUESTIONS } from '../questions.ts'
import { REFUSALS, refusalText } from '../refusal-forms.ts'
import type { TSchema } from '../schema.ts'
import { isInfo, notes } from './components.ts'
import {
  description,
  groupOf,
  groupTag,
  INTRODUCTION,
  KEYWORDS,
  SIGNATURE,
  withPushPolicy,
} from './description.ts'
import { refusalsOf } from './responses.ts'
import { type Frame, framesOf } from './socket-frames.ts'

/** Markdown of `docs/reference.md`. */
export function reference(): string {
  const groups = Map.groupBy(OPERATIONS, groupOf)
  const text = paragraphs(
    '# Reference',
    '<!-- Written by `bun run generate` from src/contract. Changes belong there. -->',
    conventions(),
    ...[...groups].flatMap(([group, operations]) => [
      `## ${group}`,
      groupTag(group).description,
      ...operations.map(operationPage),
    ]),
    sockets(),
    '## Open questions',
    questions(),
  )
  return `${text}\n`
}

/** Markdown of the common conventions of all operations. */
export function conventions(): string {
  return paragraphs(
    INTRODUCTION,
    `Paths are relative to ${code(PREFIXES[0])}. A field with a question mark may be absent.`,
    table(
      ['signature', ''],
      Object.entries(SIGNATURE).map(([name, what]) => [code(name), what]),
    ),
    envelopes(),
    KEYWORDS,
  )
}

/** Markdown of the open questions, each with a heading of the third level. */
export function questions(): string {
  return paragraphs(
    'What the contract leaves open, our answer, and the other answers that a sandbox can have: ' +
      code('questions: {"nonce-reuse": "reject"}') +
      '.',
    ...Object.entries(QUESTIONS).map(([id, question]) => questionPage(id, question)),
  )
}

/** Markdown of the socket paths and their channels. */
export function sockets(): string {
  const byDialect = Map.groupBy(CHANNELS, ({ dialect }) => dialect)
  return paragraphs(
    '## Sockets',
    ...[...byDialect].map(([dialect, channels]) => socketPage(dialect, channels)),
  )
}

function envelopes(): string {
  const rows = [
    ['A', code(wrap(A, '…'))],
    ['B', code(wrap(B(), '…'))],
    ['C', code(wrap(C(), '…'))],
  ]
  return table(['envelope', ''], rows)
}

function questionPage(id: string, { question, source, chosen, why, answers }: Question): string {
  const rows = Object.entries(answers).map(([answer, means]) => [
    code(answer),
    means,
    answer === chosen ? `our answer: ${why}` : '',
  ])
  return paragraphs(
    `### ${code(id)}`,
    question,
    `Contract: ${source}.`,
    table(['answer', 'means', ''], rows),
  )
}

// A socket path with its channels in the reference.

/** Markdown with a heading of the third level, and one of the fourth for each channel. */
function socketPage(dialect: Dialect, channels: readonly Channel[]): string {
  const frames = framesOf(dialect, channels).filter(isOneOfItsKind)
  return paragraphs(
    `### ${code(dialect.path)}`,
    'A client sends:',
    shown(frames, 'client'),
    'and receives, besides what is pushed:',
    shown(frames, 'service'),
    ...channels.map(channelPage),
  )
}

/** Of frames that differ only in their channel the first is enough. */
function isOneOfItsKind(frame: Frame, _: number, all: Frame[]): boolean {
  const first = all.find(
    ({ operation, from }) => operation === frame.operation && from === frame.from,
  )
  return first === frame && frame.examples.length > 0
}

function shown(frames: readonly Frame[], from: Frame['from']): string {
  const lines = frames.filter((frame) => frame.from === from).map(({ examples: [one] }) => one)
  return block('json', lines.map((line) => JSON.stringify(line)).join('\n'))
}

function channelPage(channel: Channel): string {
  const head = `${channel.dialect.pushHead(channel.id)}…}`
  return paragraphs(
    `#### ${channel.title}`,
    `${code(channel.id)}, distinguished by ${channel.key.map(code).join(', ')}`,
    description(withPushPolicy(channel)),
    fieldTable('subscription', channel.subscription),
    `Pushed as ${code(head)}:`,
    fieldTable('data', channel.data),
  )
}

// The fields of a value as a Markdown table: path, type, meaning.

/** A row for each field with a value, and for each part with a description. */
export function fieldTable(root: string, schema: TSchema): string {
  const rows = rowsOf(root, schema).map(({ path, schema: field, forms }) => [
    code(path),
    typeText(field),
    [forms, meaning(path, field)].filter(Boolean).join('; '),
  ])
  return table(['field', 'type', ''], rows)
}

/** The type of a value as short text. */
export function typeText(schema: TSchema): string {
  if (schema['x-time'] !== undefined) return TIMES[schema['x-time'] as string] ?? 'time'
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (Array.isArray(schema.enum))
    return schema.enum.map((one) => code(JSON.stringify(one))).join(' or ')
  if (Array.isArray(schema.anyOf))
    return [...new Set((schema.anyOf as TSchema[]).map(typeText))].join(' or ')
  if (schema['x-list'] !== undefined) return `list in one text, between them ${schema['x-list']}`
  if (schema['x-span'] !== undefined) return `span, ${schema['x-span'].join(' to ')}`
  if (schema.type === 'string' && typeof schema.pattern === 'string')
    return PATTERNS.find(([start]) => schema.pattern.startsWith(start))?.[1] ?? 'text'
  if (schema.type === 'array' && !Array.isArray(schema.items))
    return `array of ${typeText((schema.items ?? {}) as TSchema)}`
  return TYPES[schema.type as string] ?? 'anything'
}

const TIMES: Record<string, string> = {
  ms: 'time, ms',
  s: 'time, s',
  sOrMs: 'time, s or ms',
  iso: 'time, ISO 8601',
  text: 'time, YYYY-MM-DD HH:mm:ss',
}

/** Prefixes of the contract's own patterns, with their descriptions. */
const PATTERNS: readonly (readonly [string, string])[] = [
  ['^-?\\d+', 'decimal'],
  ['^0x', 'address'],
]

const TYPES: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  array: 'tuple',
  null: 'null',
}

/** Empty for a description that only repeats the name. */
function meaning(path: string, { description = '' }: TSchema): string {
  return path.endsWith(`.${description}`) ? '' : description
}

interface Row {
  path: string
  schema: TSchema
  /** The alternatives that have it, where not all have. */
  forms?: string
}

function rowsOf(path: string, schema: TSchema): Row[] {
  const inner = innerRows(path, schema)
  if (inner.length === 0) return [{ path, schema }]
  const hasOwnRow = schema.description !== undefined || mayBeNull(schema)
  return hasOwnRow ? [{ path, schema }, ...inner] : inner
}

function mayBeNull({ anyOf = [] }: TSchema): boolean {
  return (anyOf as TSchema[]).some(({ type }) => type === 'null')
}

/** The parts of a value; none for a single value. */
function innerRows(path: string, schema: TSchema): Row[] {
  if (Array.isArray(schema.anyOf)) return unionRows(path, schema.anyOf as TSchema[])
  if (schema.type === 'array') return itemRows(path, schema)
  const required = new Set((schema.required as string[] | undefined) ?? [])
  const fields = Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
  const named = Object.values((schema.patternProperties ?? {}) as Record<string, TSchema>)
  return [
    ...fields.flatMap(([name, field]) =>
      rowsOf(`${path}.${name}${required.has(name) ? '' : '?'}`, field),
    ),
    ...named.flatMap((field) => rowsOf(`${path}.<name>`, field)),
  ]
}

/** The fields of alternatives, each once; those that only some have say which. */
function unionRows(path: string, members: readonly TSchema[]): Row[] {
  const forms = members.map((member) => innerRows(path, member)).filter(({ length }) => length > 0)
  const keyOf = ({ path: at, schema }: Row) => `${at} ${typeText(schema)} ${schema.description}`
  const rows = new Map(forms.flat().map((row) => [keyOf(row), row]))
  return [...rows].map(([key, row]) => {
    const having = forms.flatMap((form, at) =>
      form.some((one) => keyOf(one) === key) ? [at + 1] : [],
    )
    if (having.length === forms.length) return row
    return { ...row, forms: `in form ${having.join(' and ')} of ${forms.length}` }
  })
}

function itemRows(path: string, { items }: TSchema): Row[] {
  if (Array.isArray(items))
    return (items as TSchema[]).flatMap((item, at) => rowsOf(`${path}[${at}]`, item))
  return items === undefined ? [] : rowsOf(`${path}[]`, items as TSchema)
}

// The page of an operation in the reference.

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

/** A table; the cells are Markdown themselves. Empty for no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

/** Inline code. */
export const code = (text: string): string => `\`${text}\``

/** A block of code in a language. */
export const block = (language: string, text: string): string =>
  `\`\`\`${language}\n${text}\n\`\`\``

/** Paragraphs with an empty line between them; empty ones are left out. */
export function paragraphs(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part).join('\n\n')
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
