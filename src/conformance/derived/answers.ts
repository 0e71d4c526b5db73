/** Each example of each operation: status, content type, envelope and schema of its answer. */

import { envelopeOf, type Operation } from '../../contract/operation.ts'
import { type Answers, DEFAULT_ANSWERS } from '../../contract/questions.ts'
import type { Case } from '../case.ts'
import { isJsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'
import type { ProbeExchange } from '../probe-request.ts'
import { requirementsOf } from '../requirements.ts'
import { envelopeMismatch, schemaMismatch } from '../schema-mismatch.ts'

import { callerOf, exampleRequests, isSafeToCall, TRIES } from './example-requests.ts'

/** One case for each example. */
export const answerCases = (operation: Operation): Case[] =>
  !isSafeToCall(operation)
    ? []
    : operation.examples.map((example, at) => ({
        id: `answer.${operation.id}.${at + 1}`,
        title: `${operation.id} answers "${example.name}" in its envelope and form`,
        checks: requirementsOf(operation.id, 'answer'),
        ...(callerOf(operation) === 'partner' ? { needs: ['partner'] as const } : {}),
        async run(probe: Probe) {
          // An empty list has every form: others are asked about until there is something.
          for (const request of await exampleRequests(probe, operation, example, TRIES)) {
            judgeAnswer(probe, operation, await probe.request(request))
            if (probe.evidence === 'values') return
          }
          if (probe.evidence === 'refusal')
            probe.skip('the target does not know what the example asks for')
        },
      }))

/** Judges status, content type, envelope and schema of an answer that may refuse what is absent. */
export function judgeAnswer(
  probe: Pick<Probe, 'assert'>,
  operation: Operation,
  exchange: ProbeExchange,
  answers: Answers = DEFAULT_ANSWERS,
): void {
  const { status, contentType, json } = exchange
  const mayRefuse = operation.refuses.length > 0
  if (mayRefuse && status !== 200) return
  probe.assert(status === 200, `${operation.id} is answered with 200, not ${status}`, exchange)
  probe.assert(/json/.test(contentType), `the answer says that it is JSON: ${contentType}`, {
    expected: 'application/json',
    found: contentType,
  })
  const flaw = envelopeMismatch(envelopeOf(operation, answers), json)
  if (flaw && mayRefuse && isJsonObject(json) && isRefusal(json)) return
  probe.assert(flaw === null, `${operation.id}: ${flaw}`, exchange)
  const data = operation.envelope.kind === 'bare' ? json : (json as { data?: unknown }).data
  if (operation.envelope.kind === 'C' && !operation.envelope.data) return
  const wrong = schemaMismatch(operation.data, data)
  probe.assert(wrong === null, `${operation.id}: ${wrong}`, exchange)
}

const isRefusal = ({ success, code }: Record<string, unknown>): boolean =>
  success === false || (typeof code === 'string' && !['0', '200'].includes(code))
