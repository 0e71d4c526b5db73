/** Creates and changes keys, with the reasons of refusals. */
import { PERMISSIONS } from '../../contract/actions.ts'
import { boundFlaw, KEYS_MAX } from '../sandbox-config.ts'
import { someNames } from '../some-names.ts'
import {
  type ApiKey,
  type KeyLimits,
  newApiKey,
  PLAN_LIMITS,
  type Plan,
  UNLIMITED,
} from './api-key.ts'
import { DEFAULT_PRESETS } from './initial-tenancy.ts'
import type { Distributor, InvitePresets, Tenancy } from './tenancy.ts'

/** The options of a new key; the defaults are the level's, the plan's or unlimited. */
export interface NewKeyOptions {
  kind: 'sub' | 'direct' | 'partner'
  name?: string
  /** Of a sub key: its distributor's access key; the first partner by default. */
  distributor?: string
  /** Of a sub key. */
  level?: string
  /** Of a sub key: its level may be one that is configured later. */
  levelMayBeAbsent?: boolean
  /** Of a direct key; null or absent grants everything. */
  permissions?: string[] | null
  plan?: Plan
  limits?: Partial<KeyLimits>
}

/** The changeable fields of a key. */
export interface KeyChange {
  name?: string
  level?: string
  permissions?: string[] | null
  limits?: Partial<KeyLimits>
  status?: ApiKey['status']
}

/** Creates a key, or returns the reason of the refusal. */
export function createKey(
  tenancy: Tenancy,
  options: NewKeyOptions,
  nowMs: number,
): ApiKey | string {
  const flaw = misplacedField(options) ?? boundFlaw('keys', tenancy.keys.size, KEYS_MAX)
  if (flaw !== null) return flaw
  const { kind, name = kind, limits } = options
  const base = { ...tenancy.newKeyPair(), kind, name, createdMs: nowMs }
  if (kind === 'sub') return createSubKey(tenancy, options, base)
  const unknown = unknownPermission(options.permissions)
  if (unknown !== null) return unknown
  const granted = options.permissions ? new Set(options.permissions) : null
  const plan = options.plan ? PLAN_LIMITS[options.plan] : UNLIMITED
  const key = newApiKey({ ...base, grants: granted, limits: { ...plan, ...limits } })
  const noRoom = tenancy.records.flaw(key)
  if (noRoom !== null) return noRoom
  tenancy.addKey(key)
  if (kind === 'partner') tenancy.addDistributor(key, { ...DEFAULT_PRESETS, name })
  return key
}

/** Changes a key, or returns the reason of the refusal and leaves it unchanged. */
export function changeKey(tenancy: Tenancy, key: ApiKey, change: KeyChange): ApiKey | string {
  const misplaced = misplacedField({ kind: key.kind === 'full' ? 'direct' : key.kind, ...change })
  if (misplaced !== null) return misplaced
  const unknown = unknownPermission(change.permissions)
  if (unknown !== null) return unknown
  const { permissions, limits, ...rest } = change
  const changed: ApiKey = {
    ...key,
    ...rest,
    ...(permissions === undefined ? {} : { grants: permissions && new Set(permissions) }),
    limits: { ...key.limits, ...limits },
  }
  const distributor = key.kind === 'sub' ? tenancy.distributors.get(key.distributor ?? '') : null
  const absent = distributor && changed.level !== key.level ? levelFlaw(distributor, changed) : null
  const quota = distributor ? quotaFlaw(tenancy, distributor, changed, key) : null
  return absent ?? quota ?? tenancy.records.flaw(changed) ?? tenancy.addKey(changed)
}

/** The presets of an invite token, with defaults. */
export function invitePresetsOf(presets: Partial<InvitePresets>): InvitePresets {
  return { ...DEFAULT_PRESETS, name: 'Invited partner', ...presets }
}

function createSubKey(
  tenancy: Tenancy,
  options: NewKeyOptions,
  base: Parameters<typeof newApiKey>[0],
): ApiKey | string {
  const { distributors } = tenancy
  const owner = options.distributor ?? firstPartner(tenancy)
  const distributor = distributors.get(owner)
  if (!distributor)
    return `distributor "${owner}" does not exist; there are ${someNames(distributors)}`
  if (options.level === undefined) return 'level is missing: a sub key has the rights of its level'
  const template = distributor.levels.get(options.level)?.request_limits.max_request ?? null
  const limits = { ...UNLIMITED, monthlyQuota: template, ...options.limits }
  const key = newApiKey({ ...base, distributor: owner, level: options.level, limits })
  const count = tenancy.subKeys(distributor).length
  if (count >= distributor.maxSubKeys)
    return `there are ${count} sub keys already: ${distributor.maxSubKeys} at most`
  const absent = options.levelMayBeAbsent ? null : levelFlaw(distributor, key)
  const flaw = absent ?? quotaFlaw(tenancy, distributor, key, null) ?? tenancy.records.flaw(key)
  return flaw ?? tenancy.addKey(key)
}

const firstPartner = ({ keys }: Tenancy): string =>
  [...keys.values()].find(({ kind }) => kind === 'partner')?.accessKey ?? ''

/** Why a sub key may not have its level. */
const levelFlaw = ({ levels }: Distributor, { level }: ApiKey): string | null =>
  levels.has(level ?? '') ? null : `level "${level}" does not exist; there are ${someNames(levels)}`

/** Why a sub key may not have its quota. */
function quotaFlaw(
  tenancy: Tenancy,
  distributor: Distributor,
  key: ApiKey,
  before: ApiKey | null,
): string | null {
  const { maxTotalQuota } = distributor
  const others = tenancy.allocatedBy(distributor) - (before ? tenancy.quotaOf(before) : 0)
  const quota = tenancy.quotaOf(key)
  if (others + quota <= maxTotalQuota) return null
  return (
    `a monthly quota of ${quota} is too much: ${maxTotalQuota - others} of the distributor's ` +
    `${maxTotalQuota} are left`
  )
}

function misplacedField(options: NewKeyOptions): string | null {
  const isSub = options.kind === 'sub'
  const wrong = isSub ? ['permissions', 'plan'] : ['level', 'distributor', 'levelMayBeAbsent']
  const found = wrong.find((name) => options[name as keyof NewKeyOptions] !== undefined)
  if (!found) return null
  return isSub
    ? `${found} is not for a sub key: it has the rights and limits of its level`
    : `${found} is for sub keys only`
}

function unknownPermission(permissions: string[] | null | undefined): string | null {
  const unknown = permissions?.find((name) => !PERMISSIONS.includes(name))
  if (unknown === undefined) return null
  return `permission "${unknown}" does not exist; there are ${PERMISSIONS.join(', ')}`
}
