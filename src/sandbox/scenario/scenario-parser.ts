/** Reads a scenario: YAML in a file, or JSON in a call. Errors name the place. */

import { runToEnd, type Slices } from '../../clock/turns.ts'
import { CHANNELS, OPERATIONS } from '../../contract/catalogue.ts'
import {
  checkFields,
  FieldFlaw,
  type FieldPath,
  FlawList,
  flawsIn,
  flawText,
} from '../../contract/fields/field-check.ts'
import { unknownText } from '../../contract/fields/nearest-name.ts'
import { type FieldPlace, readYaml } from '../../contract/fields/yaml-text.ts'
import type { Question } from '../../contract/questions/question.ts'
import { type Answers, QUESTIONS, type QuestionId } from '../../contract/questions.ts'
import { REFUSALS } from '../../contract/refusal-forms.ts'
import { Type } from '../../contract/schema.ts'
import { VENUE_CHANNELS } from '../../contract/venue.ts'
import { PlotField, readPlot } from '../../market/events/event-schedule.ts'
import { isJsonObject } from '../../platform/json-object.ts'
import { UserError } from '../../platform/user-error.ts'
import type { Fault } from './fault.ts'
import { FAULTS } from './faults.ts'
import {
  fits,
  RULES_MAX,
  type Rule,
  RuleFields,
  type RuleSelector,
  type Scenario,
  ScenarioFields,
} from './scenario.ts'
import { ruleSpanMs } from './scenario-run.ts'

/** A checked rule: one that could never act is refused. */
type CheckedRule = Omit<Rule, 'randomName'>

/** Throws for a rule whose fields are valid one by one and contradict one another. */
function checkRule({ on = {}, fault, every, for: length }: CheckedRule, at: FieldPath): void {
  const flaws = new FlawList()
  for (const [field, { kind, names }] of KNOWN_NAMES) {
    const known = on[field] === undefined ? [] : names()
    for (const name of [on[field] ?? []].flat())
      if (!flaws.isFull && !known.some((one) => fits(name, one)))
        flaws.add([...at, 'on', field], `is wrong: ${unknownText(kind, name, known)}`)
  }
  const clash = clashOf(on, fault)
  if (clash) flaws.add([...at, 'on', clash[0]], clash[1])
  for (const [field, text] of [
    ['every', every],
    ['for', length],
  ] as const)
    if (text !== undefined && ruleSpanMs(text) === 0) flaws.add([...at, field], 'must be above 0')
  flaws.end()
}

/** Throws when two rules have one name: the journal could not tell them apart. */
function checkNames(rules: readonly { name?: string }[]): void {
  const flaws = new FlawList()
  const firsts = new Map<string, number>()
  for (const [at, { name }] of rules.entries()) {
    const first = name === undefined ? undefined : firsts.get(name)
    if (first !== undefined)
      flaws.add(['rules', at, 'name'], `is "${name}", as is that of rules.${first}`)
    else if (name !== undefined) firsts.set(name, at)
  }
  flaws.end()
}

const idsOf = (declared: readonly { id: string }[]) => [...new Set(declared.map(({ id }) => id))]

/** Operations, and those with a type in the body once more for each type. */
export const operationNames = (): readonly string[] => {
  operations ??= [
    ...new Set(
      OPERATIONS.flatMap(({ id, bodies }) => [
        id,
        ...[...(bodies?.keys() ?? [])].map((type) => `${id}/${type}`),
      ]),
    ),
  ]
  return operations
}
let operations: readonly string[] | undefined

const channelNames = (): readonly string[] => {
  channels ??= idsOf([...CHANNELS, ...VENUE_CHANNELS])
  return channels
}
let channels: readonly string[] | undefined

const KNOWN_NAMES = new Map([
  ['operation', { kind: 'operation', names: operationNames }],
  ['channel', { kind: 'channel', names: channelNames }],
  ['refused', { kind: 'refusal', names: () => Object.keys(REFUSALS) }],
] as const)

/** A field of `on` that keeps the fault from ever acting, and why. */
function clashOf(on: RuleSelector, fault: Fault): [field: string, why: string] | null {
  const { operation, channel, refused } = on
  if (operation !== undefined && channel !== undefined)
    return ['channel', 'cannot stand beside operation: no request has a channel; make two rules']
  if (operation !== undefined && isOfSockets(fault))
    return ['operation', `is of requests, and ${fault.name} acts on sockets: use channel`]
  if (channel !== undefined && (fault.onResponse || fault.oncePerQuota))
    return ['channel', `is of sockets, and ${fault.name} acts on requests: use operation`]
  if (refused !== undefined && !fault.onResponse)
    return ['refused', `is known when the answer leaves, and ${fault.name} acts before that`]
  return wholeClashOf(on, fault)
}

const isOfSockets = (fault: Fault) =>
  (fault.onPush ?? fault.lostReply ?? fault.subscriptionRefusal) !== undefined ||
  isOfConnections(fault)

const isOfConnections = (fault: Fault) =>
  fault.closeCode !== undefined || fault.stalledFrames !== undefined

/** The same for faults of connections, which have no coin, or of instants, which have no number. */
function wholeClashOf(on: RuleSelector, fault: Fault): [field: string, why: string] | null {
  const isWhole = isOfConnections(fault) || fault.lostReply !== undefined
  const isUpgrade = on.channel !== undefined && fault.onRequest !== undefined
  for (const field of ['coin', 'address'] as const)
    if ((isWhole || isUpgrade) && on[field] !== undefined)
      return [field, `is of requests and pushes, and ${fault.name} acts on connections here`]
  for (const field of ['nth', 'everyNth', 'probability'] as const)
    if (fault.stalledFrames && on[field] !== undefined)
      return [field, `counts matches, and ${fault.name} lasts: use from, for and every`]
  return null
}

/** Parses a scenario from YAML; a UserError names file, line and field of every error. */
export const parseScenarioYaml = (name: string, file: string, text: string): Scenario =>
  readYaml({ file, text, whole: WHOLE }, (given, place) =>
    runToEnd(readScenario(name, given, place)),
  )

/** Parses a scenario from a value; a UserError names the fields. */
export const parseScenario = (given: unknown, name?: string, place?: FieldPlace): Scenario =>
  runToEnd(scenarioOf(given, name, place))

/** Parses a scenario in slices, a rule at a time. */
export function* scenarioOf(given: unknown, name = 'inline', place?: FieldPlace): Slices<Scenario> {
  const where = place ?? (() => 'scenario')
  try {
    return yield* readScenario(name, given, where)
  } catch (error) {
    throw scenarioError(flawsIn(error), where)
  }
}

/** The errors of a scenario, one a line. */
export const scenarioError = (flaws: readonly FieldFlaw[], place: FieldPlace): UserError =>
  new UserError(flaws.map((one) => `${place(one.path)}: ${flawText(one, WHOLE)}`).join('\n'))

const WHOLE = 'the scenario'

/** A scenario without its rules, which are checked one by one. */
const ScenarioHead = Type.Object(
  { ...ScenarioFields.properties, rules: Type.Array(Type.Unknown(), { maxItems: RULES_MAX }) },
  { additionalProperties: false },
)

function* readScenario(name: string, given: unknown, place: FieldPlace): Slices<Scenario> {
  const flaws = new FlawList()
  flaws.collect(() => checkCounts(given))
  flaws.end()
  flaws.collect(() => checkFields(ScenarioHead, given, []))
  const isHeadSound = flaws.isEmpty
  const fields = given as ScenarioFields
  const { questions, market = [], ...rest } = isHeadSound ? fields : EMPTY
  const answers = questions && flaws.collect(() => answersOf(questions))
  const plot = flaws.collect(() => readPlot(market, ['market'])) ?? []
  yield
  const rules: Omit<Rule, 'randomName'>[] = []
  for (const [at, rule] of rulesIn(given).entries()) {
    if (flaws.isFull) break
    const read = flaws.collect(() => readRule(rule, at))
    if (read) rules.push(read)
    yield
  }
  if (isHeadSound) flaws.collect(() => checkNames(rules.length === 0 ? [] : fields.rules))
  flaws.end()
  return {
    ...rest,
    ...(answers ? { questions: answers } : {}),
    name,
    market: plot,
    rules: withRandomNames(rules, fields),
    source: given,
    length: JSON.stringify(given).length,
    place,
  }
}

/** Throws where there are too many parts to report their errors one by one. */
function checkCounts(given: unknown): void {
  const { rules, market } = (given ?? {}) as { rules?: unknown; market?: unknown }
  const flaws = new FlawList()
  const check = (name: string, list: unknown, max: number) => {
    if (Array.isArray(list) && list.length > max)
      flaws.add([name], `has ${list.length} entries, at most ${max}`)
  }
  check('rules', rules, RULES_MAX)
  check('market', market, PlotField.maxItems ?? 0)
  flaws.end()
}

const EMPTY: ScenarioFields = { title: '', rules: [] }

function answersOf(given: Record<string, string>): Partial<Answers> {
  const flaws = new FlawList()
  for (const [id, answer] of Object.entries(given)) {
    if (flaws.isFull) break
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

/** An unnamed rule is identified by its content, and by its index among equal rules. */
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

function rulesIn(given: unknown): unknown[] {
  const { rules } = (given ?? {}) as { rules?: unknown }
  return Array.isArray(rules) ? rules : []
}

type GivenRule = ScenarioFields['rules'][number]

/** Reads a rule; its fault is checked even where its fields are wrong. */
function readRule(given: unknown, at: number): Omit<Rule, 'randomName'> {
  const flaws = new FlawList()
  flaws.collect(() => checkFields(RuleFields, given, ['rules', at]))
  const isSound = flaws.isEmpty
  if (typeof given !== 'object' || given === null || !('do' in given)) flaws.end()
  const { do: action, ...rest } = given as GivenRule
  const path = ['rules', at, 'do'] as const
  const rule = flaws.collect(() => {
    const { fault, settings } = readFault(action, path)
    const inside = [...path, ...(typeof action === 'string' ? [] : [fault.name])]
    checkFields(fault.settings, settings, inside)
    const flaw = fault.check?.(settings as never)
    if (flaw) throw new FieldFlaw(inside, flaw)
    return { ...rest, name: rest.name ?? `${at + 1} ${fault.name}`, fault, settings }
  })
  if (isSound && rule) flaws.collect(() => checkRule(rule, ['rules', at]))
  flaws.end()
  return rule as Omit<Rule, 'randomName'>
}

function readFault(
  action: unknown,
  path: FieldPath,
): { fault: Fault; settings: Record<string, unknown> } {
  const known = [...FAULTS.keys()].join(', ')
  const [name, ...more] = isJsonObject(action) ? Object.keys(action) : [action]
  if (typeof name !== 'string' || more.length > 0)
    throw new FieldFlaw(path, `must be one fault, by name or as {name: settings}: ${known}`)
  const fault = FAULTS.get(name)
  if (!fault) throw new FieldFlaw(path, `names no fault "${name}"; there are ${known}`)
  const settings = isJsonObject(action) ? (action[name] ?? {}) : {}
  return { fault, settings: settings as Record<string, unknown> }
}
