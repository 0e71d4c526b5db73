/** Diagnoses refused signatures: the likely mistake, explained without any secret. */

import type { SystemClock } from '../clock/system-clock.ts'
import type { Slices } from '../clock/turns.ts'
import { decoded } from '../contract/paths.ts'
import {
  CREDENTIAL_NAMES,
  type Credentials,
  stringToSign,
  VALID_MS,
} from '../contract/signature.ts'
import { isSigned } from '../contract/signature-check.ts'
import { hexDigest } from '../platform/hmac-sha1.ts'
import { CREDENTIAL_LENGTH_MAX, signatureAgeMs } from './authorization.ts'
import type { Registry } from './registry.ts'
import type { Sandbox } from './sandbox.ts'
import type { ApiKey } from './tenancy/api-key.ts'

export interface SignatureDiagnosis {
  mistake: SignatureMistake
  explanation: string
}

/** Logs why a signature was refused, and for which key. The diagnosis runs later. */
export function logSignatureRefusal(
  { log, turns }: Registry,
  sandbox: Sandbox,
  given: Partial<Credentials>,
  all: Readonly<Record<string, string>>,
): void {
  if (!log.hasRoom()) return
  const key = JSON.stringify((given.AccessKeyId ?? '').slice(0, 80))
  function* diagnoseAndLog(): Slices<void> {
    const wrong = yield* diagnoseSignature(sandbox, given, all)
    log.write(`401 for key ${key}: ${wrong?.explanation ?? 'it is in order by now'}`)
  }
  void turns.runLater(sandbox, diagnoseAndLog(), 'a refused signature')
}

/**
 * The likely mistake; null for a valid signature. In slices, as every key may be tried.
 * @param all all parameters sent
 * @param keysMax number of keys whose secrets are tried
 */
export function* diagnoseSignature(
  sandbox: Sandbox,
  given: Partial<Credentials>,
  all: Readonly<Record<string, string>> = {},
  keysMax = Number.POSITIVE_INFINITY,
): Slices<SignatureDiagnosis | null> {
  const missing = CREDENTIAL_NAMES.find((name) => !given[name])
  if (missing) return diagnosisOf('missing-parameter', `${missing} is missing`)
  const credentials = given as Credentials
  const long = CREDENTIAL_NAMES.find((name) => credentials[name].length > CREDENTIAL_LENGTH_MAX)
  if (long) {
    const lengths = `${credentials[long].length} characters, at most ${CREDENTIAL_LENGTH_MAX}`
    return diagnosisOf('too-long', `${long} has ${lengths}`)
  }
  const key = sandbox.keyOf(credentials.AccessKeyId)
  if (!key) return diagnoseUnknownKey(sandbox, credentials)
  const wrong = isSigned(credentials, key.secretKey)
    ? null
    : yield* diagnoseWrongSignature(sandbox, key, credentials, { all, keysMax })
  return wrong ?? diagnoseAge(sandbox, credentials) ?? diagnoseKeyState(sandbox, key, credentials)
}

const diagnosisOf = (mistake: SignatureMistake, explanation: string): SignatureDiagnosis => ({
  mistake,
  explanation,
})

function diagnoseUnknownKey(
  { tenancy }: Sandbox,
  { AccessKeyId }: Credentials,
): SignatureDiagnosis {
  const swapped = [...tenancy.keys.values()].some(({ secretKey }) => secretKey === AccessKeyId)
  return swapped
    ? diagnosisOf(
        'swapped-id-and-secret',
        'AccessKeyId holds a secret key: id and secret are swapped',
      )
    : diagnosisOf('unknown-key', `there is no key "${AccessKeyId.slice(0, 80)}"`)
}

/** Maximum length of the expected text in an explanation. */
const SHOWN_LENGTH = 500

/** Number of keys tried at once: each costs a digest. */
export const KEYS_PER_SLICE = 64

/** Diagnoses a signature of another text. */
function* diagnoseWrongSignature(
  sandbox: Sandbox,
  { secretKey }: ApiKey,
  given: Credentials,
  { all, keysMax }: { all: Readonly<Record<string, string>>; keysMax: number },
): Slices<SignatureDiagnosis> {
  const signed = stringToSign(given)
  const right = signed.length <= SHOWN_LENGTH ? signed : `${signed.slice(0, SHOWN_LENGTH)}…`
  const cause = COMMON_MISTAKES.find(({ isMade }) => isMade(given, secretKey, all))
  if (cause) return diagnosisOf(cause.mistake, cause.explain(right))
  const keys = firstOf(sandbox.tenancy.keys.values(), keysMax)
  const other = yield* signerOf(given, keys)
  if (other)
    return diagnosisOf('wrong-key', `it is signed with the secret of key "${other.accessKey}"`)
  const explanation = `the secret key is another, or "${right}" was not signed`
  return diagnosisOf('wrong-secret-or-string', explanation)
}

function firstOf<T>(all: Iterable<T>, max: number): T[] {
  const some: T[] = []
  for (const one of all) {
    if (some.length >= max) break
    some.push(one)
  }
  return some
}

/** The key whose secret made a signature. */
function* signerOf(given: Credentials, keys: readonly ApiKey[]): Slices<ApiKey | undefined> {
  for (let from = 0; from < keys.length; from += KEYS_PER_SLICE) {
    const some = keys.slice(from, from + KEYS_PER_SLICE)
    const signer = some.find((key) => isSigned(given, key.secretKey))
    if (signer) return signer
    yield
  }
  return undefined
}

function diagnoseAge(sandbox: Sandbox, { Timestamp }: Credentials): SignatureDiagnosis | null {
  if (!/^\d+$/.test(Timestamp))
    return diagnosisOf('timestamp-not-a-number', 'Timestamp must be whole seconds since 1970')
  if (Number(Timestamp) > 1e11) return diagnosisOf('milliseconds', 'Timestamp is in milliseconds')
  const ageMs = signatureAgeMs(sandbox, Timestamp)
  const seconds = Math.round(Math.abs(ageMs) / 1000)
  if (ageMs <= -VALID_MS)
    return diagnosisOf('clock-skew', `Timestamp is ${seconds} s in the future: clocks differ`)
  if (ageMs >= VALID_MS + 1000)
    return diagnosisOf(
      'expired',
      `it was signed ${seconds} s ago and is valid for ${VALID_MS / 1000} s`,
    )
  return null
}

function diagnoseKeyState(
  sandbox: Sandbox,
  key: ApiKey,
  given: Credentials,
): SignatureDiagnosis | null {
  if (key.status === 'disabled')
    return diagnosisOf('disabled-key', `key "${key.accessKey}" is disabled`)
  const name = `${given.AccessKeyId}/${given.SignatureNonce}`
  const rejects = sandbox.answers['nonce-reuse'] === 'reject'
  if (rejects && (sandbox.nonces.get(name) ?? 0) > sandbox.clock.nowMs())
    return diagnosisOf('replayed-nonce', 'SignatureNonce was used before')
  return null
}

/** Common mistakes of clients that sign, and how each is recognised. */
type SignatureMistake =
  | 'missing-parameter'
  | 'too-long'
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

/** The remedy for each mistake. */
export const SIGNATURE_MENDS: Readonly<Record<SignatureMistake, string>> = {
  'missing-parameter': 'send AccessKeyId, SignatureNonce, Timestamp and Signature in the query',
  'too-long': 'send the parameter as it was signed',
  'swapped-id-and-secret': 'swap the two: the access key is sent, the secret key signs',
  'unknown-key': 'use a key of this sandbox: GET /_control/sandboxes/:id/keys lists them',
  milliseconds: 'divide by 1000 and cut off the fraction',
  'timestamp-not-a-number': 'send whole seconds since 1970',
  'clock-skew': "set the client's clock, or sign by the `Date` header of an answer",
  expired: "sign each request anew, and by the machine's time",
  'replayed-nonce': 'make a new SignatureNonce for each request',
  'disabled-key': 'use another key, or enable this one',
  'raw-digest': 'encode the hexadecimal text of the digest, not its bytes',
  'upper-case-hex': 'write the hexadecimal text in lower case before it is encoded',
  'hex-without-base64': 'encode the hexadecimal text in Base64',
  'parameter-order': 'sign them in the order AccessKeyId, SignatureNonce, Timestamp',
  'url-encoding': 'sign the plain values, and percent-encode each once for the query',
  'signed-extra-parameters': 'sign AccessKeyId, SignatureNonce and Timestamp alone',
  'wrong-key': 'send the AccessKeyId that belongs to the secret key',
  'wrong-secret-or-string': 'compare the secret key and the signed text: `explain` shows the steps',
}

interface CommonMistake {
  mistake: SignatureMistake
  /** @param all every parameter of the query */
  isMade(given: Credentials, secretKey: string, all: Readonly<Record<string, string>>): boolean
  /** @param right the text that should have been signed */
  explain(right: string): string
}

/** The mistakes in the order in which they are checked. */
const COMMON_MISTAKES: readonly CommonMistake[] = [
  {
    mistake: 'raw-digest',
    isMade: (given, secretKey) =>
      given.Signature === Buffer.from(rightHex(given, secretKey), 'hex').toString('base64'),
    explain: () => 'the raw digest is in Base64; its hexadecimal text must be',
  },
  {
    mistake: 'upper-case-hex',
    isMade: (given, secretKey) =>
      given.Signature === base64(rightHex(given, secretKey).toUpperCase()),
    explain: () => 'the hexadecimal text is in upper case; it must be lower case',
  },
  {
    mistake: 'hex-without-base64',
    isMade: (given, secretKey) => given.Signature.toLowerCase() === rightHex(given, secretKey),
    explain: () => 'the hexadecimal text is not in Base64',
  },
  {
    mistake: 'url-encoding',
    isMade: (given, secretKey) => decoded(given.Signature) === base64(rightHex(given, secretKey)),
    explain: () => 'Signature is percent-encoded twice',
  },
  {
    mistake: 'parameter-order',
    isMade: (given, secretKey) => signsAny(given, secretKey, parameterOrders(given)),
    explain: (right) => `the parameters are signed in another order than "${right}"`,
  },
  {
    mistake: 'url-encoding',
    isMade: (given, secretKey) => signsAny(given, secretKey, encodedVariants(given)),
    explain: () => 'percent-encoded values are signed; sign them as they are',
  },
  {
    mistake: 'signed-extra-parameters',
    isMade: (given, secretKey, all) => signsAny(given, secretKey, allParametersText(all)),
    explain: () => 'more is signed than the three signature parameters',
  },
]

const base64 = (text: string) => Buffer.from(text).toString('base64')

const rightHex = (given: Credentials, secretKey: string) =>
  hexDigest(stringToSign(given), secretKey)

/** Whether the signature is that of one of the texts. */
const signsAny = ({ Signature }: Credentials, secretKey: string, texts: readonly string[]) =>
  texts.some((text) => base64(hexDigest(text, secretKey)) === Signature)

function parameterOrders(given: Credentials): string[] {
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

function encodedVariants(given: Credentials): string[] {
  const encoded = { ...given }
  for (const name of CREDENTIAL_NAMES) encoded[name] = encodeURIComponent(given[name])
  return [stringToSign(encoded), encodeURIComponent(stringToSign(given))]
}

/** All parameters but the signature: sorted, and as sent. */
function allParametersText(all: Readonly<Record<string, string>>): string[] {
  const pairs = Object.entries(all).filter(([name]) => name !== 'Signature')
  const text = (list: typeof pairs) => list.map(([name, value]) => `${name}=${value}`).join('&')
  return [text([...pairs].sort(([a], [b]) => (a < b ? -1 : 1))), text(pairs)]
}

// A rate-limited log: one line for each request that was refused without a reason.

/** Maximum number of lines in a span of time; further ones are counted. */
const LINES_MAX = 5
const WINDOW_MS = 10_000

export class SignatureRefusalLog {
  private sinceMs = Number.NEGATIVE_INFINITY
  private lines = 0
  private suppressedCount = 0

  constructor(
    private readonly writeLine: (line: string) => void,
    private readonly systemClock: SystemClock,
  ) {}

  /** Whether another line may be written. */
  hasRoom(): boolean {
    const nowMs = this.systemClock.monotonicMs()
    if (nowMs - this.sinceMs > WINDOW_MS) this.startWindow(nowMs)
    if (this.lines < LINES_MAX) this.lines++
    else this.suppressedCount++
    return this.suppressedCount === 0
  }

  /** Writes a line. Names from requests may contain line ends. */
  write(line: string): void {
    this.writeLine(line.replaceAll(/\p{Cc}/gu, ' '))
  }

  private startWindow(nowMs: number): void {
    if (this.suppressedCount > 0)
      this.writeLine(`${this.suppressedCount} more requests were refused`)
    this.sinceMs = nowMs
    this.lines = 0
    this.suppressedCount = 0
  }
}
