/** Access to every operation: wrongly granted, and wrongly refused. */
import type { TransportResponse } from '../../../../src/conformance/target-transport.ts'
import type { Operation } from '../../../../src/contract/operation.ts'
import { sign } from '../../../../src/contract/signature.ts'
import type { Deviation, Place } from '../deviation.ts'
import { answeringOf, type Fetched } from '../requested.ts'
import { takingTurns, turnOf } from './turns.ts'

/** Unauthorised callers, and their detection. */
const UNAUTHENTICATED_READS: Record<string, (requested: Fetched, place: Place) => boolean> = {
  'without a signature': ({ query }) => !query.has('Signature'),
  'with a wrong signature': ({ query }) =>
    isKnown(query) && query.has('Signature') && !isSigned(query),
  'with an old signature': ({ query }, { nowS }) => isSigned(query) && age(query, nowS) > 30,
  'with a signature of the future': ({ query }, { nowS }) =>
    isSigned(query) && age(query, nowS) < -30,
  'with an unknown key': ({ query }) => query.has('AccessKeyId') && !isKnown(query),
}

const isKnown = (query: URLSearchParams): boolean =>
  query.get('AccessKeyId')?.startsWith('demo') === true

function isSigned(query: URLSearchParams): boolean {
  const [AccessKeyId = '', SignatureNonce = '', Timestamp = ''] = [
    ...['AccessKeyId', 'SignatureNonce', 'Timestamp'],
  ].map((name) => query.get(name) ?? '')
  const right = sign({ AccessKeyId, SignatureNonce, Timestamp }, `${AccessKeyId}-secret`)
  return query.get('Signature') === right
}

const age = (query: URLSearchParams, nowS: () => number): number =>
  nowS() - Number(query.get('Timestamp'))

const WELCOME = '{"success":true,"errorCode":200,"error":"","code":"0","msg":"success","data":[]}'

/** A refusal in other words. */
const WORDS: Record<string, (received: TransportResponse) => TransportResponse> = {
  'the words of a 401 are others': (received) => ({
    ...received,
    text: received.text.replace('Invalid signature', 'signature error'),
  }),
  'a 401 has the code of a 403': (received) => ({
    ...received,
    text: received.text.replace('"401"', '"403"'),
  }),
  'a 401 has data': (received) => ({
    ...received,
    text: received.text.replace('"data":null', '"data":[]'),
  }),
}

const FORBIDDEN: Record<string, (received: TransportResponse) => TransportResponse> = {
  'every key is accepted': (received) => ({ ...received, status: 200, text: WELCOME }),
  'a refusal names no permission': (received) => ({
    ...received,
    text: received.text.replace(/: [\w:]+"/, '"'),
  }),
  'a refusal names another permission': (received) => ({
    ...received,
    text: received.text.replace(/(denied: [\w:]+)"/, '$1_2"'),
  }),
  'a refusal is HTTP 401': (received) => ({ ...received, status: 401 }),
  'a refusal is HTTP 200': (received) => ({ ...received, status: 200 }),
}

/** Varies unauthorised callers and refusals in turn. */
export function accessDeviations(operation: Operation): Deviation[] {
  const { id, access } = operation
  if (access.kind === 'public') return []
  const at = turnOf(id)
  const unauthenticated = takingTurns(Object.entries(UNAUTHENTICATED_READS), at, 3).map(
    ([how, isMeant]): Deviation => ({
      id: `access.${id}: somebody is let in ${how}`,
      class: 'access',
      of: id,
      change: (place) =>
        answeringOf(operation, (received, requested) =>
          received.text.includes('"401"') && isMeant(requested, place)
            ? { ...received, status: 200, text: WELCOME }
            : received,
        ),
    }),
  )
  const reworded = takingTurns(Object.entries(WORDS), at, 1).map(([what, change]) =>
    refusal('access', id, what, 401, change),
  )
  if (access.kind === 'signed') return [...unauthenticated, ...reworded]
  return [
    ...unauthenticated,
    ...reworded,
    ...takingTurns(Object.entries(FORBIDDEN), at, 2).map(([what, change]) =>
      refusal('permission', id, what, 403, change),
    ),
  ]
}

const refusal = (
  kind: 'access' | 'permission',
  id: string,
  what: string,
  code: 401 | 403,
  change: (received: TransportResponse) => TransportResponse,
): Deviation => ({
  id: `${kind}.${id}: ${what}`,
  class: kind,
  of: id,
  change: () =>
    answeringOf({ id }, (received) =>
      received.status === code || received.text.includes(`"${code}"`) ? change(received) : received,
    ),
})
