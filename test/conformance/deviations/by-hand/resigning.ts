/** Services that accept wrong signatures: the request is signed again in transit. */

import type { Change } from '../../../../src/conformance/lies/lying-transport.ts'
import { sign } from '../../../../src/contract/signature.ts'
import type { Place } from '../deviation.ts'

/** Any caller of some paths is treated as a key with all permissions. */
export const acceptingAnybody =
  (path = /./) =>
  (place: Place): Change => ({
    request: (sent) =>
      path.test(sent.path)
        ? { ...sent, path: signedAgain(sent.path, place, () => `n${nonce++}`) }
        : sent,
  })

/** Accepted requests are signed again. */
export const accepting =
  (isTaken: (query: URLSearchParams, place: Place) => boolean) =>
  (place: Place): Change => ({
    request: (sent) => {
      const query = new URLSearchParams(sent.path.split('?')[1] ?? '')
      if (query.get('AccessKeyId') !== WHO || !isTaken(query, place)) return sent
      return { ...sent, path: signedAgain(sent.path, place, (given) => given ?? 'n') }
    },
  })

const WHO = 'demo'
let nonce = 0

function signedAgain(
  path: string,
  { nowS }: Place,
  nonceOf: (given: string | null) => string,
): string {
  const [at, text] = path.split('?')
  const query = new URLSearchParams(text ?? '')
  const parts = {
    AccessKeyId: WHO,
    SignatureNonce: nonceOf(query.get('SignatureNonce')),
    Timestamp: String(nowS()),
  }
  for (const [name, value] of Object.entries(parts)) query.set(name, value)
  query.set('Signature', sign(parts, `${WHO}-secret`))
  return `${at}?${query}`
}
