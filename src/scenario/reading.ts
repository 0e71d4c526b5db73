/** Reads a scenario: YAML in a file, or JSON in a call. What is wrong is said with its place. */
import { Value } from '@sinclair/typebox/value'
import type { Pair } from 'yaml'
import { Complaint } from '../complaint.ts'
import { type Answers, readAnswers } from '../contract/questions.ts'
import type { TObject } from '../contract/schema.ts'
import type { Deed } from './deed.ts'
import { DEEDS } from './deeds.ts'
import { type Rule, type Scenario, ScenarioFields } from './scenario.ts'

/** Where a field stands, such as `rules.0.on.nth`; and what is wrong with it. */
class Flaw extends Error {
  constructor(
    readonly path: readonly (string | number)[],
    message: string,
  ) {
    super(message)
  }
}

// Loaded when a file is read: most servers never do, and all of them should start at once.
const yamlRoom = (): typeof import('yaml') => require('yaml')

/** A scenario out of YAML text; a Complaint names file, line and field. */
export function scenarioOfYaml(name: string, file: string, text: string): Scenario {
  const { LineCounter, parseDocument } = yamlRoom()
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const [error] = document.errors
  if (error) {
    const [first = ''] = error.message.split('\n')
    throw new Complaint(
      `${file}:${lines.linePos(error.pos[0]).line}: ${first.replace(/ at line.*/, '')}`,
    )
  }
  try {
    return scenarioOf(name, document.toJS())
  } catch (flaw) {
    if (!(flaw instanceof Flaw)) throw flaw
    const offset = offsetOf(document.contents, flaw.path)
    const { line } = lines.linePos(offset)
    throw new Complaint(`${file}:${line}: ${said(flaw)}`)
  }
}

/** A scenario that was handed in as it is; a Complaint names the field. */
export function scenarioInline(given: unknown, name = 'inline'): Scenario {
  try {
    return scenarioOf(name, given)
  } catch (flaw) {
    if (flaw instanceof Flaw) throw new Complaint(`scenario: ${said(flaw)}`)
    throw flaw
  }
}

const said = ({ path, message }: Flaw) =>
  `${path.length === 0 ? 'the scenario' : path.join('.')} ${message}`

function scenarioOf(name: string, given: unknown): Scenario {
  check(ScenarioFields, given, [])
  const fields = given as ScenarioFields
  const { questions, ...rest } = fields
  return {
    ...rest,
    ...(questions ? { questions: answersOf(questions) } : {}),
    name,
    rules: fields.rules.map((rule, at) => ruleOf(rule, at)),
    given,
  }
}

function answersOf(given: Record<string, string>): Partial<Answers> {
  try {
    return readAnswers(given)
  } catch (error) {
    throw new Flaw(['questions'], (error as Error).message)
  }
}

function ruleOf(fields: ScenarioFields['rules'][number], at: number): Rule {
  const { do: wish, ...rest } = fields
  const path = ['rules', at, 'do'] as const
  const { deed, settings } = deedOf(wish, path)
  check(deed.settings, settings, [...path, ...(typeof wish === 'string' ? [] : [deed.name])])
  return { ...rest, name: fields.name ?? `${at + 1} ${deed.name}`, deed, settings }
}

function deedOf(
  wish: unknown,
  path: readonly (string | number)[],
): { deed: Deed; settings: Record<string, unknown> } {
  const known = [...DEEDS.keys()].join(', ')
  const isObject = typeof wish === 'object' && wish !== null && !Array.isArray(wish)
  const [name, ...more] = isObject ? Object.keys(wish) : [wish]
  if (typeof name !== 'string' || more.length > 0)
    throw new Flaw(path, `must be one deed, by name or as {name: settings}: ${known}`)
  const deed = DEEDS.get(name)
  if (!deed) throw new Flaw(path, `names no deed "${name}"; there are ${known}`)
  const settings = isObject ? ((wish as Record<string, unknown>)[name] ?? {}) : {}
  return { deed, settings: settings as Record<string, unknown> }
}

/** Throws the first flaw, the one that stands deepest of those in one place. */
function check(schema: TObject, given: unknown, at: readonly (string | number)[]): void {
  const [first, ...rest] = [...Value.Errors(schema, given)].sort(
    (a, b) => Number(isSurplus(b)) - Number(isSurplus(a)),
  )
  if (!first) return
  const inner = first.errors.flatMap((iterator) => [...iterator])
  const flaw = inner.find((one) => one.path.length > first.path.length) ?? rest[0] ?? first
  const error = flaw.path.startsWith(first.path) ? flaw : first
  const path = error.path.split('/').slice(1)
  const here = [...at, ...path.map((part) => (/^\d+$/.test(part) ? Number(part) : part))]
  throw new Flaw(here, wordsFor(error, schema))
}

const isSurplus = ({ message }: { message: string }) => message === 'Unexpected property'

function wordsFor(
  error: { message: string; schema: object; path: string; value: unknown },
  whole: TObject,
): string {
  const { description, pattern } = error.schema as { description?: string; pattern?: string }
  const about = description === undefined ? '' : ` (${description})`
  if (isSurplus(error)) {
    const near = parentOf(whole, error.path)
    const name = error.path.split('/').at(-1)
    return `is wrong: there is no "${name}"; use ${Object.keys(near.properties).join(', ')}`
  }
  if (error.value === undefined) return `is missing${about}`
  if (pattern !== undefined) return `must be a span such as 10s, 500ms or 5m${about}`
  return `is wrong: ${error.message.toLowerCase()}${about}`
}

/** The object that a path's last name stands in. */
function parentOf(schema: TObject, path: string): TObject {
  let here = schema as { properties?: Record<string, unknown>; items?: unknown }
  for (const part of path.split('/').slice(1, -1)) {
    const next = /^\d+$/.test(part) ? here.items : here.properties?.[part]
    if (next === undefined) break
    here = next as typeof here
  }
  return here as TObject
}

/** Where in the text a field stands; the nearest field around it when it is missing. */
function offsetOf(contents: unknown, path: readonly (string | number)[]): number {
  const { isMap, isScalar } = yamlRoom()
  let [node, offset] = [contents as Node | null, 0]
  for (const part of path) {
    offset = node?.range?.[0] ?? offset
    if (!node) break
    const pair = isMap(node)
      ? (node.items as Pair<unknown, unknown>[]).find(
          ({ key }) => isScalar(key) && String(key.value) === String(part),
        )
      : undefined
    const keyAt = (pair?.key as Node | undefined)?.range?.[0]
    if (keyAt !== undefined) offset = keyAt
    node = (pair ? pair.value : (node.items?.[Number(part)] ?? null)) as Node | null
  }
  return offset
}

interface Node {
  range?: [number, number, number]
  items?: unknown[]
}
