/** The form of answers: which fields there are and of which types, values apart. */
import type { TSchema } from '../../contract/schema.ts'
import { isJsonObject } from '../parsed-json.ts'

/** Of a place such as `data[].price`: what stood there. */
export interface SeenPlace {
  types: string[]
  /** Every object around it had it. */
  always: boolean
}

export type SeenForm = Record<string, SeenPlace>

/** What a declaration lets stand at a place. */
export interface DeclaredPlace {
  types: ReadonlySet<string>
  mayBeLeftOut: boolean
}

/**
 * The form of a value. Lists are one place, and so are fields whose names are values themselves:
 * those that begin as an address or a number do, and those that the schema leaves open.
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

/** Every place of a schema, with what may stand there. */
export function declaredForm(schema: TSchema, path = ''): Map<string, DeclaredPlace> {
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

/** Elements of a list that are looked at, and characters of a place of a schema without end. */
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

/** Stands among the types of a place where the schema says nothing. */
export const ANYTHING = 'anything'

const itemsOf = (branches: readonly TSchema[]): TSchema[] =>
  branches.flatMap(branchesOf).flatMap(({ items }) => (items ? [items as TSchema].flat() : []))

/** What is declared of a field; null where its name is left open by the schema. */
function fieldOf(branches: readonly TSchema[], name: string): TSchema[] | null {
  const all = branches.flatMap(branchesOf)
  const own = all.flatMap(({ properties }) => (properties?.[name] as TSchema | undefined) ?? [])
  return own.length > 0 || openFieldsOf(all).length === 0 ? own : null
}

/** What is declared of fields whose names are not. */
const openFieldsOf = (branches: readonly TSchema[]): TSchema[] =>
  branches
    .flatMap(branchesOf)
    .flatMap(({ additionalProperties, patternProperties }) => [
      ...(typeof additionalProperties === 'object' ? [additionalProperties as TSchema] : []),
      ...Object.values((patternProperties ?? {}) as Record<string, TSchema>),
    ])
