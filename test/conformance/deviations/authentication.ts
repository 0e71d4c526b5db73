import { createHmac } from 'node:crypto'
import { sign } from '../../../src/contract/signature.ts'
import { hexDigest } from '../../../src/platform/hmac-sha1.ts'
import { fixedClockS } from '../../fixtures/fixed-clock.ts'
import { answer, type Deviation, reading } from './deviation.ts'
import { acceptingAnySignature, changingRequests } from './transports.ts'

/** Signs anew what is signed in one wrong way, as a service that takes it for right. */
const accepting = (isTaken: (query: URLSearchParams) => boolean): Deviation['apply'] => {
  return (transport) =>
    changingRequests(transport, (_, query, text) => {
      if (query.get('AccessKeyId') === 'demo' && isTaken(query)) resign(query)
      return text
    })
}

function resign(query: URLSearchParams): void {
  const parts = {
    AccessKeyId: 'demo',
    SignatureNonce: query.get('SignatureNonce') ?? 'n',
    Timestamp: String(fixedClockS() + 1),
  }
  query.set('SignatureNonce', parts.SignatureNonce)
  query.set('Timestamp', parts.Timestamp)
  query.set('Signature', sign(parts, 'demo-secret'))
}

const textOf = (query: URLSearchParams, names: string[]) =>
  names.map((name) => `${name}=${query.get(name)}`).join('&')
const SIGNED_NAMES = ['AccessKeyId', 'SignatureNonce', 'Timestamp']
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')
const isSignedAs =
  (make: (text: string) => string, names = SIGNED_NAMES) =>
  (query: URLSearchParams) =>
    query.get('Signature') === make(textOf(query, names))
const ageS = (query: URLSearchParams) => fixedClockS() - Number(query.get('Timestamp'))
const SECRET = 'demo-secret'

/** What a service can do wrong with signatures and keys. */
export const AUTHENTICATION_DEVIATIONS: readonly Deviation[] = [
  {
    title: 'anybody is let in',
    caseId: 'authentication.wrong',
    apply: acceptingAnySignature,
  },
  {
    title: 'a missing nonce is let pass',
    caseId: 'authentication.parameters',
    apply: accepting((query) => !query.has('SignatureNonce')),
  },
  {
    title: 'the timestamp may be signed first',
    caseId: 'authentication.order',
    apply: accepting(
      isSignedAs(
        (text) => base64(hexDigest(text, SECRET)),
        ['Timestamp', 'SignatureNonce', 'AccessKeyId'],
      ),
    ),
  },
  {
    title: 'Base64 of the digest itself is accepted',
    caseId: 'authentication.digest',
    apply: accepting(
      isSignedAs((text) => createHmac('sha1', SECRET).update(text).digest('base64')),
    ),
  },
  {
    title: 'upper-case hexadecimal is accepted',
    caseId: 'authentication.digest',
    apply: accepting(isSignedAs((text) => base64(hexDigest(text, SECRET).toUpperCase()))),
  },
  {
    title: 'a signature is valid for a minute',
    caseId: 'authentication.window.past',
    apply: accepting((query) => ageS(query) > 30 && ageS(query) < 60),
  },
  {
    title: 'a signature is valid for ten seconds only',
    caseId: 'authentication.window.past',
    apply: reading(/./, (query) => ageS(query) > 10 && query.set('Signature', 'x')),
  },
  {
    title: 'a signature from the future is valid',
    caseId: 'authentication.window.future',
    apply: accepting((query) => ageS(query) < -30),
  },
  {
    title: 'milliseconds are taken for a Timestamp',
    caseId: 'authentication.unit',
    apply: accepting((query) => (query.get('Timestamp') ?? '').length === 13),
  },
  {
    title: 'an unsigned socket is opened',
    caseId: 'authentication.sockets',
    apply: (transport) => ({
      ...transport,
      connect: (path) => acceptingAnySignature(transport).connect(path),
    }),
  },
  {
    title: 'a sub key may read the quota',
    caseId: 'authentication.distributor',
    apply: (transport) => {
      const open = acceptingAnySignature(transport)
      const isQuota = (path: string) => /quota.*demo-sub/.test(path)
      const request = (sent: Parameters<typeof transport.request>[0]) =>
        (isQuota(sent.path) ? open : transport).request(sent)
      return { ...transport, request }
    },
  },
  {
    title: 'the words of an invalid signature are others',
    caseId: 'authentication.wrong',
    apply: answer(/./, (text) => text.replace('Invalid signature', 'bad signature')),
  },
  {
    title: 'a signature inside the body is not read',
    caseId: 'authentication.body',
    apply: reading(/ai-coins/, (_, given) => given && Reflect.deleteProperty(given, 'Signature')),
  },
  {
    title: 'unknown parameters are refused',
    caseId: 'authentication.only-three',
    apply: reading(/./, (query) => query.has('unheard_of') && query.set('Signature', 'x')),
  },
]
