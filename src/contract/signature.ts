/**
 * The signature of a request (the service's documentation, Authentication 1 to 4): HMAC-SHA1 of
 * three values in a fixed order, as lower-case hexadecimal text, that text in Base64. Business
 * parameters and bodies are not signed.
 */
import { hexDigest } from '../platform/hmac-sha1.ts'

/** The four parameters, in the query string or inside a POST's JSON body. */
export interface Credentials {
  AccessKeyId: string
  SignatureNonce: string
  /** Seconds since 1970, as text. */
  Timestamp: string
  Signature: string
}

export const CREDENTIAL_NAMES = [
  'AccessKeyId',
  'SignatureNonce',
  'Timestamp',
  'Signature',
] as const satisfies (keyof Credentials)[]

/** Validity of a `Timestamp`, to either side. */
export const VALID_MS = 30_000

/** The exact text that is signed. */
export function stringToSign(of: Omit<Credentials, 'Signature'>): string {
  const { AccessKeyId, SignatureNonce, Timestamp } = of
  return `AccessKeyId=${AccessKeyId}&SignatureNonce=${SignatureNonce}&Timestamp=${Timestamp}`
}

/** Base64 of the hexadecimal digest: 56 characters. */
export function sign(of: Omit<Credentials, 'Signature'>, secret: string): string {
  return btoa(hexDigest(stringToSign(of), secret))
}

/** All four parameters for one request. */
export function credentials(of: {
  accessKey: string
  secretKey: string
  nonce: string
  timestampS: number
}): Credentials {
  const parts = {
    AccessKeyId: of.accessKey,
    SignatureNonce: of.nonce,
    Timestamp: String(of.timestampS),
  }
  return { ...parts, Signature: sign(parts, of.secretKey) }
}
