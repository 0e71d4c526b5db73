/** A plan: timed actions against a client, as a file that people read and `--plan` runs again. */

import {
  checkFields,
  FieldFlaw,
  type FieldPath,
  FlawList,
  fieldSpanMs,
  SpanField,
} from '../../contract/fields/field-check.ts'
import { unknownText } from '../../contract/fields/nearest-name.ts'
import { readYaml, writeYaml } from '../../contract/fields/yaml-text.ts'
import { OneOf, type Static, Type } from '../../contract/schema.ts'
import { isPlaceOfCoin, readEvent } from '../../market/events/event-schedule.ts'
import type { GivenEvent } from '../../market/events/market-event.ts'
import { UserError } from '../../platform/user-error.ts'
import { VERSION } from '../../platform/version.ts'
import { RuleSelector } from '../../sandbox/scenario/scenario.ts'
import { parseScenario } from '../../sandbox/scenario/scenario-parser.ts'

export const LEVELS = ['calm', 'stormy', 'violent'] as const
export type Level = (typeof LEVELS)[number]

/** Maximum number of actions, and maximum length of a plan. */
export const ACTIONS_MAX = 200
const LENGTH_MAX_MS = 3_600_000

/** The format of plans; another one is refused. */
const FORMAT = 1

const KeyFields = Type.Object(
  {
    status: Type.Optional(OneOf(['active', 'disabled'], 'whether the key is accepted')),
    permissions: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: 100,
        description: 'the only permissions that it has left',
      }),
    ),
    limits: Type.Optional(
      Type.Object(
        {
          ratePerMinute: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
          monthlyQuota: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
          maxConnections: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 })),
          maxSubscriptions: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
        },
        { additionalProperties: false, description: 'limits of the key' },
      ),
    ),
  },
  { additionalProperties: false, description: "changes of the client's key" },
)
export type KeyAction = Static<typeof KeyFields>

/** The kinds of actions; each action is of one. */
export const ACTION_KINDS = [
  'fault',
  'market',
  'key',
  'questions',
  'jump',
  'seek',
  'speed',
] as const
export type ActionKind = (typeof ACTION_KINDS)[number]

const ActionFields = Type.Object(
  {
    at: SpanField('when it begins, counted from the start of the plan'),
    for: Type.Optional(SpanField('how long it lasts; to the end of the plan by default')),
    fault: Type.Optional(
      Type.Unknown({ description: 'a fault by name, or `{name: {its settings}}`' }),
    ),
    on: Type.Optional(RuleSelector),
    market: Type.Optional(Type.Unknown({ description: 'a market event' })),
    key: Type.Optional(KeyFields),
    questions: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        maxProperties: 50,
        description: 'answers to open questions',
      }),
    ),
    jump: Type.Optional(SpanField('a jump of the session clock, and of the market with it')),
    seek: Type.Optional(SpanField('how far the market is set ahead')),
    speed: Type.Optional(
      Type.Number({ minimum: 0, maximum: 100, description: 'speed of the market; 0 stops it' }),
    ),
  },
  { additionalProperties: false },
)

/** One action as the file has it. */
export type Action = Static<typeof ActionFields>

const PlanFields = Type.Object(
  {
    format: Type.Integer({ description: 'version of the format' }),
    drawnBy: Type.Optional(Type.String({ maxLength: 200, description: 'version of Tapewright' })),
    seed: Type.Optional(Type.Integer({ minimum: 0, description: 'the seed it was drawn from' })),
    level: Type.Optional(OneOf([...LEVELS], 'how severe it is')),
    world: Type.Optional(Type.String({ maxLength: 500, description: 'tape digest and seed' })),
    length: SpanField('how long it lasts, session time'),
    actions: Type.Array(ActionFields, { maxItems: ACTIONS_MAX }),
  },
  { additionalProperties: false },
)

/** A plan: what is done to a sandbox and its client, by session time from its start. */
export interface Plan {
  seed?: number
  level?: Level
  /** The world that it was drawn for; null for any. */
  world: string | null
  lengthMs: number
  /** In the order of their times. */
  actions: readonly Action[]
}

/** Kind of an action. */
export const kindOfAction = (action: Action): ActionKind =>
  ACTION_KINDS.find((kind) => action[kind] !== undefined) as ActionKind

/** When an action begins, ms from the start of its plan. */
export const beginMs = ({ at }: Action): number => fieldSpanMs(at)

/** When it ends; the end of the plan where it does not say. Instants end as they begin. */
export function endMs(action: Action, { lengthMs }: Pick<Plan, 'lengthMs'>): number {
  const kind = kindOfAction(action)
  if (kind === 'market' || kind === 'jump' || kind === 'seek') return beginMs(action)
  if (action.for === undefined) return lengthMs
  return Math.min(lengthMs, beginMs(action) + fieldSpanMs(action.for))
}

/** `12.5s` as `12500ms`: the longest unit in which a length is whole. */
export function spanOf(lengthMs: number): string {
  if (lengthMs === 0) return '0s'
  return lengthMs % 1000 === 0 ? `${lengthMs / 1000}s` : `${lengthMs}ms`
}

/** An action in a few words: `disconnect (code 1006) on l2Book`. */
export function actionText(action: Action): string {
  const kind = kindOfAction(action)
  const value = action[kind]
  const on = action.on === undefined ? '' : ` on ${JSON.stringify(action.on)}`
  if (kind === 'fault' && typeof value === 'string') return `${value}${on}`
  const shown = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return `${kind === 'fault' ? '' : `${kind} `}${shown}${on}`
}

/** The rule of a scenario for a fault; it is named after its place in the plan. */
export const ruleOf = ({ fault, on }: Action, name: string) => ({
  name,
  ...(on === undefined ? {} : { on }),
  do: fault,
})

/** The plan as a file. */
export function planText({ seed, level, world, lengthMs, actions }: Plan): string {
  return writeYaml({
    format: FORMAT,
    drawnBy: VERSION,
    ...(seed === undefined ? {} : { seed }),
    ...(level === undefined ? {} : { level }),
    ...(world === null ? {} : { world }),
    length: spanOf(lengthMs),
    actions,
  })
}

/** Parses a plan; a UserError names file, line and field of every flaw, and what would fit. */
export const parsePlan = (file: string, text: string): Plan =>
  readYaml({ file, text, whole: 'the plan' }, (given) => planOf(given))

function planOf(given: unknown): Plan {
  const format = (given as { format?: unknown } | null)?.format
  if (typeof format === 'number' && format !== FORMAT)
    throw new FieldFlaw(['format'], `is ${format}: this version of Tapewright reads ${FORMAT}`)
  checkFields(PlanFields, given, [])
  const { seed, level, world = null, length, actions } = given as Static<typeof PlanFields>
  const lengthMs = fieldSpanMs(length)
  const flaws = new FlawList()
  if (lengthMs === 0 || lengthMs > LENGTH_MAX_MS)
    flaws.add(['length'], `must be above 0 and at most ${spanOf(LENGTH_MAX_MS)}, not ${length}`)
  for (const [at, action] of actions.entries()) {
    if (flaws.isFull) break
    flaws.collect(() => checkAction(action, lengthMs, ['actions', at]))
  }
  flaws.end()
  return {
    ...(seed === undefined ? {} : { seed }),
    ...(level === undefined ? {} : { level: level as Level }),
    world,
    lengthMs,
    actions: actions.toSorted((a, b) => beginMs(a) - beginMs(b)),
  }
}

/** Throws for an action that could not be carried out in any world. */
export function checkAction(action: Action, lengthMs: number, at: FieldPath): void {
  const kinds = ACTION_KINDS.filter((kind) => action[kind] !== undefined)
  const [kind, other] = kinds
  if (kind === undefined)
    throw new FieldFlaw(at, `does nothing: it needs one of ${ACTION_KINDS.join(', ')}`)
  if (other !== undefined)
    throw new FieldFlaw([...at, other], `cannot stand beside ${kind}: make two actions`)
  if (action.on !== undefined && kind !== 'fault')
    throw new FieldFlaw([...at, 'on'], `is of faults, and this action is of kind ${kind}`)
  if (beginMs(action) >= lengthMs)
    throw new FieldFlaw([...at, 'at'], `is ${action.at}, and the plan ends at ${spanOf(lengthMs)}`)
  if (action.for !== undefined && endMs(action, { lengthMs }) === beginMs(action))
    throw new FieldFlaw([...at, 'for'], FOR_FLAWS[kind] ?? 'must be above 0')
  if (kind === 'market') readEvent(action.market, [...at, 'market'])
  if (kind === 'fault') checkRuleOf({ rules: [ruleOf(action, 'fault')] }, at)
  if (kind === 'questions') checkRuleOf({ questions: action.questions, rules: [] }, at)
}

const FOR_FLAWS: Partial<Record<ActionKind, string>> = {
  market: 'is not of market events: their length is a field of the event',
  jump: 'is not of jumps, which take no time',
  seek: 'is not of seeks, which take no time',
}

/** Throws the flaws of a scenario's parts at the place of their action. */
function checkRuleOf(parts: object, at: FieldPath): void {
  try {
    parseScenario({ title: 'plan', ...parts }, 'plan', () => '')
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const lines = error.message.split('\n').map((line) => line.replace(/^: (rules\.0\.)?/, ''))
    throw new FieldFlaw(at, `cannot be carried out: ${lines.join('; ')}`)
  }
}

/** What a plan needs to know of the market that it is carried out in. */
export interface PlanWorld {
  id: string
  coins: readonly string[]
}

/** Throws a UserError for actions on coins that a world does not have. */
export function checkFit(plan: Plan, world: PlanWorld): void {
  const known = new Set(world.coins.map((coin) => coin.toLowerCase()))
  const flaws = plan.actions.flatMap((action, at) =>
    coinsOf(action)
      .filter((coin) => !known.has(coin.toLowerCase()) && !isPlaceOfCoin(coin))
      .map((coin) => `actions.${at}: ${unknownText('coin', coin, [...world.coins])}`),
  )
  if (flaws.length === 0) return
  const other = plan.world !== null && plan.world !== world.id
  const why = other ? `; the plan was drawn for the world ${plan.world}, this is ${world.id}` : ''
  throw new UserError(`the plan does not fit the market: ${flaws.join('; ')}${why}`)
}

/** The coins that an action names; a listing names one that does not exist yet. */
function coinsOf({ on, market }: Action): string[] {
  const { kind, coin } = (market ?? {}) as Partial<GivenEvent & { coin: string }>
  const ofMarket = coin === undefined || kind === 'listing' ? [] : [coin]
  const ofRule = [on?.coin ?? []].flat().filter((name) => /^[A-Z0-9]{2,12}$/.test(name))
  return [...ofMarket, ...ofRule]
}
