/**
 * Who the caller is: the four signature parameters against the sandbox's keys (the service's
 * documentation, Authentication).
 */
import { CREDENTIAL_NAMES, type Credentials, VALID_MS } from '../contract/signature.ts'
import { isSigned } from '../contract/signature-check.ts'
import { hexDigest } from '../platform/hmac-sha1.ts'
import type { Sandbox } from './sandbox.ts'
import { NONCES_MAX } from './sandbox-bounds.ts'
import type { ApiKey } from './tenancy/api-key.ts'

/** The four parameters of a query or a body; missing ones are absent. */
export function credentialsIn(from: Readonly<Record<string, unknown>>): Partial<Credentials> {
  const found: Partial<Credentials> = {}
  for (const name of CREDENTIAL_NAMES) {
    const value = from[name]
    if (typeof value === 'string') found[name] = value
    else if (typeof value === 'number') found[name] = String(value)
  }
  return found
}

/** The key whose signature it is; null when it is nobody's, too old, too young, or used again. */
export function authenticate(sandbox: Sandbox, given: Partial<Credentials>): ApiKey | null {
  if (!isComplete(given)) return null
  const key = sandbox.keyOf(given.AccessKeyId)
  if (!key || !isSigned(given, key.secretKey) || !isFresh(sandbox, given.Timestamp)) return null
  return isFirstUse(sandbox, given) ? key : null
}

function isComplete(given: Partial<Credentials>): given is Credentials {
  return CREDENTIAL_NAMES.every((name) => {
    const length = given[name]?.length ?? 0
    return length > 0 && length <= CREDENTIAL_LENGTH_MAX
  })
}

/** Letters of each signature parameter, as many as an address has room for. */
export const CREDENTIAL_LENGTH_MAX = 16_384

function isFresh(sandbox: Sandbox, timestamp: string): boolean {
  if (!/^\d{1,15}$/.test(timestamp)) return false
  const ageMs = signatureAgeMs(sandbox, timestamp)
  // A timestamp has whole seconds: what was signed within the second is up to one second younger.
  return ageMs < VALID_MS + 1000 && ageMs > -VALID_MS
}

/** How old a signature is, by the clock that counts here; negative in the future. */
export function signatureAgeMs(
  { clock, config, faultInjection }: Sandbox,
  timestamp: string,
): number {
  const signedMs = Number(timestamp) * 1000 - faultInjection.signatureSkewMs
  return config.signatureTime === 'session'
    ? clock.nowMs() - signedMs
    : clock.elapsedSinceMs(signedMs)
}

function isFirstUse(sandbox: Sandbox, given: Credentials): boolean {
  if (sandbox.answers['nonce-reuse'] === 'accept') return true
  const nowMs = sandbox.clock.nowMs()
  const name = `${given.AccessKeyId}/${shortNonce(given.SignatureNonce)}`
  if ((sandbox.nonces.get(name) ?? 0) > nowMs) return false
  for (const [old, untilMs] of sandbox.nonces) {
    // They lie in the order in which they may be forgotten.
    if (untilMs > nowMs && sandbox.nonces.size < NONCES_MAX) break
    forgetNonce(sandbox, old)
  }
  sandbox.nonces.set(name, nowMs + 2 * VALID_MS)
  sandbox.changeLog?.markChanged('nonce', name)
  return true
}

/** A long one is remembered by its digest. */
const shortNonce = (nonce: string) =>
  nonce.length <= NONCE_LETTERS_MAX ? nonce : hexDigest(nonce, '')

const NONCE_LETTERS_MAX = 64

function forgetNonce({ nonces, changeLog }: Sandbox, name: string): void {
  nonces.delete(name)
  changeLog?.markChanged('nonce', name)
}
