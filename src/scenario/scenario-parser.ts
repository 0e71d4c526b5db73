/** Reads a scenario: YAML in a file, or JSON in a call. Errors name the place. */
import { Value } from '@sinclair/typebox/value'
import type { Pair } from 'yaml'
import { type Answers, readAnswers } from '../contract/questions.ts'
import type { TObject } from '../contract/schema.ts'
import { UserError } from '../user-error.ts'
import type { Fault } from './fault.ts'
import { FAULTS } from './faults.ts'
import { type Rule, type Scenario, ScenarioFields } from './scenario.ts'

/** The path of a field, such as `rules.0.on.nth`; and what is wrong with it. */
class ScenarioFlaw extends Error {
  constructor(
    readonly path: readonly (string | number)[],
    message: string,
  ) {
    super(message)
  }
}

// Loaded when a file is read: most servers never do, and all of them should start at once.
const loadYaml = (): typeof import('yaml') => require('yaml')

/** A scenario out of YAML text; a UserError names file, line and field. */
export function parseScenarioYaml(name: string, file: string, text: string): Scenario {
  const { LineCounter, parseDocument } = loadYaml()
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const [error] = document.errors
  if (error) {
    const [first = ''] = error.message.split('\n')
    throw new UserError(
      `${file}:${lines.linePos(error.pos[0]).line}: ${first.replace(/ at line.*/, '')}`,
    )
  }
  try {
    return readScenario(name, document.toJS())
  } catch (flaw) {
    if (!(flaw instanceof ScenarioFlaw)) throw flaw
    const offset = offsetOf(document.contents, flaw.path)
    const { line } = lines.linePos(offset)
    throw new UserError(`${file}:${line}: ${flawMessage(flaw)}`)
  }
}

/** A scenario that was handed in as it is; a UserError names the field. */
export function parseScenario(given: unknown, name = 'inline'): Scenario {
  try {
    return readScenario(name, given)
  } catch (flaw) {
    if (flaw instanceof ScenarioFlaw) throw new UserError(`scenario: ${flawMessage(flaw)}`)
    throw flaw
  }
}

const flawMessage = ({ path, message }: ScenarioFlaw) =>
  `${path.length === 0 ? 'the scenario' : path.join('.')} ${message}`

function readScenario(name: string, given: unknown): Scenario {
  checkSchema(ScenarioFields, given, [])
  const fields = given as ScenarioFields
  const { questions, ...rest } = fields
  return {
    ...rest,
    ...(questions ? { questions: answersOf(questions) } : {}),
    name,
    rules: fields.rules.map((rule, at) => readRule(rule, at)),
    source: given,
  }
}

function answersOf(given: Record<string, string>): Partial<Answers> {
  try {
    return readAnswers(given)
  } catch (error) {
    throw new ScenarioFlaw(['questions'], (error as Error).message)
  }
}

function readRule(fields: ScenarioFields['rules'][number], at: number): Rule {
  const { do: action, ...rest } = fields
  const path = ['rules', at, 'do'] as const
  const { fault, settings } = readFault(action, path)
  checkSchema(fault.settings, settings, [
    ...path,
    ...(typeof action === 'string' ? [] : [fault.name]),
  ])
  return { ...rest, name: fields.name ?? `${at + 1} ${fault.name}`, fault, settings }
}

function readFault(
  action: unknown,
  path: readonly (string | number)[],
): { fault: Fault; settings: Record<string, unknown> } {
  const known = [...FAULTS.keys()].join(', ')
  const isObject = typeof action === 'object' && action !== null && !Array.isArray(action)
  const [name, ...more] = isObject ? Object.keys(action) : [action]
  if (typeof name !== 'string' || more.length > 0)
    throw new ScenarioFlaw(path, `must be one fault, by name or as {name: settings}: ${known}`)
  const fault = FAULTS.get(name)
  if (!fault) throw new ScenarioFlaw(path, `names no fault "${name}"; there are ${known}`)
  const settings = isObject ? ((action as Record<string, unknown>)[name] ?? {}) : {}
  return { fault, settings: settings as Record<string, unknown> }
}

/** Throws the first flaw; of several in one place the deepest. */
function checkSchema(schema: TObject, given: unknown, at: readonly (string | number)[]): void {
  const [first, ...rest] = [...Value.Errors(schema, given)].sort(
    (a, b) => Number(isSurplus(b)) - Number(isSurplus(a)),
  )
  if (!first) return
  const inner = first.errors.flatMap((iterator) => [...iterator])
  const flaw = inner.find((one) => one.path.length > first.path.length) ?? rest[0] ?? first
  const error = flaw.path.startsWith(first.path) ? flaw : first
  const path = error.path.split('/').slice(1)
  const here = [...at, ...path.map((part) => (/^\d+$/.test(part) ? Number(part) : part))]
  throw new ScenarioFlaw(here, errorMessage(error, schema))
}

const isSurplus = ({ message }: { message: string }) => message === 'Unexpected property'

function errorMessage(
  error: { message: string; schema: object; path: string; value: unknown },
  root: TObject,
): string {
  const { description, pattern } = error.schema as { description?: string; pattern?: string }
  const about = description === undefined ? '' : ` (${description})`
  if (isSurplus(error)) {
    const parent = parentOf(root, error.path)
    const name = error.path.split('/').at(-1)
    return `is wrong: there is no "${name}"; use ${Object.keys(parent.properties).join(', ')}`
  }
  if (error.value === undefined) return `is missing${about}`
  if (pattern !== undefined) return `must be a span such as 10s, 500ms or 5m${about}`
  return `is wrong: ${error.message.toLowerCase()}${about}`
}

/** The object that has a path's last name as a field. */
function parentOf(schema: TObject, path: string): TObject {
  let here = schema as { properties?: Record<string, unknown>; items?: unknown }
  for (const part of path.split('/').slice(1, -1)) {
    const next = /^\d+$/.test(part) ? here.items : here.properties?.[part]
    if (next === undefined) break
    here = next as typeof here
  }
  return here as TObject
}

/** Where in the text a field is; the nearest field around it when it is missing. */
function offsetOf(contents: unknown, path: readonly (string | number)[]): number {
  const { isMap, isScalar } = loadYaml()
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
