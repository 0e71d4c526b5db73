/** Lies in refusals: the right status in another form than the contract's. */

import { OPERATIONS } from '../../contract/catalogue.ts'
import type { Operation } from '../../contract/operation.ts'
import { isSafeToCall } from '../derived/tested-operation.ts'
import { isJsonObject, parsedJson } from '../responses.ts'
import type { TransportResponse } from '../target-transport.ts'
import type { Lie } from './lying-transport.ts'
import { operationOf } from './lying-transport.ts'

/** Another form of a refusal; the words stay. */
type Form = (received: TransportResponse, words: string) => Partial<TransportResponse>

const inEnvelopeA = ({ status }: { status: number }, error: string) => ({
  text: JSON.stringify({ success: false, errorCode: status, error, data: null }),
})

const KINDS: readonly [status: number, what: string, form: Form][] = [
  [401, 'in envelope A', inEnvelopeA],
  [
    401,
    'without data',
    ({ status }, msg) => ({ text: JSON.stringify({ code: `${status}`, msg }) }),
  ],
  [401, 'as text/html', () => ({ contentType: 'text/html' })],
  [403, 'in envelope A', inEnvelopeA],
  [403, 'with the code of another', (_, msg) => ({ text: body('401', msg) })],
  [403, 'as plain words', (_, msg) => ({ text: msg, contentType: 'text/plain; charset=latin-1' })],
  [400, 'without an envelope', (_, msg) => ({ text: JSON.stringify({ message: msg }) })],
  [400, 'as text/html', () => ({ contentType: 'text/html' })],
  [400, 'with data', (_, msg) => ({ text: JSON.stringify({ code: '400', msg, data: [] }) })],
]

const body = (code: string, msg: string): string => JSON.stringify({ code, msg, data: null })

function refusing(operation: Operation, rank: number): Lie[] {
  // Each kind in turn from operation to operation: one of each status.
  return [401, 403, 400].flatMap((status) => {
    const kinds = KINDS.filter(([of]) => of === status)
    const [, what, form] = kinds[rank % kinds.length] as (typeof KINDS)[number]
    if (status === 403 && operation.access.kind !== 'permission') return []
    return [
      {
        id: `refusals.${operation.id}.${status}: ${what}`,
        family: 'refusals' as const,
        of: operation.id,
        needs: status === 403 ? 'a key without the permission' : `a request refused with ${status}`,
        change: () => ({
          answer: (received, sent) => {
            if (received.status !== status || operationOf(sent)?.id !== operation.id)
              return received
            const json = parsedJson(received.text)
            const words = isJsonObject(json) ? String(json.msg ?? json.error ?? '') : ''
            return { ...received, ...form(received, words) }
          },
        }),
      } satisfies Lie,
    ]
  })
}

export const REFUSAL_LIES: readonly Lie[] = OPERATIONS.filter(
  (operation) => isSafeToCall(operation) && operation.access.kind !== 'public',
).flatMap(refusing)
