/** Differences between two probe passes that are not due to the market. */

import { CHANNELS, OPERATIONS } from '../../contract/catalogue.ts'
import type { TSchema } from '../../contract/schema.ts'
import { isJsonObject } from '../responses.ts'

/** Result of one probe pass. */
export interface Look {
  /** Of each operation and channel with data. */
  forms: Record<string, ObservedForm>
  /** Answers to open questions. */
  questions: Record<string, string>
}

export interface ObservedForm {
  /** `HTTP 200`, or another outcome. */
  outcome: string
  form: SeenForm
}

/** Changes since earlier passes, a line each. */
export function driftSince(before: Look, now: Look): string[] {
  const forms = Object.entries(now.forms).flatMap(([id, heard]) => {
    const known = before.forms[id]
    if (known === undefined) return []
    if (known.outcome !== heard.outcome) return [`${id}: ${known.outcome} before, ${heard.outcome}`]
    return placeDrift(known.form, heard.form, declaredOf(id)).map((line) => `${id}: ${line}`)
  })
  const questions = Object.entries(now.questions).flatMap(([id, answer]) => {
    const known = before.questions[id]
    if (known === undefined || known === answer) return []
    return [`open question ${id}: ${known} before, ${answer} now`]
  })
  return [...forms, ...questions]
}

/** Knowledge after another pass: unseen items keep their earlier state. */
export function afterLook(before: Look, now: Look): Look {
  const forms = Object.entries(now.forms).map(([id, heard]) => {
    const known = before.forms[id]
    if (known === undefined || known.outcome !== heard.outcome) return [id, heard] as const
    return [id, { outcome: heard.outcome, form: together(known.form, heard.form) }] as const
  })
  return {
    forms: { ...before.forms, ...Object.fromEntries(forms) },
    questions: { ...before.questions, ...now.questions },
  }
}

/** Declared data of an operation or a channel, by its place in a response. */
function declaredOf(id: string): Map<string, DeclaredPlace> {
  const { data } = [...OPERATIONS, ...CHANNELS].find((one) => one.id === id) ?? {}
  return data ? declaredForm(data, 'data') : new Map()
}

function placeDrift(
  before: SeenForm,
  now: SeenForm,
  declared: ReadonlyMap<string, DeclaredPlace>,
): string[] {
  const added = Object.entries(now).flatMap(([at, { types }]) => {
    const known = before[at]
    if (known === undefined)
      return isNews(at, before) && !declared.has(at) ? [`${at} is new, ${types.join(' or ')}`] : []
    const allowed = declared.get(at)?.types ?? UNDECLARED
    const others = types.filter((type) => !known.types.includes(type) && !allowed.has(type))
    // Only nulls were seen there before.
    if (others.length === 0 || allowed.has(ANYTHING) || known.types.join() === 'null') return []
    return [`${at} was ${known.types.join(' or ')}, and is ${types.join(' or ')}`]
  })
  const missing = Object.entries(before).flatMap(([at, { always }]) => {
    const mayLack = declared.get(at)?.mayBeLeftOut ?? false
    if (!always || mayLack || now[at]?.always || !isFilled(at, now)) return []
    return [now[at] ? `${at} was always there, and is not always` : `${at} is gone`]
  })
  return [...added, ...missing]
}

const UNDECLARED: ReadonlySet<string> = new Set(['null'])

/** Whether the parent of a place existed before: otherwise the parent is the change. */
const isNews = (at: string, before: SeenForm): boolean =>
  !at.endsWith('[]') && (before[around(at)]?.types.includes('object') ?? false)

/** Whether a missing place could be present. */
const isFilled = (at: string, now: SeenForm): boolean =>
  !at.endsWith('[]') && !at.endsWith('*') && (now[around(at)]?.types.includes('object') ?? false)

const around = (at: string): string => at.slice(0, Math.max(0, at.lastIndexOf('.')))

function together(before: SeenForm, now: SeenForm): SeenForm {
  const places = [...new Set([...Object.keys(before), ...Object.keys(now)])].map((at) => {
    const [one, other] = [before[at], now[at]]
    const types = [...new Set([...(one?.types ?? []), ...(other?.types ?? [])])].sort()
    const isThere = other?.always ?? !isFilled(at, now)
    return [at, { types, always: isThere && (one?.always ?? isFirst(at, before)) }] as const
  })
  return Object.fromEntries(places)
}

/** Whether no ancestor of a place was seen before it. */
const isFirst = (at: string, before: SeenForm): boolean => before[around(at)] === undefined

// Form of responses: fields and their types, without values.

/** Values seen at a place such as `data[].price`. */
interface SeenPlace {
  types: string[]
  /** Whether every parent object had it. */
  always: boolean
}

type SeenForm = Record<string, SeenPlace>

/** Declared values of a place. */
interface DeclaredPlace {
  types: ReadonlySet<string>
  mayBeLeftOut: boolean
}

/**
 * Form of a value. Lists are one place, and so are fields whose names are values: those that begin
 * like an address or a number, and those that the schema leaves open.
 */
export function seenForm(value: unknown, schemas: readonly TSchema[], path = ''): SeenForm {
  const places = new Map<string, { types: Set<string>; count: number }>()
  const objects = new Map<string, number>()
  const walk = (one: unknown, at: string, branches: readonly TSchema[]): void => {
    const place = places.get(at) ?? { types: new Set(), count: 0 }
    place.types.add(typeOf(one))
    place.count++
    places.set(at, place)
    if (Array.isArray(one))
      for (const item of one.slice(0, ITEMS_MAX)) walk(item, `${at}[]`, itemsOf(branches))
    if (!isJsonObject(one)) return
    objects.set(at, (objects.get(at) ?? 0) + 1)
    for (const [name, inner] of Object.entries(one)) {
      const declared = fieldOf(branches, name)
      const isOpen = declared === null || /^(0x|\d)/.test(name)
      walk(inner, inside(at, isOpen ? '*' : name), declared ?? openFieldsOf(branches))
    }
  }
  walk(value, path, schemas)
  const isAlways = (at: string, count: number) => {
    const around = objects.get(at.slice(0, Math.max(0, at.lastIndexOf('.'))))
    return at.endsWith('.*') || at.endsWith('[]') || around === undefined || count >= around
  }
  return Object.fromEntries(
    [...places].map(([at, { types, count }]) => [
      at,
      { types: [...types].sort(), always: isAlways(at, count) },
    ]),
  )
}

/** Every place of a schema, with its declared values. */
function declaredForm(schema: TSchema, path = ''): Map<string, DeclaredPlace> {
  const form = new Map<string, DeclaredPlace>()
  const walk = (branches: readonly TSchema[], at: string, mayBeLeftOut: boolean): void => {
    const all = branches.flatMap(branchesOf)
    form.set(at, { types: new Set(all.flatMap(typesOf)), mayBeLeftOut })
    if (at.length > PATH_MAX) return
    const items = itemsOf(all)
    if (items.length > 0) walk(items, `${at}[]`, true)
    const names = new Set(all.flatMap((one) => Object.keys(one.properties ?? {})))
    for (const name of names) {
      const isAlways = all.every((one) => (one.required as string[] | undefined)?.includes(name))
      walk(fieldOf(all, name) ?? [], inside(at, name), !isAlways)
    }
  }
  walk([schema], path, false)
  return form
}

/** Maximum elements of a list, and maximum length of a path in a recursive schema. */
const [ITEMS_MAX, PATH_MAX] = [200, 300]

const inside = (at: string, name: string) => (at === '' ? name : `${at}.${name}`)

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  return typeof value === 'string' ? 'text' : typeof value
}

const branchesOf = (schema: TSchema): TSchema[] =>
  schema.anyOf ? (schema.anyOf as TSchema[]).flatMap(branchesOf) : [schema]

const NAMES: Readonly<Record<string, string>> = { string: 'text', integer: 'number', array: 'list' }

function typesOf(schema: TSchema): string[] {
  const values =
    schema.const !== undefined ? [schema.const] : (schema.enum as unknown[] | undefined)
  if (values) return values.map(typeOf)
  return typeof schema.type === 'string' ? [NAMES[schema.type] ?? schema.type] : [ANYTHING]
}

/** Type of a place that the schema leaves open. */
const ANYTHING = 'anything'

const itemsOf = (branches: readonly TSchema[]): TSchema[] =>
  branches.flatMap(branchesOf).flatMap(({ items }) => (items ? [items as TSchema].flat() : []))

/** Declaration of a field; null where the schema leaves its name open. */
function fieldOf(branches: readonly TSchema[], name: string): TSchema[] | null {
  const all = branches.flatMap(branchesOf)
  const own = all.flatMap(({ properties }) => (properties?.[name] as TSchema | undefined) ?? [])
  return own.length > 0 || openFieldsOf(all).length === 0 ? own : null
}

/** Declarations of fields with open names. */
const openFieldsOf = (branches: readonly TSchema[]): TSchema[] =>
  branches
    .flatMap(branchesOf)
    .flatMap(({ additionalProperties, patternProperties }) => [
      ...(typeof additionalProperties === 'object' ? [additionalProperties as TSchema] : []),
      ...Object.values((patternProperties ?? {}) as Record<string, TSchema>),
    ])
