/** Schemas as the text of TypeScript types. */
import type { TSchema } from '../src/contract/schema.ts'

/** A shape referred to by name. */
export interface NamedShape {
  name: string
  schema: TSchema
}

/**
 * The type of a schema.
 *
 * @param shapes named shapes
 * @param indent of its first line
 */
export function typeText(schema: TSchema, shapes: readonly NamedShape[], indent: string): string {
  const same = shapes.find(
    ({ name, schema: shape }) => name === schema.title || isEqual(shape, schema),
  )
  return same ? same.name : formText(schema, shapes, indent, shapes)
}

/** The type of a shape, without its name: contained shapes are extended. */
export function shapeText(shape: NamedShape, shapes: readonly NamedShape[]): string {
  // Of two with the same fields, the later one extends the earlier.
  const parts = shapes.filter(({ name, schema }) =>
    fieldCount(schema) === fieldCount(shape.schema) ? name < shape.name : name !== shape.name,
  )
  return formText(shape.schema, shapes, '', parts)
}

/** `parts` are shapes that an object may extend. */
function formText(
  schema: TSchema,
  shapes: readonly NamedShape[],
  indent: string,
  parts: readonly NamedShape[],
): string {
  const inner = (part: TSchema) => typeText(part, shapes, indent)
  if ('const' in schema) return literalText(schema.const)
  if (schema.enum) return schema.enum.map(literalText).join(' | ')
  if (schema.anyOf) return [...new Set((schema.anyOf as TSchema[]).map(inner))].join(' | ')
  if (schema.allOf) return (schema.allOf as TSchema[]).map(inner).join(' & ')
  if (Array.isArray(schema.items)) return `[${schema.items.map(inner).join(', ')}]`
  if (schema.type === 'array') return `${bracketed(inner(schema.items))}[]`
  if (schema.type === 'object') return objectText(schema, shapes, indent, parts)
  const simple = SIMPLE[String(schema.type)]
  if (simple !== undefined) return simple
  if (Object.keys(schema).every((key) => key === 'description')) return 'unknown'
  throw new Error(`there is no type for ${JSON.stringify(schema)}`)
}

/** A doc comment in lines of at most 100 characters. */
export function docLines(text: string, indent: string): string {
  const single = `${indent}/** ${text} */\n`
  if (single.length <= 101) return single
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`
    if (`${indent} *${line}`.length <= 100) lines[lines.length - 1] = line
    else lines.push(` ${word}`)
  }
  return `${indent}/**\n${lines.map((line) => `${indent} *${line}\n`).join('')}${indent} */\n`
}

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
}

const literalText = (value: unknown) =>
  typeof value === 'string' ? `'${value}'` : JSON.stringify(value)

const bracketed = (text: string) =>
  /^\w+$/.test(text) || (text.startsWith('{') && !text.includes('} & ')) ? text : `(${text})`

const isEqual = (one: unknown, other: unknown) => jsonOf(one) === jsonOf(other)

const texts = new WeakMap<object, string>()

/** Each schema is compared with every shape. */
function jsonOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const text = texts.get(value) ?? JSON.stringify(value)
  texts.set(value, text)
  return text
}

function objectText(
  schema: TSchema,
  shapes: readonly NamedShape[],
  indent: string,
  parts: readonly NamedShape[],
): string {
  const within = `${indent}  `
  const properties = (schema.properties ?? {}) as Record<string, TSchema>
  const [values] = Object.values((schema.patternProperties ?? {}) as Record<string, TSchema>)
  if (values) return `Record<string, ${typeText(values, shapes, indent)}>`
  const part = largestPart(schema, parts)
  const fields = Object.entries(properties)
    .filter(([name]) => !(name in (part?.schema.properties ?? {})))
    .map(([name, field]) => {
      const isOptional = !((schema.required ?? []) as string[]).includes(name)
      const doc = field.description === undefined ? '' : docLines(field.description, within)
      const type = typeText(field, shapes, within)
      return `${doc}${within}${name}${isOptional ? `?: ${type} | undefined` : `: ${type}`}\n`
    })
  const open = schema.additionalProperties === true ? [`${within}[field: string]: unknown\n`] : []
  const own = [...fields, ...open]
  if (part && own.length === 0) return part.name
  return `${part ? `${part.name} & ` : ''}{\n${own.join('')}${indent}}`
}

/** The largest shape that an object extends, the first of several. */
function largestPart(schema: TSchema, shapes: readonly NamedShape[]): NamedShape | undefined {
  const parts = shapes.filter((shape) => isPartOf(shape.schema, schema))
  return parts.toSorted((one, other) => fieldCount(other.schema) - fieldCount(one.schema))[0]
}

/** How many fields an object has. */
const fieldCount = ({ properties = {} }: TSchema): number => Object.keys(properties).length

/** Whether an object has all the fields of a shape, and so extends it. */
function isPartOf(shape: TSchema, schema: TSchema): boolean {
  const fields = Object.entries((shape.properties ?? {}) as Record<string, TSchema>)
  return (
    (shape.additionalProperties ?? false) === false &&
    fields.length > 2 &&
    fields.every(([name, field]) => isEqual(schema.properties?.[name], field)) &&
    (shape.required ?? []).every((name: string) => schema.required?.includes(name))
  )
}

/** Lines of at most 100 characters, broken between the members of a union. */
export const wrapped = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line.length <= 100 ? line : wrappedLine(line)))
    .join('\n')

function wrappedLine(line: string): string {
  const indent = `${/^ */.exec(line)?.[0] ?? ''}  `
  const lines = ['']
  for (const part of line.split(/(?<=, )|(?<= )(?=\| )/)) {
    const last = lines.at(-1) ?? ''
    if (last === '' || (last + part).trimEnd().length <= 100) lines[lines.length - 1] = last + part
    else lines.push(indent + part)
  }
  return lines.map((one) => one.trimEnd()).join('\n')
}
