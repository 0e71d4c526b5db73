/**
 * The tenancy of a sandbox: keys, distributors with their levels, invite tokens, usage (the
 * service's documentation, Distributor management).
 */

import { minuteOf, monthOf } from '../../clock/instant.ts'
import {
  ACTIONS,
  DATA_PERMISSIONS,
  RESERVED_ACTIONS,
  RESOURCE_TYPE,
} from '../../contract/actions.ts'
import type { Answers } from '../../contract/questions.ts'
import type { LevelConfig } from '../../contract/records/distributor.ts'
import type { Refusal } from '../../contract/refusal.ts'
import type { RandomSource } from '../../random/random-source.ts'
import { KeptRecords } from '../memory.ts'
import { NumberedMap } from '../numbered-map.ts'
import { boundFlaw, LEVELS_MAX } from '../sandbox-config.ts'
import { type ApiKey, type KeyLimits, newApiKey } from './api-key.ts'

/** Called when the sandbox gains a name: an access key or an invite token. */
export type ClaimName = (name: string) => void

/** A change of a tenancy; `id` is an access key or invite token. */
export interface TenancyChange {
  kind: 'key' | 'distributor' | 'invite'
  id: string
}

export class Tenancy {
  readonly keys = new NumberedMap<ApiKey>()
  readonly distributors = new Map<string, Distributor>()
  readonly invites = new NumberedMap<Invite>()
  readonly usage = new Usage()
  /** Number of generated names, from which the next one follows. */
  mintedCount = 0
  private readonly listeners = new Set<(change: TenancyChange) => void>()

  constructor(
    private readonly random: RandomSource,
    private readonly prefix: string,
    private readonly claim: ClaimName = () => {},
    /** Keys, distributors, levels and invites are charged to it. */
    readonly records = new KeptRecords(),
  ) {}

  /** Removes all keys; the usage stays. */
  clear(): void {
    for (const name of this.keys.keys()) this.records.remove(`key ${name}`)
    for (const token of this.invites.keys()) this.records.remove(`invite ${token}`)
    for (const distributor of this.distributors.values()) this.forgetDistributor(distributor)
    for (const map of [this.keys, this.distributors, this.invites]) map.clear()
  }

  /** Adds a listener for changes; the result removes it. */
  onChange(listener: (change: TenancyChange) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Adds a key, or replaces the one of that name. */
  addKey(key: ApiKey): ApiKey {
    this.keys.set(key.accessKey, key)
    this.records.put(`key ${key.accessKey}`, key)
    this.claim(key.accessKey)
    this.notify('key', key.accessKey)
    return key
  }

  addInvite(token: string, presets: InvitePresets): Invite {
    const invite = { token, presets, usedBy: null }
    this.invites.set(token, invite)
    this.records.put(`invite ${token}`, invite)
    this.claim(token)
    this.notify('invite', token)
    return invite
  }

  addDistributor(key: Pick<ApiKey, 'accessKey'>, presets: InvitePresets): Distributor {
    const distributor = { ...presets, accessKey: key.accessKey, levels: new Map() }
    this.distributors.set(key.accessKey, distributor)
    this.records.put(`distributor ${key.accessKey}`, presets)
    this.notify('distributor', key.accessKey)
    return distributor
  }

  /** Turns an unused token into a distributor; null for any other token. */
  redeem(token: string, nowMs: number): ApiKey | null {
    const invite = this.invites.get(token)
    if (!invite || invite.usedBy !== null) return null
    const { name } = invite.presets
    const key = this.addKey(
      newApiKey({ ...this.newKeyPair(), kind: 'partner', name, createdMs: nowMs }),
    )
    this.addDistributor(key, invite.presets)
    invite.usedBy = key.accessKey
    this.notify('invite', token)
    return key
  }

  /** A new pair of access and secret key. */
  newKeyPair(): Pick<ApiKey, 'accessKey' | 'secretKey'> {
    const random = this.random.fork(`${++this.mintedCount}`)
    return { accessKey: `${this.prefix}-${random.hex(12)}`, secretKey: random.hex(40) }
  }

  /** A new invite token. */
  newInviteToken(): string {
    return `${this.prefix}-invite-${this.random.fork(`${++this.mintedCount}`).hex(8)}`
  }

  /** The sub keys of a distributor, in order of creation. */
  subKeys({ accessKey }: Distributor): ApiKey[] {
    return [...this.keys.values()].filter((key) => key.distributor === accessKey)
  }

  /**
   * Whether a key grants a permission; null is an operation without one, which every key with a
   * permission for data may call.
   */
  grants(key: ApiKey, permission: string | null, answers: Answers): boolean {
    const isSub = key.kind === 'sub'
    const granted = isSub ? grantedActions(this.levelOf(key)) : key.grants
    if (granted === null) return true
    if (permission !== null) return granted.has(permission)
    const opensData = DATA_PERMISSIONS.some((name) => granted.has(name))
    return opensData && (!isSub || answers['sub-key-open-endpoints'] === 'granted')
  }

  /** The present level of a sub key; undefined when it was deleted. */
  levelOf({ distributor, level }: ApiKey) {
    if (distributor === null || level === null) return undefined
    return this.distributors.get(distributor)?.levels.get(level)
  }

  /**
   * The monthly quota of a sub key: its own, or its level's when it was created; for a level that
   * was configured later, that level's.
   */
  quotaOf(key: ApiKey): number {
    return key.limits.monthlyQuota ?? this.levelOf(key)?.request_limits.max_request ?? 0
  }

  /** Sum of the monthly quotas of a distributor's sub keys. */
  allocatedBy(distributor: Distributor): number {
    return this.subKeys(distributor).reduce((sum, key) => sum + this.quotaOf(key), 0)
  }

  /**
   * Why a level cannot have that quota: sub keys that were made before it would take more than the
   * distributor has; null when it can.
   */
  levelQuotaFlaw(distributor: Distributor, name: string, config: LevelConfig) {
    const { maxTotalQuota } = distributor
    const waiting = this.subKeys(distributor).filter(
      ({ level, limits }) => level === name && limits.monthlyQuota === null,
    )
    const now = this.allocatedBy(distributor)
    const taken = waiting.reduce((sum, key) => sum + this.quotaOf(key), 0)
    const wanted = waiting.length * (config.request_limits.max_request ?? 0)
    if (wanted <= taken || now - taken + wanted <= maxTotalQuota) return null
    const why =
      `max_request of ${config.request_limits.max_request} is too much for ${waiting.length} ` +
      `sub keys of this level: ${maxTotalQuota - now + taken} of the distributor's ` +
      `${maxTotalQuota} are left`
    return { refused: 'levelCount', why } satisfies Refusal
  }

  /** Removes a key; whether it existed. */
  removeKey(accessKey: string): boolean {
    const distributor = this.distributors.get(accessKey)
    if (distributor) {
      this.distributors.delete(accessKey)
      this.forgetDistributor(distributor)
      this.notify('distributor', accessKey)
    }
    this.records.remove(`key ${accessKey}`)
    this.usage.forget(accessKey)
    const was = this.keys.delete(accessKey)
    this.notify('key', accessKey)
    return was
  }

  putLevel({ accessKey, levels }: Distributor, name: string, config: LevelConfig): void {
    levels.set(name, config)
    this.records.put(levelId(accessKey, name), config)
    this.notify('distributor', accessKey)
  }

  /** Deletes a level; whether it existed. */
  deleteLevel({ accessKey, levels }: Distributor, name: string): boolean {
    const was = levels.delete(name)
    if (was) {
      this.records.remove(levelId(accessKey, name))
      this.notify('distributor', accessKey)
    }
    return was
  }

  /** All limits of a key; null is no limit. */
  limitsOf(key: ApiKey): KeyLimits {
    if (key.kind !== 'sub') return key.limits
    const level = this.levelOf(key)?.request_limits
    const distributor = this.distributorOf(key)
    return {
      ratePerMinute: key.limits.ratePerMinute ?? level?.request_rate_limit ?? 0,
      monthlyQuota: this.quotaOf(key),
      maxTimeRangeS: key.limits.maxTimeRangeS ?? level?.max_time_range ?? 0,
      maxConnections: distributor?.maxConnections ?? null,
      maxSubscriptions: distributor?.maxSubscriptions ?? null,
    }
  }

  /** Whether the sub keys of the key's distributor have used up its total quota. */
  isDistributorExhausted(key: ApiKey, nowMs: number): boolean {
    const distributor = this.distributorOf(key)
    return distributor !== undefined && this.usedBy(distributor, nowMs) >= distributor.maxTotalQuota
  }

  /** Requests of this month by all sub keys of a distributor. */
  usedBy({ accessKey }: Distributor, nowMs: number): number {
    return this.usage.inMonth(distributorCounterName(accessKey), nowMs)
  }

  /** Counts a permitted request. */
  count({ accessKey, distributor }: ApiKey, nowMs: number): void {
    this.usage.add(accessKey, nowMs)
    if (distributor !== null) this.usage.add(distributorCounterName(distributor), nowMs)
  }

  /** Sets the usage of a key this month; its distributor's sum changes with it. */
  setUsed({ accessKey, distributor }: ApiKey, nowMs: number, used: number): void {
    const before = this.usage.inMonth(accessKey, nowMs)
    this.usage.set(accessKey, nowMs, used)
    if (distributor === null) return
    const sum = distributorCounterName(distributor)
    this.usage.set(sum, nowMs, this.usage.inMonth(sum, nowMs) + used - before)
  }

  private notify(kind: TenancyChange['kind'], id: string): void {
    for (const listener of this.listeners) listener({ kind, id })
  }

  private forgetDistributor({ accessKey, levels }: Distributor): void {
    this.records.remove(`distributor ${accessKey}`)
    for (const level of levels.keys()) this.records.remove(levelId(accessKey, level))
  }

  private distributorOf({ distributor }: ApiKey): Distributor | undefined {
    return distributor === null ? undefined : this.distributors.get(distributor)
  }
}

/** The id under which a level is charged. */
const levelId = (accessKey: string, level: string) => `level ${accessKey} ${level}`

/** The counter of a distributor's sub keys: no access key has a space. */
export const distributorCounterName = (accessKey: string) => `sum of ${accessKey}`

// The usage of each key, by calendar month and by minute of the session clock.

/** Requests of a calendar month and of a minute, each by its number. */
export interface UsageCount {
  month: number
  inMonth: number
  minute: number
  inMinute: number
}

class Usage {
  private readonly counts = new Map<string, UsageCount>()
  private listener: (name: string) => void = () => {}

  /** Adds a listener for changed and removed counts. */
  onChange(listener: (name: string) => void): void {
    this.listener = listener
  }

  names(): Iterable<string> {
    return this.counts.keys()
  }

  /** The count of a name as last changed; undefined for none. */
  countOf(name: string): Readonly<UsageCount> | undefined {
    return this.counts.get(name)
  }

  /** Replaces all counts. */
  restore(counts: Iterable<[string, UsageCount]>): void {
    this.counts.clear()
    for (const [name, count] of counts) this.counts.set(name, { ...count })
  }

  /** Takes over a count that is stored already; null for none. */
  put(name: string, count: UsageCount | null): void {
    if (count) this.counts.set(name, count)
    else this.counts.delete(name)
  }

  /** Counts one request. */
  add(accessKey: string, nowMs: number): void {
    const count = this.currentCount(accessKey, nowMs)
    count.inMonth++
    count.inMinute++
    this.listener(accessKey)
  }

  /** Requests in the month of `nowMs`. */
  inMonth(accessKey: string, nowMs: number): number {
    return this.currentCount(accessKey, nowMs).inMonth
  }

  /** Requests in the minute of `nowMs`. */
  inMinute(accessKey: string, nowMs: number): number {
    return this.currentCount(accessKey, nowMs).inMinute
  }

  /** Sets the usage of this month. */
  set(accessKey: string, nowMs: number, inMonth: number): void {
    this.currentCount(accessKey, nowMs).inMonth = inMonth
    this.listener(accessKey)
  }

  forget(accessKey: string): void {
    this.counts.delete(accessKey)
    this.listener(accessKey)
  }

  private currentCount(accessKey: string, nowMs: number): UsageCount {
    const month = monthOf(nowMs)
    const minute = minuteOf(nowMs)
    const known = this.counts.get(accessKey)
    if (!known) {
      const fresh = { month, inMonth: 0, minute, inMinute: 0 }
      this.counts.set(accessKey, fresh)
      return fresh
    }
    if (known.month !== month) Object.assign(known, { month, inMonth: 0 })
    if (known.minute !== minute) Object.assign(known, { minute, inMinute: 0 })
    return known
  }
}

// A distributor: its presets from the invite token, and its levels.

/** The presets of an invite token; null is no limit. */
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
  /** Access key of the distributor that it created. */
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
 * Why one more level cannot be added, unless it replaces one of that name; null when it can.
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

/** The actions that a level grants: the named ones without reserved ones. */
function grantedActions(level: LevelConfig | undefined): ReadonlySet<string> {
  const known = level && grantsByLevel.get(level)
  if (known) return known
  const named = new Set(level?.permissions.flatMap((permission) => permission.actions))
  const actions = new Set([...named].filter((action) => !RESERVED_ACTIONS.has(action)))
  if (level) grantsByLevel.set(level, actions)
  return actions
}

const grantsByLevel = new WeakMap<LevelConfig, ReadonlySet<string>>()
