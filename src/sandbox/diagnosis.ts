/** Why a signature was not accepted: the likely mistake, in words, without any secret. */
import { createHmac } from 'node:crypto'
import {
  CREDENTIAL_NAMES,
  type Credentials,
  hexDigest,
  isSigned,
  stringToSign,
  VALID_MS,
} from '../contract/signature.ts'
import { ageMsOf } from './authenticate.ts'
import type { Registry } from './registry.ts'
import type { Sandbox } from './sandbox.ts'
import type { Key } from './tenancy/key.ts'

export type Mistake =
  | 'missing-parameter'
  | 'swapped-id-and-secret'
  | 'unknown-key'
  | 'milliseconds'
  | 'timestamp-not-a-number'
  | 'clock-skew'
  | 'expired'
  | 'replayed-nonce'
  | 'disabled-key'
  | 'raw-digest'
  | 'upper-case-hex'
  | 'hex-without-base64'
  | 'parameter-order'
  | 'url-encoding'
  | 'signed-extra-parameters'
  | 'wrong-key'
  | 'wrong-secret-or-string'

export interface Diagnosis {
  mistake: Mistake
  words: string
}

/** A line in the log: whose signature was not accepted, and why. */
export function tellWhy(
  { log }: Registry,
  sandbox: Sandbox,
  given: Partial<Credentials>,
  all: Readonly<Record<string, string>>,
): void {
  log.tell(() => {
    const words = diagnose(sandbox, given, all)?.words ?? 'it is in order by now'
    return `401 for key ${JSON.stringify((given.AccessKeyId ?? '').slice(0, 80))}: ${words}`
  })
}

/** The likely mistake; null when the signature is in order. `all` are all parameters sent. */
export function diagnose(
  sandbox: Sandbox,
  given: Partial<Credentials>,
  all: Readonly<Record<string, string>> = {},
): Diagnosis | null {
  const missing = CREDENTIAL_NAMES.find((name) => !given[name])
  if (missing) return found('missing-parameter', `${missing} is missing`)
  const credentials = given as Credentials
  const key = sandbox.keyOf(credentials.AccessKeyId)
  if (!key) return strangerOf(sandbox, credentials)
  const wrong = isSigned(credentials, key.secretKey)
    ? null
    : forgery(sandbox, key, credentials, all)
  return wrong ?? staleness(sandbox, credentials) ?? standing(sandbox, key, credentials)
}

const found = (mistake: Mistake, words: string): Diagnosis => ({ mistake, words })

function strangerOf({ tenancy }: Sandbox, { AccessKeyId }: Credentials): Diagnosis {
  const swapped = [...tenancy.keys.values()].some(({ secretKey }) => secretKey === AccessKeyId)
  return swapped
    ? found('swapped-id-and-secret', 'AccessKeyId holds a secret key: id and secret are swapped')
    : found('unknown-key', `there is no key "${AccessKeyId.slice(0, 80)}"`)
}

/** What was signed instead of what should have been. */
function forgery(
  sandbox: Sandbox,
  { secretKey }: Key,
  given: Credentials,
  all: Readonly<Record<string, string>>,
): Diagnosis {
  const received = given.Signature
  const right = stringToSign(given)
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const signs = (text: string) => base64(hexDigest(text, secretKey)) === received
  const hex = hexDigest(right, secretKey)
  const raw = createHmac('sha1', secretKey).update(right).digest('base64')
  if (received === raw)
    return found('raw-digest', 'the raw digest is in Base64; its hexadecimal text must be')
  if (received === base64(hex.toUpperCase()))
    return found('upper-case-hex', 'the hexadecimal text is in upper case; it must be lower case')
  if (received.toLowerCase() === hex)
    return found('hex-without-base64', 'the hexadecimal text is not in Base64')
  if (decoded(received) === base64(hex))
    return found('url-encoding', 'Signature is percent-encoded twice')
  if (orders(given).some(signs))
    return found('parameter-order', `the parameters are signed in another order than "${right}"`)
  if (encodings(given).some(signs))
    return found('url-encoding', 'percent-encoded values are signed; sign them as they are')
  if (wholeQueries(all).some(signs))
    return found('signed-extra-parameters', 'more is signed than the three signature parameters')
  const other = [...sandbox.tenancy.keys.values()].find((key) => isSigned(given, key.secretKey))
  if (other) return found('wrong-key', `it is signed with the secret of key "${other.accessKey}"`)
  return found('wrong-secret-or-string', `the secret key is another, or "${right}" was not signed`)
}

function staleness(sandbox: Sandbox, { Timestamp }: Credentials): Diagnosis | null {
  if (!/^\d+$/.test(Timestamp))
    return found('timestamp-not-a-number', 'Timestamp must be whole seconds since 1970')
  if (Number(Timestamp) > 1e11) return found('milliseconds', 'Timestamp is in milliseconds')
  const ageMs = ageMsOf(sandbox, Timestamp)
  const seconds = Math.round(Math.abs(ageMs) / 1000)
  if (ageMs <= -VALID_MS)
    return found('clock-skew', `Timestamp is ${seconds} s in the future: clocks differ`)
  if (ageMs >= VALID_MS + 1000)
    return found('expired', `it was signed ${seconds} s ago and is valid for ${VALID_MS / 1000} s`)
  return null
}

function standing(sandbox: Sandbox, key: Key, given: Credentials): Diagnosis | null {
  if (key.status === 'disabled') return found('disabled-key', `key "${key.accessKey}" is disabled`)
  const name = `${given.AccessKeyId}/${given.SignatureNonce}`
  const rejects = sandbox.answers['nonce-reuse'] === 'reject'
  if (rejects && (sandbox.nonces.get(name) ?? 0) > sandbox.clock.nowMs())
    return found('replayed-nonce', 'SignatureNonce was used before')
  return null
}

function orders(given: Credentials): string[] {
  const parts = CREDENTIAL_NAMES.filter((name) => name !== 'Signature').map(
    (name) => `${name}=${given[name]}`,
  )
  const [a, b, c] = parts as [string, string, string]
  return [
    [a, c, b],
    [b, a, c],
    [b, c, a],
    [c, a, b],
    [c, b, a],
  ].map((order) => order.join('&'))
}

function encodings(given: Credentials): string[] {
  const encoded = { ...given }
  for (const name of CREDENTIAL_NAMES) encoded[name] = encodeURIComponent(given[name])
  return [stringToSign(encoded), encodeURIComponent(stringToSign(given))]
}

/** All parameters but the signature: sorted, and as they were sent. */
function wholeQueries(all: Readonly<Record<string, string>>): string[] {
  const pairs = Object.entries(all).filter(([name]) => name !== 'Signature')
  const text = (list: typeof pairs) => list.map(([name, value]) => `${name}=${value}`).join('&')
  return [text([...pairs].sort(([a], [b]) => (a < b ? -1 : 1))), text(pairs)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
