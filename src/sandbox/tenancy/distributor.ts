/** A distributor: what its invite token preset, and the levels it has made. */
import { ACTIONS, RESOURCE_TYPE } from '../../contract/actions.ts'
import type { LevelConfig } from '../../contract/records/distributor.ts'
import type { Refusal } from '../../contract/refusal.ts'
import { boundFlaw, LEVELS_MAX } from '../sandbox-bounds.ts'

/** What an invite token presets; null is no limit. */
export interface InvitePresets {
  name: string
  level: string
  maxSubKeys: number
  /** Requests a month, summed over all sub keys. */
  maxTotalQuota: number
  maxConnections: number | null
  maxSubscriptions: number | null
}

export interface Invite {
  token: string
  presets: InvitePresets
  /** Access key of the distributor that it made. */
  usedBy: string | null
}

export interface Distributor extends InvitePresets {
  /** Its primary key. */
  accessKey: string
  levels: Map<string, LevelConfig>
}

/** Why a level cannot be saved; null when it can. */
export function levelFlaw({ permissions }: LevelConfig): Refusal<'resourceType' | 'action'> | null {
  if (permissions.some(({ resource_type }) => resource_type !== RESOURCE_TYPE))
    return { refused: 'resourceType' }
  const unknown = permissions.flatMap(({ actions }) => actions).find((name) => !ACTIONS.has(name))
  return unknown === undefined ? null : { refused: 'action', name: unknown }
}

/**
 * Why there cannot be one more level, unless one of that name is replaced; null when there can.
 * @param roomFlaw why there is no memory for it
 */
export function levelCountFlaw(
  { levels }: Distributor,
  name: string,
  roomFlaw: string | null,
): Refusal<'levelCount'> | null {
  const full = levels.has(name) ? null : boundFlaw('levels', levels.size, LEVELS_MAX)
  const why = full ?? roomFlaw
  return why === null ? null : { refused: 'levelCount', why }
}

/** The actions that a level grants. */
export function grantedActions(level: LevelConfig | undefined): ReadonlySet<string> {
  const known = level && grantsByLevel.get(level)
  if (known) return known
  const actions = new Set(level?.permissions.flatMap((permission) => permission.actions))
  if (level) grantsByLevel.set(level, actions)
  return actions
}

const grantsByLevel = new WeakMap<LevelConfig, ReadonlySet<string>>()
