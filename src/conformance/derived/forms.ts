/** Each operation asked about many, with each of its switches, and in every way left open. */
import { meaningOf } from '../../contract/meaning.ts'
import type { Operation } from '../../contract/operation.ts'
import { type Parameter, parametersOf } from '../../contract/parameters.ts'
import {
  type Answers,
  DEFAULT_ANSWERS,
  QUESTIONS,
  type QuestionId,
} from '../../contract/questions.ts'
import type { Case } from '../case.ts'
import type { Probe } from '../probe.ts'
import type { ProbeRequest } from '../probe-request.ts'
import { requirementsOf } from '../requirements.ts'
import { UNUSED_ADDRESS } from '../target-lookups.ts'
import { judgeAnswer } from './answers.ts'
import { callerOf, exampleRequests, firstExampleRequest, isSafeToCall } from './example-requests.ts'
import { FURTHER_REQUESTS } from './further-requests.ts'

/** One case for whom and what is asked about, one for the ways that open questions leave. */
export function formCases(operation: Operation): Case[] {
  if (!isSafeToCall(operation)) return []
  const { id } = operation
  const common = {
    checks: requirementsOf(id, 'answer'),
    ...(callerOf(operation) === 'partner' ? { needs: ['partner'] as const } : {}),
  }
  const ofAll: Case = {
    ...common,
    id: `forms.${id}`,
    title: `${id} keeps its form whomever and whatever it is asked about`,
    async run(probe: Probe) {
      for (const request of await formRequests(probe, operation))
        judgeAnswer(probe, operation, await probe.request(request))
      if (probe.evidence === 'refusal') probe.skip('the target refuses whatever is asked')
    },
  }
  return [...(parametersOf(operation).length > 0 ? [ofAll] : []), ...openFormCases(operation)]
}

/** In sandboxes that answer the operation's open questions in the other ways. */
function openFormCases(operation: Operation): Case[] {
  const { id } = operation
  const open = otherAnswers(operation)
  if (open.length === 0) return []
  return [
    {
      id: `open-forms.${id}`,
      title: `${id} has one of its forms in each way that open questions leave`,
      checks: requirementsOf(id, 'answer'),
      needs: ['control'],
      async run(probe: Probe) {
        const { answering } = probe.target.control ?? {}
        if (!answering) probe.skip('the target answers open questions in one way')
        // Whom and what there is to ask about is the same in all of them, but not when it was.
        const same = isDated(operation) ? null : await formRequests(probe, operation, OTHERS_MAX)
        for (const questions of open) {
          const other = probe.at(await answering(questions as Record<string, string>))
          for (const request of same ?? (await formRequests(other, operation, OTHERS_MAX)))
            judgeAnswer(other, operation, await other.request(request), {
              ...DEFAULT_ANSWERS,
              ...questions,
            })
          if (other.evidence === 'values') probe.evidence = 'values'
        }
      },
    },
  ]
}

/** Whether it is asked by the exact instant of something, which each sandbox has at its own. */
const isDated = (operation: Operation): boolean =>
  parametersOf(operation).some(({ schema }) => meaningOf(schema) === 'instant')

/** Sets of answers in which each answer to each of its questions stands once, the usual apart. */
function otherAnswers({ assumed }: Operation): Partial<Answers>[] {
  const questions = assumed.filter((line) => line in QUESTIONS) as QuestionId[]
  const all = questions.map((id) => {
    const { answers, chosen } = QUESTIONS[id]
    return [...Object.keys(answers).filter((answer) => answer !== chosen), chosen]
  })
  const longest = Math.max(0, ...all.map((answers) => answers.length))
  // Twice around, so that of two questions not the same answers always stand together.
  const count = questions.length > 1 ? 2 * longest : longest
  const sets = Array.from({ length: count }, (_, rank) =>
    Object.fromEntries(
      questions.map((id, at) => [id, all[at]?.[(rank + at) % (all[at]?.length ?? 1)] ?? '']),
    ),
  )
  return [...new Map(sets.map((set) => [JSON.stringify(set), set])).values()]
}

/** How many are asked about, and in each other way. */
const [MANY, OTHERS_MAX] = [32, 20]
/** Rows that are enough of each. */
const ROWS = 60

async function formRequests(
  probe: Probe,
  operation: Operation,
  count = MANY,
): Promise<ProbeRequest[]> {
  const first = await firstExampleRequest(probe, operation)
  const asked: ProbeRequest[] = []
  for (const example of operation.examples)
    asked.push(...(await exampleRequests(probe, operation, example, count)))
  for (const parameter of parametersOf(operation))
    for (const value of switched(parameter)) asked.push(withValue(first, parameter, value))
  asked.push(...aboutNobody(operation, first))
  asked.push(...((await FURTHER_REQUESTS[operation.id]?.(probe, first)) ?? []))
  return asked.map((request) => withFewRows(operation, request))
}

/** Both positions of a switch, and each word of a body; a query's have cases of their own. */
function switched({ place, schema }: Parameter): unknown[] {
  if (schema.type === 'boolean') return [true, false]
  return place === 'body' ? ((schema.enum as unknown[] | undefined) ?? []) : []
}

function withValue(request: ProbeRequest, { place, name }: Parameter, value: unknown) {
  if (place === 'body') return { ...request, body: { ...(request.body as object), [name]: value } }
  return { ...request, query: { ...request.query, [name]: String(value) } }
}

/** Where an answer may be null: somebody and something that there is not. */
function aboutNobody({ data, path }: Operation, first: ProbeRequest): ProbeRequest[] {
  const mayBeNull = (data.anyOf as { type?: string }[] | undefined)?.some(
    ({ type }) => type === 'null',
  )
  if (!mayBeNull) return []
  const nobody = first.path.replace(/0x[0-9a-f]{40}/, UNUSED_ADDRESS)
  const nothing = path.endsWith('/:coin') ? first.path.replace(/[^/]+$/, 'NOSUCH') : first.path
  const query = 'coin' in (first.query ?? {}) ? { ...first.query, coin: 'NOSUCH' } : first.query
  return [nobody, nothing].map((at) => ({ ...first, path: at, ...(query ? { query } : {}) }))
}

function withFewRows(operation: Operation, request: ProbeRequest): ProbeRequest {
  const limit = parametersOf(operation).find(
    ({ name, place, schema }) => name === 'limit' && place === 'query' && schema.type === 'integer',
  )
  return limit ? { ...request, query: { ...request.query, limit: ROWS } } : request
}
