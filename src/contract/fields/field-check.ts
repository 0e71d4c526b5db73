/** Checks data against a schema; messages name the field and the valid form. */

import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { Value, type ValueError } from '@sinclair/typebox/value'
import { isJsonObject } from '../../platform/json-object.ts'
import { choicesIn } from '../expected-text.ts'
import { spanMs } from '../span.ts'

/**
 * Throws the flaws: one for each field, and of nested ones the deepest. One pass, which stops at
 * the number of flaws that are listed.
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

/** For a union, the flaws inside the alternative that was meant. */
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

/** The expected container, where something else was given. */
function containerOf({ schema, value }: ValueError): string | null {
  if (schema.type === 'array' && !Array.isArray(value)) return 'a list'
  if (schema.type !== 'object' || isJsonObject(value)) return null
  const names = Object.keys(schema.properties ?? {})
  return names.length > 0 ? `an object with ${names.join(', ')}` : 'an object'
}

/** The values that a schema lists. */
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

/** The object with a path's last name as a field; of several forms the one with fields. */
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

/** Lengths of time in files that users write: `10s`, `500ms`, `5m`, and `0s`. */
export const SpanField = (description: string) => Type.String({ pattern: PATTERN, description })

/** At most some 19,000 years in each unit. */
const PATTERN =
  '^(0s|[1-9]\\d{0,13}ms|[1-9]\\d{0,10}s|[1-9]\\d{0,8}m|[1-9]\\d{0,7}h|[1-9]\\d{0,5}[dw])$'

/** Its length in ms, for text that has been checked. */
export function fieldSpanMs(text: string): number {
  if (text === '0s') return 0
  return text.endsWith('ms') ? Number(text.slice(0, -2)) : spanMs(text)
}

// Flaws of input data, with their places.

/** The names and indexes that lead to a field: `['rules', 0, 'on', 'nth']`. */
export type FieldPath = readonly (string | number)[]

/** A flawed field; the reader of the data adds file and line. */
export class FieldFlaw extends Error {
  constructor(
    readonly path: FieldPath,
    message: string,
  ) {
    super(shortened(message, FLAW_LENGTH))
  }
}

/** Maximum number of flaws that are looked for and listed. */
const FLAWS_LISTED = 20

/** Maximum length of a shown flaw, as it may quote input. */
const FLAW_LENGTH = 1_000

/** Maximum length of a list of flaws. */
const LIST_LENGTH = 5_000

/** `rules.0.on.nth must be …`; `whole` names the whole data, such as `the scenario`. */
export const flawText = ({ path, message }: FieldFlaw, whole: string): string =>
  `${path.length === 0 ? whole : pathText(path)} ${message}`

/** A path as text; names from the input have no bound of their own. */
const pathText = (path: FieldPath): string =>
  path.map((part) => (typeof part === 'string' ? shortened(part, 100) : part)).join('.')

/** A text cut to a length. */
const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`

/** One line for each flaw. */
export const flawsText = (flaws: readonly FieldFlaw[], whole: string): string =>
  flaws.map((one) => flawText(one, whole)).join('\n')

/** Several flaws, in the order in which they were found; as an error it is the first. */
class FieldFlaws extends FieldFlaw {
  constructor(
    first: FieldFlaw,
    readonly flaws: readonly FieldFlaw[],
  ) {
    super(first.path, first.message)
  }
}

/** The flaws of an error; any other error is thrown again. */
export function flawsIn(error: unknown): readonly FieldFlaw[] {
  if (error instanceof FieldFlaws) return error.flaws
  if (error instanceof FieldFlaw) return [error]
  throw error
}

/** Runs several checks, and throws all their flaws at once. */
export class FlawList {
  private readonly flaws: FieldFlaw[] = []

  /** Whether the listed maximum is exceeded, so that further checks are useless. */
  get isFull(): boolean {
    return this.flaws.length > FLAWS_LISTED
  }

  get isEmpty(): boolean {
    return this.flaws.length === 0
  }

  /** The listed flaws, and a note where there are more. */
  get found(): readonly FieldFlaw[] {
    const listed: FieldFlaw[] = []
    let length = 0
    for (const flaw of this.flaws.slice(0, FLAWS_LISTED)) {
      length += flaw.message.length
      if (length > LIST_LENGTH && listed.length > 0) break
      listed.push(flaw)
    }
    if (listed.length === this.flaws.length) return listed
    const more = `has more flaws: the first ${listed.length} are listed`
    return [...listed, new FieldFlaw([], more)]
  }

  add(path: FieldPath, message: string): void {
    this.flaws.push(new FieldFlaw(path, message))
  }

  /** The result of a check, or undefined where it throws flaws. */
  collect<T>(check: () => T): T | undefined {
    try {
      return check()
    } catch (error) {
      this.flaws.push(...flawsIn(error))
      return undefined
    }
  }

  /** Throws the flaws, if any. */
  end(): void {
    const { found } = this
    const [first] = found
    if (first) throw found.length === 1 ? first : new FieldFlaws(first, found)
  }
}
