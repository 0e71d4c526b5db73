/** Reads a scenario: YAML in a file, or JSON in a call. Errors name the place. */
import { type Answers, readAnswers } from '../contract/questions.ts'
import { checkFields } from '../fields/field-check.ts'
import { FieldFlaw, type FieldPath, flawText } from '../fields/field-flaw.ts'
import { readYaml } from '../fields/yaml-text.ts'
import { readPlot } from '../market/events/plot.ts'
import { UserError } from '../user-error.ts'
import type { Fault } from './fault.ts'
import { FAULTS } from './faults.ts'
import { type Rule, type Scenario, ScenarioFields } from './scenario.ts'

/** A scenario out of YAML text; a UserError names file, line and field. */
export const parseScenarioYaml = (name: string, file: string, text: string): Scenario =>
  readYaml({ file, text, whole: WHOLE }, (given) => readScenario(name, given))

/** A scenario that was handed in as it is; a UserError names the field. */
export function parseScenario(given: unknown, name = 'inline'): Scenario {
  try {
    return readScenario(name, given)
  } catch (flaw) {
    if (flaw instanceof FieldFlaw) throw new UserError(`scenario: ${flawText(flaw, WHOLE)}`)
    throw flaw
  }
}

const WHOLE = 'the scenario'

function readScenario(name: string, given: unknown): Scenario {
  checkFields(ScenarioFields, given, [])
  const fields = given as ScenarioFields
  const { questions, market = [], ...rest } = fields
  return {
    ...rest,
    ...(questions ? { questions: answersOf(questions) } : {}),
    name,
    market: readPlot(market, ['market']),
    rules: withRandomNames(
      fields.rules.map((rule, at) => readRule(rule, at)),
      fields,
    ),
    source: given,
  }
}

function answersOf(given: Record<string, string>): Partial<Answers> {
  try {
    return readAnswers(given)
  } catch (error) {
    throw new FieldFlaw(['questions'], (error as Error).message)
  }
}

/** An unnamed rule is known by all it says, and by which of several it is that say the same. */
function withRandomNames(
  rules: Omit<Rule, 'randomName'>[],
  { rules: given }: ScenarioFields,
): Rule[] {
  const counts = new Map<string, number>()
  return rules.map((rule, at) => {
    if (given[at]?.name !== undefined)
      return { ...rule, randomName: `${rule.name}/${rule.fault.name}` }
    const text = JSON.stringify(given[at])
    const count = (counts.get(text) ?? 0) + 1
    counts.set(text, count)
    return { ...rule, randomName: `${text} ${count}` }
  })
}

function readRule(fields: ScenarioFields['rules'][number], at: number): Omit<Rule, 'randomName'> {
  const { do: action, ...rest } = fields
  const path = ['rules', at, 'do'] as const
  const { fault, settings } = readFault(action, path)
  checkFields(fault.settings, settings, [
    ...path,
    ...(typeof action === 'string' ? [] : [fault.name]),
  ])
  return { ...rest, name: fields.name ?? `${at + 1} ${fault.name}`, fault, settings }
}

function readFault(
  action: unknown,
  path: FieldPath,
): { fault: Fault; settings: Record<string, unknown> } {
  const known = [...FAULTS.keys()].join(', ')
  const isObject = typeof action === 'object' && action !== null && !Array.isArray(action)
  const [name, ...more] = isObject ? Object.keys(action) : [action]
  if (typeof name !== 'string' || more.length > 0)
    throw new FieldFlaw(path, `must be one fault, by name or as {name: settings}: ${known}`)
  const fault = FAULTS.get(name)
  if (!fault) throw new FieldFlaw(path, `names no fault "${name}"; there are ${known}`)
  const settings = isObject ? ((action as Record<string, unknown>)[name] ?? {}) : {}
  return { fault, settings: settings as Record<string, unknown> }
}
