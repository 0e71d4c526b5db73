/** Fresh signature parameters for each request and each connection. */

import type { SystemClock } from '../../../clock/system-clock.ts'
import type { Credentials } from '../../../contract/signature.ts'
import { ClientError } from '../errors.ts'

/** Signs by the machine's time and so many ms. */
export type Signer = (offsetMs: number) => Promise<Credentials>

/** What is signed: all parameters but the signature itself. */
export type SignedParameters = Omit<Credentials, 'Signature'>

/** Signs some parameters with a secret. */
export type Sign = (parameters: SignedParameters, secret: string) => string | Promise<string>

export interface SignerSettings {
  accessKey: string
  secretKey: string
  systemClock: SystemClock
  /** Text that differs each time; the time and a count when left out. */
  nonce?: (() => string) | undefined
  /** Signs instead of the runtime's own cryptography. */
  sign?: Sign | undefined
}

export function signer(settings: SignerSettings): Signer {
  const { accessKey, secretKey, systemClock } = settings
  const { nonce = countingNonce(systemClock), sign = webCryptoSign() } = settings
  return async (offsetMs) => {
    const signed = {
      AccessKeyId: accessKey,
      SignatureNonce: nonce(),
      Timestamp: String(Math.floor((systemClock.nowMs() + offsetMs) / 1000)),
    }
    return { ...signed, Signature: await sign(signed, secretKey) }
  }
}

/** HMAC-SHA1 by the runtime; the key is imported once. */
function webCryptoSign(): Sign {
  const bytes = (text: string) => new TextEncoder().encode(text)
  let key: Promise<CryptoKey> | null = null
  return async (parameters, secret) => {
    const { subtle } = globalThis.crypto ?? {}
    if (subtle === undefined) throw new ClientError('client', NO_CRYPTOGRAPHY)
    key ??= subtle.importKey('raw', bytes(secret), ALGORITHM, false, ['sign'])
    const digest = await subtle.sign('HMAC', await key, bytes(signedText(parameters)))
    const hex = [...new Uint8Array(digest)].map((one) => one.toString(16).padStart(2, '0'))
    return btoa(hex.join(''))
  }
}

const ALGORITHM = { name: 'HMAC', hash: 'SHA-1' }

const NO_CRYPTOGRAPHY =
  'no WebCrypto: is this no secure context? set `sign` to that of tapewright/contract'

/** In this order, whatever the order of the parameters (the service's documentation). */
const signedText = ({ AccessKeyId, SignatureNonce, Timestamp }: SignedParameters) =>
  `AccessKeyId=${AccessKeyId}&SignatureNonce=${SignatureNonce}&Timestamp=${Timestamp}`

/** Two clients of one key begin at different fractions of a millisecond. */
function countingNonce(systemClock: SystemClock): () => string {
  const start = systemClock.nowMs().toString(36).replace('.', '')
  let count = 0
  return () => `${start}-${count++}`
}
