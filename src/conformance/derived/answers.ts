/** Each example of each operation: status, content type, envelope and schema of its answer. */
import { envelopeOf, type Operation } from '../../contract/operation.ts'
import { DEFAULT_ANSWERS } from '../../contract/questions.ts'
import type { Case } from '../case.ts'
import type { Probe } from '../probe.ts'
import { requirementsOf } from '../requirements.ts'
import { isJsonObject } from '../response-reading.ts'
import { envelopeMismatch, schemaMismatch } from '../schema-mismatch.ts'
import { timeFlaw } from '../schema-times.ts'
import { callerOf, exampleRequest, isSafeToCall } from './example-requests.ts'

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
          const exchange = await probe.request(await exampleRequest(probe, operation, example))
          const { status, contentType, json } = exchange
          const absent = operation.refuses.length > 0 && status !== 200
          if (absent) probe.skip(`the target does not know what the example asks for (${status})`)
          probe.assert(status === 200, `${operation.id} is answered with 200, not ${status}`)
          probe.assert(/json/.test(contentType), `the answer says that it is JSON: ${contentType}`)
          const flaw = envelopeMismatch(envelopeOf(operation, DEFAULT_ANSWERS), json)
          if (flaw && operation.refuses.length > 0 && isJsonObject(json) && isRefusal(json))
            probe.skip('the target does not know what the example asks for')
          probe.assert(flaw === null, `${operation.id}: ${flaw}`)
          const data = operation.envelope.kind === 'bare' ? json : (json as { data?: unknown }).data
          if (operation.envelope.kind === 'C' && !operation.envelope.data) return
          const wrong = schemaMismatch(operation.data, data)
          probe.assert(wrong === null, `${operation.id}: ${wrong}`)
          const wrongTime = timeFlaw(operation.data, data)
          probe.assert(wrongTime === null, `${operation.id}: ${wrongTime}`)
          probe.onData(operation.id, operation.data, data)
        },
      }))

const isRefusal = ({ success, code }: Record<string, unknown>): boolean =>
  success === false || (typeof code === 'string' && !['0', '200'].includes(code))
