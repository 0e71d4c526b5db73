/** Every response, in wrong envelopes of all kinds. */
import type { JsonObject } from '../../../../src/conformance/responses.ts'
import type { TransportResponse } from '../../../../src/conformance/target-transport.ts'
import type { Envelope, Operation } from '../../../../src/contract/operation.ts'
import type { Deviation } from '../deviation.ts'
import { answeringOf, bodyOf } from '../requested.ts'
import { takingTurns, turnOf } from './turns.ts'

type BodyChange = (body: JsonObject) => JsonObject

const without =
  (name: string): BodyChange =>
  ({ [name]: _, ...body }) =>
    body
const having =
  (more: JsonObject): BodyChange =>
  (body) => ({ ...body, ...more })
const renamed =
  (name: string, other: string): BodyChange =>
  ({ [name]: value, ...body }) => ({ ...body, [other]: value })

const OF_A: Record<string, BodyChange> = {
  'success is text': having({ success: 'true' }),
  'success is false': having({ success: false }),
  'success is missing': without('success'),
  'errorCode is text': having({ errorCode: '200' }),
  'errorCode is 0': having({ errorCode: 0 }),
  'errorCode is missing': without('errorCode'),
  'error is null': having({ error: null }),
  'error is missing': without('error'),
  'is in envelope B': ({ data }) => ({ code: '0', msg: 'success', data }),
}

const OF_B: Record<string, BodyChange> = {
  'code is a number': (body) => ({ ...body, code: Number(body.code) }),
  'code is another': (body) => ({ ...body, code: body.code === '0' ? '200' : '0' }),
  'code is missing': without('code'),
  'the text has another name': (body) =>
    'msg' in body ? renamed('msg', 'message')(body) : renamed('message', 'msg')(body),
  'the text is missing': (body) => without('msg')(without('message')(body)),
  'is in envelope A': ({ data }) => ({ success: true, errorCode: 200, error: '', data }),
}

const OF_C: Record<string, BodyChange> = {
  'success is text': having({ success: 'true' }),
  'success is missing': without('success'),
  'message is called msg': renamed('message', 'msg'),
  'is in envelope B': ({ data }) => ({ code: '0', msg: 'success', data }),
}

const OF_DATA: Record<string, BodyChange> = {
  'data is missing': without('data'),
  'data is called result': renamed('data', 'result'),
  'data lies in another data': ({ data, ...body }) => ({ ...body, data: { data } }),
  'data is text': ({ data, ...body }) => ({ ...body, data: JSON.stringify(data) }),
}

const ANSWERS: Record<string, (received: TransportResponse) => TransportResponse> = {
  'it says that it is text': (received) => ({ ...received, contentType: 'text/plain' }),
  'it is answered with 201': (received) =>
    received.status === 200 ? { ...received, status: 201 } : received,
  'nothing wraps the data': (received) => {
    if (received.status !== 200) return received
    const { data } = JSON.parse(received.text)
    return data === undefined ? received : { ...received, text: JSON.stringify(data) }
  },
}

/** Number of kinds per operation, in turn. */
const EACH = 4

export function envelopeDeviations(operation: Operation): Deviation[] {
  const { id, envelope } = operation
  const made = (what: string, change: Deviation['change']): Deviation => ({
    id: `envelope.${id}: ${what}`,
    class: 'envelope',
    of: id,
    change,
  })
  const all = [
    ...Object.entries(bodiesOf(envelope)).map(([what, change]) =>
      made(what, () => bodyOf(operation, change)),
    ),
    ...Object.entries(ANSWERS)
      .filter(([what]) => hasData(envelope) || !what.includes('data'))
      .map(([what, change]) => made(what, () => answeringOf(operation, change))),
  ]
  return takingTurns(all, turnOf(id), EACH)
}

const hasData = (envelope: Envelope): boolean => envelope.kind !== 'C' || envelope.data

function bodiesOf(envelope: Envelope): Record<string, BodyChange> {
  if (envelope.kind === 'A') return { ...OF_A, ...OF_DATA }
  if (envelope.kind === 'B') return { ...OF_B, ...OF_DATA }
  if (envelope.kind === 'bare') return {}
  const { 'message is called msg': message, ...rest } = OF_C
  return {
    ...rest,
    ...(envelope.message === null || !message ? {} : { 'message is called msg': message }),
    ...(envelope.data ? OF_DATA : {}),
  }
}
