import { createHmac } from 'node:crypto'
import { hexDigest } from '../../../../src/platform/hmac-sha1.ts'
import type { Deviation, Place } from '../deviation.ts'
import { accepting, acceptingAnybody } from './resigning.ts'
import { answer, deviationsOf, reading } from './shorthand.ts'

const textOf = (query: URLSearchParams, names: string[]) =>
  names.map((name) => `${name}=${query.get(name)}`).join('&')
const SIGNED_NAMES = ['AccessKeyId', 'SignatureNonce', 'Timestamp']
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')
const isSignedAs =
  (make: (text: string) => string, names = SIGNED_NAMES) =>
  (query: URLSearchParams) =>
    query.get('Signature') === make(textOf(query, names))
const ageS = (query: URLSearchParams, { nowS }: Place) => nowS() - Number(query.get('Timestamp'))
const SECRET = 'demo-secret'

/** Deviations of signatures and keys. */
export const AUTHENTICATION_DEVIATIONS: readonly Deviation[] = [
  ...deviationsOf('authentication.wrong', {
    'anybody is let in': acceptingAnybody(),
    'the words of an invalid signature are others': answer(/./, (text) =>
      text.replace('Invalid signature', 'bad signature'),
    ),
  }),
  ...deviationsOf('authentication.parameters', {
    'a missing nonce is let pass': accepting((query) => !query.has('SignatureNonce')),
  }),
  ...deviationsOf('authentication.order', {
    'the timestamp may be signed first': accepting(
      isSignedAs(
        (text) => base64(hexDigest(text, SECRET)),
        ['Timestamp', 'SignatureNonce', 'AccessKeyId'],
      ),
    ),
  }),
  ...deviationsOf('authentication.digest', {
    'Base64 of the digest itself is accepted': accepting(
      isSignedAs((text) => createHmac('sha1', SECRET).update(text).digest('base64')),
    ),
    'upper-case hexadecimal is accepted': accepting(
      isSignedAs((text) => base64(hexDigest(text, SECRET).toUpperCase())),
    ),
  }),
  ...deviationsOf('authentication.window.past', {
    'a signature is valid for a minute': accepting((query, place) => {
      const age = ageS(query, place)
      return age > 30 && age < 60
    }),
    'a signature is valid for ten seconds only': (place) =>
      reading(/./, (query) => ageS(query, place) > 10 && query.set('Signature', 'x')),
  }),
  ...deviationsOf('authentication.window.future', {
    'a signature from the future is valid': accepting((query, place) => ageS(query, place) < -30),
  }),
  ...deviationsOf('authentication.unit', {
    'milliseconds are taken for a Timestamp': accepting(
      (query) => (query.get('Timestamp') ?? '').length === 13,
    ),
  }),
  ...deviationsOf('authentication.sockets', {
    'an unsigned socket is opened': acceptingAnybody(/\/ws/),
  }),
  ...deviationsOf('authentication.distributor', {
    'a sub key may read the quota': acceptingAnybody(/quota.*demo-sub/),
  }),
  ...deviationsOf('authentication.body', {
    'a signature inside the body is not read': reading(
      /ai-coins/,
      (_, given) => given && Reflect.deleteProperty(given, 'Signature'),
    ),
  }),
  ...deviationsOf('authentication.only-three', {
    'unknown parameters are refused': reading(
      /./,
      (query) => query.has('unheard_of') && query.set('Signature', 'x'),
    ),
  }),
]
