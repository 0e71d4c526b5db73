/** How a request of a probe is signed, rightly or not. */
import { type Credentials, credentials } from '../contract/signature.ts'
import type { KeyRole, TargetKey } from './target.ts'

/** Present time for signatures, text for nonces, and how to wait. */
export interface SigningSource {
  nowS(): number
  nonce(): string
  wait?(ms: number): Promise<void>
}

export interface RequestSignature {
  /** Who signs; `full` unless given. */
  signedBy?: KeyRole | TargetKey
  /** How old the signature is, s. */
  ageS?: number
  /** What is sent in place of the right credentials. */
  tamper?: (right: Credentials, key: TargetKey) => Partial<Credentials>
  /** Where the credentials stand; in the query unless given. */
  signedIn?: 'query' | 'body' | 'nowhere'
}

/** The credentials that are sent. */
export function signatureOf(
  { ageS = 0, tamper }: RequestSignature,
  key: TargetKey,
  signing: SigningSource,
): Partial<Credentials> {
  const timestampS = signing.nowS() - ageS
  const right = credentials({ ...key, nonce: signing.nonce(), timestampS })
  return tamper?.(right, key) ?? right
}
