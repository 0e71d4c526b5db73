/**
 * Authentication, then authorization, of a caller (the service's documentation, Authentication and
 * Errors).
 */

import { nextMonthMs } from '../clock/instant.ts'
import type { Access } from '../contract/access.ts'
import { type ByAnswer, byAnswer } from '../contract/questions.ts'
import type { Refusal, RefusalName } from '../contract/refusal.ts'
import type { TObject, TSchema } from '../contract/schema.ts'
import { CREDENTIAL_NAMES, type Credentials, VALID_MS } from '../contract/signature.ts'
import { isSigned } from '../contract/signature-check.ts'
import { hexDigest } from '../platform/hmac-sha1.ts'
import type { Sandbox } from './sandbox.ts'
import { NONCES_MAX } from './sandbox-config.ts'
import type { RefusalByRule } from './scenario/fault.ts'
import { type ApiKey, PLAN_LIMITS } from './tenancy/api-key.ts'

/** A requested endpoint: its access, and its id for refusals that name no permission. */
export interface ProtectedEndpoint {
  id: string
  access: Access
  /** Another access, chosen by the answer to an open question. */
  accessByAnswer?: ByAnswer<Access> | undefined
}

/** Authenticates and authorizes a caller; the key, or null where no signature is required. */
export function authorize(
  sandbox: Sandbox,
  endpoint: ProtectedEndpoint,
  signed: Partial<Credentials>,
): ApiKey | null | Refusal {
  const access = accessOf(endpoint, sandbox)
  if (access.kind === 'public') return null
  const key = isUnsignedAllowed(sandbox, signed) ? sandbox.keys.full : authenticate(sandbox, signed)
  if (!key) return { refused: 'signature' }
  if (key.status === 'disabled')
    return sandbox.answers['disabled-key'] === 'signature'
      ? { refused: 'signature' }
      : { refused: 'permission', name: 'KEY_DISABLED' }
  return isGranted(sandbox, key, access)
    ? key
    : { refused: 'permission', name: permissionNameOf(endpoint) }
}

/** Whether a request to an endpoint needs a signature in this sandbox. */
export const isSignatureRequired = (
  sandbox: Sandbox,
  endpoint: ProtectedEndpoint,
  signed: Partial<Credentials>,
): boolean => accessOf(endpoint, sandbox).kind !== 'public' && !isUnsignedAllowed(sandbox, signed)

function accessOf({ access, accessByAnswer }: ProtectedEndpoint, { answers }: Sandbox): Access {
  return (accessByAnswer && byAnswer(accessByAnswer, answers)) ?? access
}

/** The raw profile requires no signature. */
function isUnsignedAllowed({ config }: Sandbox, { AccessKeyId }: Partial<Credentials>): boolean {
  return config.profile === 'raw' && AccessKeyId === undefined
}

/** Whether a key has the permission that an access requires. */
export function isGranted({ tenancy, answers }: Sandbox, key: ApiKey, access: Access): boolean {
  switch (access.kind) {
    case 'public':
      return true
    case 'signed':
      return tenancy.grants(key, null, answers)
    case 'distributor':
      return key.kind === 'partner' || key.kind === 'full'
    case 'permission':
      return tenancy.grants(key, access.name, answers)
  }
}

/** The name of the missing permission: `coin.ticker` requires none by name, so it is its own. */
export function permissionNameOf({ id, access }: ProtectedEndpoint): string {
  if (access.kind === 'permission') return access.name
  if (access.kind === 'distributor') return 'DISTRIBUTOR'
  return id
    .replace(/[A-Z]/g, (letter) => `_${letter}`)
    .replaceAll('.', '_')
    .toUpperCase()
}

// Authentication: the four signature parameters against the sandbox's keys (the service's
// documentation, Authentication).

/** Reads the four signature parameters of a query or a body; missing ones are absent. */
export function credentialsIn(from: Readonly<Record<string, unknown>>): Partial<Credentials> {
  const found: Partial<Credentials> = {}
  for (const name of CREDENTIAL_NAMES) {
    const value = from[name]
    if (typeof value === 'string') found[name] = value
    else if (typeof value === 'number') found[name] = String(value)
  }
  return found
}

/** The key that made the signature; null for an invalid, expired, premature or replayed one. */
function authenticate(sandbox: Sandbox, given: Partial<Credentials>): ApiKey | null {
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

/** Maximum length of a signature parameter: what an address has room for. */
export const CREDENTIAL_LENGTH_MAX = 16_384

function isFresh(sandbox: Sandbox, timestamp: string): boolean {
  if (!/^\d{1,15}$/.test(timestamp)) return false
  const ageMs = signatureAgeMs(sandbox, timestamp)
  // A timestamp is in whole seconds, so a signature may be up to one second younger.
  return ageMs < VALID_MS + 1000 && ageMs > -VALID_MS
}

/** Age of a signature, ms, by the clock that counts here; negative in the future. */
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
    // The map is in the order of expiry.
    if (untilMs > nowMs && sandbox.nonces.size < NONCES_MAX) break
    forgetNonce(sandbox, old)
  }
  sandbox.nonces.set(name, nowMs + 2 * VALID_MS)
  sandbox.changeLog?.markChanged('nonce', name)
  return true
}

/** A long nonce is stored as its digest. */
const shortNonce = (nonce: string) =>
  nonce.length <= NONCE_LETTERS_MAX ? nonce : hexDigest(nonce, '')

const NONCE_LETTERS_MAX = 64

function forgetNonce({ nonces, changeLog }: Sandbox, name: string): void {
  nonces.delete(name)
  changeLog?.markChanged('nonce', name)
}

// Limits of a key: requests a minute, requests a month, and a distributor's month over all its sub
// keys. All by the session clock (the service's documentation, Level config and Quota summary).

/** Counts a permitted request; a refusal when a limit is reached, and then nothing is counted. */
export function meter(sandbox: Sandbox, key: ApiKey): Refusal | null {
  const { tenancy, config } = sandbox
  const nowMs = sandbox.clock.nowMs()
  const over = config.metering === 'off' ? null : limitRefusal(sandbox, key, nowMs)
  if (!over) tenancy.count(key, nowMs)
  return over
}

/** The refusal of one more request; null while no limit is reached. */
export function limitRefusal(sandbox: Sandbox, key: ApiKey, nowMs: number): Refusal | null {
  const { tenancy } = sandbox
  const { usage } = tenancy
  const { ratePerMinute, monthlyQuota } = sandbox.limitsOf(key)
  if (ratePerMinute !== null && usage.inMinute(key.accessKey, nowMs) >= ratePerMinute)
    return { refused: 'rate', perMinute: ratePerMinute, retryAfterS: secondsToNextMinute(nowMs) }
  const isUsedUp =
    (monthlyQuota !== null && usage.inMonth(key.accessKey, nowMs) >= monthlyQuota) ||
    tenancy.isDistributorExhausted(key, nowMs)
  if (!isUsedUp) return null
  return { refused: 'quota', retryAfterS: Math.ceil((nextMonthMs(nowMs) - nowMs) / 1000) }
}

const secondsToNextMinute = (nowMs: number) => 60 - (Math.floor(nowMs / 1000) % 60)

// Refusals by a rule, worded as the contract words them for the request.

/** A requested operation, or a requested channel of a socket. */
interface RequestedEndpoint {
  id: string
  access: Access
  method?: string
  params?: { path?: TObject; query?: TObject; body?: TSchema }
}

/** @param accessKey of the caller, as it was sent */
export function refusalByRule(
  sandbox: Sandbox,
  { as, subject }: RefusalByRule,
  endpoint: RequestedEndpoint,
  accessKey: string | undefined,
): Refusal {
  const about = (SUBJECTS[as]?.(endpoint) ?? limitOf(sandbox, as, accessKey)) as Subject
  const [first] = Object.keys(about)
  if (subject === undefined || first === undefined) return { refused: as, ...about } as Refusal
  const own = typeof about[first] === 'number' ? Number(subject) : subject
  return { refused: as, ...about, [first]: own } as Refusal
}

type Subject = Record<string, unknown>

const SUBJECTS: Partial<Record<RefusalName, (endpoint: RequestedEndpoint) => Subject>> = {
  permission: (endpoint) => ({ name: permissionNameOf(endpoint) }),
  missing: (endpoint) => ({ parameter: parameterOf(endpoint) }),
  invalid: (endpoint) => ({ parameter: parameterOf(endpoint), expected: 'something else' }),
  body: () => ({ expected: 'a JSON object' }),
  symbol: () => ({ symbol: 'nothing' }),
  infoType: () => ({ type: 'nothing' }),
  action: () => ({ name: 'NOTHING' }),
  level: () => ({ name: 'nothing' }),
  levelCount: () => ({ why: 'not today' }),
  subKey: () => ({ why: 'not today' }),
  subKeyAbsent: () => ({ name: 'nothing' }),
  quota: () => ({ retryAfterS: 3600 }),
  method: ({ method = 'GET' }) => ({ allowed: [method === 'GET' ? 'POST' : 'GET'] }),
  tooLarge: () => ({ maxBytes: 1 }),
}

/** The first parameter of the request; a common one when it has none. */
function parameterOf({ params = {} }: RequestedEndpoint): string {
  const { path, query, body } = params
  const all = [path, query, body].flatMap((one) => Object.keys(one?.properties ?? {}))
  return all[0] ?? 'coin'
}

/** The limit of the key; where it has none, that of the smallest plan. */
function limitOf(sandbox: Sandbox, as: RefusalName, accessKey = ''): Subject {
  const key = sandbox.keyOf(accessKey)
  const limits = key && sandbox.limitsOf(key)
  if (as === 'timeRange') return { maxS: limits?.maxTimeRangeS ?? 60 }
  if (as === 'connections') return { most: limits?.maxConnections ?? 1 }
  if (as !== 'rate') return {}
  const perMinute = limits?.ratePerMinute ?? PLAN_LIMITS.free.ratePerMinute
  return { perMinute, retryAfterS: 30 }
}
