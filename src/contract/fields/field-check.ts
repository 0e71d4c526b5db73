/** Checks data against a schema, in words that say which field is wrong and what would be right. */
import type { TObject, TSchema } from '@sinclair/typebox'
import { Value, type ValueError } from '@sinclair/typebox/value'
import { choicesIn } from '../expected-text.ts'
import { type FieldPath, FLAWS_LISTED, FlawList } from './field-flaw.ts'

/**
 * Throws what is wrong: of each field one flaw, and of several inside one another the deepest. One
 * pass, which stops when it has found as many flaws as are listed.
 */
export function checkFields(schema: TObject, given: unknown, at: FieldPath): void {
  const flaws = new FlawList()
  const byPath = new Map<string, ValueError[]>()
  for (const error of Value.Errors(schema, given)) {
    const errors = byPath.get(error.path)
    if (errors) errors.push(error)
    else if (byPath.size > FLAWS_LISTED) break
    else byPath.set(error.path, [error])
  }
  const around = new Set([...byPath.keys()].flatMap(foldersOf))
  for (const [path, errors] of byPath) {
    if (around.has(path) && !errors.some(isSurplus)) continue
    const error = errors.find(isSurplus) ?? deepestOf(errors)
    const here = error.path.split('/').slice(1)
    const names = here.map((part) => (/^\d+$/.test(part) ? Number(part) : part))
    flaws.add([...at, ...names], errorMessage(error, schema))
  }
  flaws.end()
}

/** The paths around a path. */
function foldersOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** Where one of several forms was expected, what is wrong inside the one that was meant. */
function deepestOf([first, second]: ValueError[]): ValueError {
  const error = first as ValueError
  for (const form of error.errors)
    for (const one of form) if (one.path.length > error.path.length) return one
  return error.value === undefined ? error : (second ?? error)
}

const isSurplus = ({ message }: { message: string }) => message === 'Unexpected property'

function errorMessage(error: ValueError, root: TObject): string {
  const { description, pattern } = error.schema
  const about = description === undefined ? '' : ` (${description})`
  if (isSurplus(error)) {
    const parent = parentOf(root, error.path)
    const name = error.path.split('/').at(-1)
    return `is wrong: there is no "${name}"; use ${Object.keys(parent.properties).join(', ')}`
  }
  if (error.value === undefined) return `is missing${about}`
  if (pattern !== undefined) return `must be a span such as 10s, 500ms or 5m${about}`
  const words = wordsOf(error.schema) ?? containerOf(error)
  if (words) return `must be ${words}${about}`
  const not = typeof error.value === 'number' ? `, not ${error.value}` : ''
  return `is wrong: ${error.message.toLowerCase()}${not}${about}`
}

/** What holds other values, where something else was given. */
function containerOf({ schema, value }: ValueError): string | null {
  if (schema.type === 'array' && !Array.isArray(value)) return 'a list'
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (schema.type !== 'object' || isObject) return null
  const names = Object.keys(schema.properties ?? {})
  return names.length > 0 ? `an object with ${names.join(', ')}` : 'an object'
}

/** What a value may be, where a schema lists it. */
function wordsOf(schema: TSchema): string | null {
  const choices = choicesIn(schema)
  if (choices.length > 1) return `one of ${choices.map(String).join(', ')}`
  if (!schema.anyOf) return null
  const forms = (schema.anyOf as TSchema[]).map((one) =>
    one.const !== undefined ? JSON.stringify(one.const) : formOf(one),
  )
  return forms.join(' or ')
}

const formOf = ({ type, items, maxItems, maxLength }: TSchema): string => {
  if (type !== 'array')
    return maxLength === undefined ? `a ${type}` : `a ${type} of at most ${maxLength} characters`
  const most = maxItems === undefined ? '' : `at most ${maxItems} `
  return `a list of ${most}${(items as TSchema).type}s`
}

/** The object that has a path's last name as a field; of several forms the one with fields. */
function parentOf(schema: TObject, path: string): TObject {
  let here = schema as unknown as Inner
  for (const part of path.split('/').slice(1, -1)) {
    const next = /^\d+$/.test(part) ? here.items : here.properties?.[part]
    if (next === undefined) break
    here = next.anyOf?.find(({ properties }) => properties) ?? next
  }
  return here as unknown as TObject
}

interface Inner {
  properties?: Record<string, Inner>
  items?: Inner
  anyOf?: Inner[]
}
