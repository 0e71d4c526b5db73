/** scenarios/schema.json: schema of a scenario, for editors. */
import { CHANNELS } from '../src/contract/catalogue.ts'
import type { Question } from '../src/contract/questions/question.ts'
import { QUESTIONS } from '../src/contract/questions.ts'
import { REFUSALS } from '../src/contract/refusal-forms.ts'
import type { TObject } from '../src/contract/schema.ts'
import { VENUE_CHANNELS } from '../src/contract/venue.ts'
import { EVENT_KINDS } from '../src/market/events/market-event.ts'
import type { Fault } from '../src/sandbox/scenario/fault.ts'
import { FAULTS } from '../src/sandbox/scenario/faults.ts'
import { ScenarioFields } from '../src/sandbox/scenario/scenario.ts'
import { operationNames } from '../src/sandbox/scenario/scenario-parser.ts'

/** A JSON schema (draft 7, which editors support) of a file of scenarios/. */
export function scenarioSchema(): object {
  const schema = plain(ScenarioFields)
  const { rules, questions, market } = schema.properties
  const { on } = rules.items.properties
  on.properties.operation = namesOf(on.properties.operation, operationNames())
  const channels = idsOf([...CHANNELS, ...VENUE_CHANNELS])
  on.properties.channel = namesOf(on.properties.channel, channels)
  on.properties.refused = namesOf(on.properties.refused, Object.keys(REFUSALS))
  rules.items.properties.do = { anyOf: [...FAULTS.values()].flatMap(actionsOf) }
  schema.properties.questions = {
    type: 'object',
    description: questions.description,
    additionalProperties: false,
    properties: Object.fromEntries(
      Object.entries(QUESTIONS as Record<string, Question>).map(([id, { question, answers }]) => [
        id,
        { description: question, enum: Object.keys(answers) },
      ]),
    ),
  }
  market.items.properties.event = { anyOf: EVENT_KINDS.map(eventOf) }
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Scenario of Tapewright',
    ...schema,
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema, of which any part may be replaced
type Json = any

const plain = (schema: object): Json => JSON.parse(JSON.stringify(schema))

const idsOf = (declared: readonly { id: string }[]) => [...new Set(declared.map(({ id }) => id))]

/** One name or several; `*` may end a part of one. */
function namesOf({ description }: { description: string }, names: readonly string[]): object {
  const one = { anyOf: [{ enum: names }, { type: 'string', pattern: '\\*$' }] }
  return { description, anyOf: [one, { type: 'array', items: one }] }
}

/** By name where no settings are required, and with settings. */
function actionsOf({ name, about, settings }: Fault): object[] {
  const full = {
    type: 'object',
    description: about,
    properties: { [name]: plain(settings) },
    required: [name],
    additionalProperties: false,
  }
  return needsNothing(settings, name) ? [{ const: name, description: about }, full] : [full]
}

const needsNothing = ({ required = [] }: TObject, name: string) =>
  required.length === 0 && FAULTS.get(name)?.check?.({} as never) == null

function eventOf({ kind, about, fields }: (typeof EVENT_KINDS)[number]): object {
  const { properties, required = [], ...rest } = plain(fields)
  return {
    ...rest,
    description: about,
    properties: { kind: { const: kind }, ...properties },
    required: ['kind', ...required],
  }
}
