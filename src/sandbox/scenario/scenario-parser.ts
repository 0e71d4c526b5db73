/** Reads a scenario: YAML in a file, or JSON in a call. Errors name the place. */

import {
  type Answers,
  checkFields,
  FieldFlaw,
  type FieldPath,
  type FieldPlace,
  FlawList,
  flawsIn,
  flawText,
  QUESTIONS,
  type Question,
  type QuestionId,
  readYaml,
  unknownText,
} from '../../contract/index.ts'
import { readPlot } from '../../market/index.ts'
import { UserError } from '../../platform/user-error.ts'
import type { Fault } from './fault.ts'
import { FAULTS } from './faults.ts'
import { checkNames, checkRule } from './rule-check.ts'
import { type Rule, type Scenario, ScenarioFields } from './scenario.ts'

/** A scenario out of YAML text; a UserError names file, line and field of all that is wrong. */
export const parseScenarioYaml = (name: string, file: string, text: string): Scenario =>
  readYaml({ file, text, whole: WHOLE }, (given, place) => readScenario(name, given, place))

/** A scenario that was handed in as it is; a UserError names the fields. */
export function parseScenario(given: unknown, name = 'inline', place?: FieldPlace): Scenario {
  const where = place ?? (() => 'scenario')
  try {
    return readScenario(name, given, where)
  } catch (error) {
    throw scenarioError(flawsIn(error), where)
  }
}

/** What is wrong with a scenario, each flaw on a line of its own. */
export const scenarioError = (flaws: readonly FieldFlaw[], place: FieldPlace): UserError =>
  new UserError(flaws.map((one) => `${place(one.path)}: ${flawText(one, WHOLE)}`).join('\n'))

const WHOLE = 'the scenario'

function readScenario(name: string, given: unknown, place: FieldPlace): Scenario {
  const flaws = new FlawList()
  flaws.collect(() => checkFields(ScenarioFields, given, []))
  const fields = given as ScenarioFields
  const isSound = flaws.isEmpty
  const { questions, market = [], ...rest } = isSound ? fields : EMPTY
  const answers = questions && flaws.collect(() => answersOf(questions))
  const plot = flaws.collect(() => readPlot(market, ['market'])) ?? []
  const rules = rulesIn(given).flatMap(
    (rule, at) => flaws.collect(() => readRule(rule, at, isSound)) ?? [],
  )
  if (isSound) flaws.collect(() => checkNames(fields.rules))
  flaws.end()
  return {
    ...rest,
    ...(answers ? { questions: answers } : {}),
    name,
    market: plot,
    rules: withRandomNames(rules, fields),
    source: given,
    place,
  }
}

const EMPTY: ScenarioFields = { title: '', rules: [] }

function answersOf(given: Record<string, string>): Partial<Answers> {
  const flaws = new FlawList()
  for (const [id, answer] of Object.entries(given)) {
    if (!Object.hasOwn(QUESTIONS, id)) {
      const text = unknownText('open question', id, Object.keys(QUESTIONS).sort())
      flaws.add(['questions', id], `is wrong: ${text}`)
      continue
    }
    const { answers }: Question = QUESTIONS[id as QuestionId]
    if (!Object.hasOwn(answers, answer))
      flaws.add(['questions', id], `must be ${Object.keys(answers).join(' or ')}, not "${answer}"`)
  }
  flaws.end()
  return given as Partial<Answers>
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

/** The rules as far as they are objects: those are looked at even where others are none. */
function rulesIn(given: unknown): GivenRule[] {
  const { rules } = (given ?? {}) as { rules?: unknown }
  if (!Array.isArray(rules)) return []
  return rules.filter((one) => typeof one === 'object' && one !== null && 'do' in one)
}

type GivenRule = ScenarioFields['rules'][number]

/** @param isSound whether its fields are; else only what it does is looked at */
function readRule(fields: GivenRule, at: number, isSound: boolean): Omit<Rule, 'randomName'> {
  const { do: action, ...rest } = fields
  const path = ['rules', at, 'do'] as const
  const { fault, settings } = readFault(action, path)
  const inside = [...path, ...(typeof action === 'string' ? [] : [fault.name])]
  checkFields(fault.settings, settings, inside)
  const flaws = new FlawList()
  const flaw = fault.check?.(settings as never)
  if (flaw) flaws.add(inside, flaw)
  const rule = { ...rest, name: fields.name ?? `${at + 1} ${fault.name}`, fault, settings }
  if (isSound) flaws.collect(() => checkRule(rule, ['rules', at]))
  flaws.end()
  return rule
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
