/** The client's types as text: parameters and results of operations, channels and info types. */
import type { Operation } from '../src/contract/operation.ts'
import type { TObject, TSchema } from '../src/contract/schema.ts'
import { docLines, type NamedShape, shapeText, typeText } from './schema-types.ts'

/** All titled parts of some schemas, by title, which is unique. */
export function titledShapes(schemas: Iterable<TSchema>): NamedShape[] {
  const found = new Map<string, TSchema>()
  for (const schema of schemas) collectTitled(schema, found)
  return [...found]
    .map(([name, schema]) => ({ name, schema }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

function collectTitled(schema: TSchema, found: Map<string, TSchema>): void {
  if (schema.title !== undefined) found.set(schema.title, schema)
  const { properties = {}, patternProperties = {}, items = [], anyOf = [], allOf = [] } = schema
  const parts = [properties, patternProperties, anyOf, allOf].flatMap((some) => Object.values(some))
  for (const part of [...parts, ...[items].flat()]) collectTitled(part as TSchema, found)
}

/** A record with its name and optional description. */
export function recordText(shape: NamedShape, shapes: readonly NamedShape[]): string {
  const { description } = shape.schema
  const doc = docLines(description ?? `${spaced(shape.name)}.`, '')
  const type = shapeText(shape, shapes)
  const [, part, own] = /^(?:(\w+) & )?(\{[\s\S]*\})$/.exec(type) ?? []
  if (own === undefined || shape.schema.type !== 'object')
    return `${doc}export type ${shape.name} = ${type}\n`
  return `${doc}export interface ${shape.name} ${part ? `extends ${part} ` : ''}${own}\n`
}

/** The method of an operation, with its documentation. */
export function methodText(
  name: string,
  operation: Operation,
  shapes: readonly NamedShape[],
): string {
  if (name === 'info') return infoMethodText(operation)
  const { data, envelope } = operation
  const answer =
    envelope.kind === 'C' && !envelope.data ? 'undefined' : typeText(data, shapes, '  ')
  const input = inputText(operation, shapes)
  const parameters = `${input}, options?: CallOptions`
  return `${operationDoc(operation)}  ${name}(${parameters}): Promise<${answer}>\n`
}

function infoMethodText(operation: Operation): string {
  return `${operationDoc(operation)}  info<T extends InfoTypeName>(
    input: { body: InfoRequest<T> },
    options?: CallOptions,
  ): Promise<InfoAnswer<T>>\n`
}

function operationDoc({ title, about, method, path, access }: Operation): string {
  const lines = [`${title}.${about === undefined ? '' : ` ${about}`}`]
  const allowed = access.kind === 'permission' ? `, permission \`${access.name}\`` : ''
  lines.push(`\`${method} ${path}\`${allowed}.`)
  const [text, place] = lines.map((line) => commentLines(line, '  '))
  return `  /**\n${text}   *\n${place}   */\n`
}

/** Comment lines of at most 100 characters. */
const commentLines = (text: string, indent: string): string =>
  docLines(`${text}${' '.repeat(100)}`, indent)
    .split('\n')
    .slice(1, -2)
    .map((line) => `${line.trimEnd()}\n`)
    .filter((line) => line.trim() !== '*')
    .join('')

function inputText({ params }: Operation, shapes: readonly NamedShape[]): string {
  const parts = (['path', 'query', 'body'] as const).flatMap((part) => {
    const schema = params[part]
    if (schema === undefined || (part !== 'body' && isEmpty(schema))) return []
    const read = unreadSchema(schema)
    const isOptional = (read.required ?? []).length === 0 && read.type === 'object'
    return [
      {
        isOptional,
        text: `    ${part}${isOptional ? '?' : ''}: ${typeText(read, shapes, '    ')}`,
      },
    ]
  })
  if (parts.length === 0) return 'input?: NoInput'
  const isOptional = parts.every((part) => part.isOptional)
  return `input${isOptional ? '?' : ''}: {\n${parts.map(({ text }) => `${text}\n`).join('')}  }`
}

const isEmpty = ({ properties = {} }: TSchema) => Object.keys(properties).length === 0

/** Schemas of an operation's path, query and body. */
export const inputsOf = ({ params }: Operation): TSchema[] =>
  Object.values(params as Record<string, TObject>).map(unreadSchema)

/** Parameters before parsing: those with a default are optional. */
export function unreadSchema(schema: TSchema): TSchema {
  const required = ((schema.required ?? []) as string[]).filter(
    (name) => schema.properties?.[name]?.default === undefined,
  )
  return { ...schema, required }
}

/** A schema without some of its fields. */
export function withoutFields(schema: TObject, names: readonly string[]): TSchema {
  const properties = Object.fromEntries(
    Object.entries(schema.properties).filter(([name]) => !names.includes(name)),
  )
  const required = (schema.required ?? []).filter((name) => !names.includes(name))
  return { ...schema, properties, required } as unknown as TSchema
}

/** `NativePosition` is `native position`. */
const spaced = (name: string) => {
  const words = name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
