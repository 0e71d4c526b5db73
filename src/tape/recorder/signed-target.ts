import type { SystemClock } from '../../clock/system-clock.ts'
import { CREDENTIAL_NAMES, credentials } from '../../contract/signature.ts'
import { UserError } from '../../platform/user-error.ts'

/** A key with which requests are signed on behalf of clients that cannot. */
export interface SigningKey {
  accessKey: string
  secretKey: string
}

/** Reads `KEY:SECRET`. */
export function signingKey(given: string): SigningKey {
  const [, accessKey, secretKey] = /^([^:]+):(.+)$/s.exec(given) ?? []
  if (accessKey === undefined || secretKey === undefined)
    throw new UserError('--sign-with must be KEY:SECRET, with a colon between them')
  return { accessKey, secretKey }
}

/** Signs the path and query of each request; what it was signed with before is taken out. */
export function targetSigner(
  { accessKey, secretKey }: SigningKey,
  clock: SystemClock,
): (target: string) => string {
  const start = clock.nowMs().toString(36).replace('.', '')
  let count = 0
  return (target) => {
    const at = target.indexOf('?')
    const query = at < 0 ? '' : target.slice(at + 1)
    const own = query.split('&').filter((part) => part !== '' && !isCredential(part))
    const timestampS = Math.floor(clock.nowMs() / 1000)
    const signed = credentials({ accessKey, secretKey, nonce: `${start}-${count++}`, timestampS })
    const parts = CREDENTIAL_NAMES.map((name) => `${name}=${encodeURIComponent(signed[name])}`)
    return `${at < 0 ? target : target.slice(0, at)}?${[...own, ...parts].join('&')}`
  }
}

const isCredential = (part: string): boolean =>
  CREDENTIAL_NAMES.some((name) => part.startsWith(`${name}=`))
