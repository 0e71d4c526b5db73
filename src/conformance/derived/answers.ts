/** Each example of each operation: status, content type, envelope and schema of its answer. */
import { envelopeOf, type Operation } from '../../contract/operation.ts'
import { CHOSEN } from '../../contract/questions.ts'
import type { Case } from '../case.ts'
import type { Probe } from '../probe.ts'
import { isRow } from '../reading.ts'
import { requirementsOf } from '../requirements.ts'
import { envelopeFlaw, schemaFlaw } from '../schema-flaw.ts'
import { askedOf, callerOf, isHarmless } from './asking.ts'

/** One case for each example. */
export const answerCases = (operation: Operation): Case[] =>
  !isHarmless(operation)
    ? []
    : operation.examples.map((example, at) => ({
        id: `answer.${operation.id}.${at + 1}`,
        title: `${operation.id} answers "${example.name}" in its envelope and form`,
        checks: requirementsOf(operation.id, 'answer'),
        ...(callerOf(operation) === 'partner' ? { needs: ['partner'] as const } : {}),
        async run(probe: Probe) {
          const exchange = await probe.ask(await askedOf(probe, operation, example))
          const { status, contentType, json } = exchange
          const absent = operation.refuses.length > 0 && status !== 200
          if (absent) probe.skip(`the target does not know what the example asks for (${status})`)
          probe.hold(status === 200, `${operation.id} is answered with 200, not ${status}`)
          probe.hold(/json/.test(contentType), `the answer says that it is JSON: ${contentType}`)
          const flaw = envelopeFlaw(envelopeOf(operation, CHOSEN), json)
          if (flaw && operation.refuses.length > 0 && isRow(json) && isRefusal(json))
            probe.skip('the target does not know what the example asks for')
          probe.hold(flaw === null, `${operation.id}: ${flaw}`)
          const data = operation.envelope.kind === 'bare' ? json : (json as { data?: unknown }).data
          if (operation.envelope.kind === 'C' && !operation.envelope.data) return
          const wrong = schemaFlaw(operation.data, data)
          probe.hold(wrong === null, `${operation.id}: ${wrong}`)
          probe.saw(operation.id, operation.data, data)
        },
      }))

const isRefusal = ({ success, code }: Record<string, unknown>): boolean =>
  success === false || (typeof code === 'string' && !['0', '200'].includes(code))
