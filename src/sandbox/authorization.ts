/**
 * Whether a caller is let in: first who it is, then what it may do (the service's documentation,
 * Authentication and Errors).
 */
import type { Access } from '../contract/access.ts'
import { type ByAnswer, byAnswer } from '../contract/questions.ts'
import type { Refusal } from '../contract/refusal.ts'
import type { Credentials } from '../contract/signature.ts'
import { authenticate } from './authentication.ts'
import type { Sandbox } from './sandbox.ts'
import type { ApiKey } from './tenancy/api-key.ts'

/** What is to be called: its access, and its id for a refusal that has no permission to name. */
export interface ProtectedEndpoint {
  id: string
  access: Access
  /** Other access, by the answer to an open question. */
  accessByAnswer?: ByAnswer<Access> | undefined
}

/** The caller's key; null where nobody has to sign. */
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

function accessOf({ access, accessByAnswer }: ProtectedEndpoint, { answers }: Sandbox): Access {
  return (accessByAnswer && byAnswer(accessByAnswer, answers)) ?? access
}

/** The raw profile asks nobody to sign. */
function isUnsignedAllowed({ config }: Sandbox, { AccessKeyId }: Partial<Credentials>): boolean {
  return config.profile === 'raw' && AccessKeyId === undefined
}

/** Whether a key may call what has such an access. */
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

/** The name of what is missing: `coin.ticker` asks for no permission by name, so it is its own. */
export function permissionNameOf({ id, access }: ProtectedEndpoint): string {
  if (access.kind === 'permission') return access.name
  if (access.kind === 'distributor') return 'DISTRIBUTOR'
  return id
    .replace(/[A-Z]/g, (letter) => `_${letter}`)
    .replaceAll('.', '_')
    .toUpperCase()
}
