/**
 * Who may do what in a sandbox: keys, distributors with their levels, invite tokens, usage (the
 * service's documentation, Distributor management).
 */
import type { Answers } from '../../contract/questions.ts'
import type { LevelConfig } from '../../contract/records/distributor.ts'
import type { RandomSource } from '../../random/random-source.ts'
import { NumberedMap } from '../numbered-map.ts'
import { type ApiKey, type KeyLimits, newApiKey } from './api-key.ts'
import { type Distributor, grantedActions, type Invite, type InvitePresets } from './distributor.ts'
import { Usage } from './usage.ts'

/** Called when a name comes to belong to the sandbox: an access key or an invite token. */
export type ClaimName = (name: string) => void

/** What of a tenancy has changed; `id` is its access key or invite token. */
export interface TenancyChange {
  kind: 'key' | 'distributor' | 'invite'
  id: string
}

export class Tenancy {
  readonly keys = new NumberedMap<ApiKey>()
  readonly distributors = new Map<string, Distributor>()
  readonly invites = new NumberedMap<Invite>()
  readonly usage = new Usage()
  /** How many names were generated: the next one follows from it. */
  mintedCount = 0
  private readonly listeners = new Set<(change: TenancyChange) => void>()

  constructor(
    private readonly random: RandomSource,
    private readonly prefix: string,
    private readonly claim: ClaimName = () => {},
  ) {}

  /** Called after each change; the result removes the listener. */
  onChange(listener: (change: TenancyChange) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Adds a key, or replaces the one of that name. */
  addKey(key: ApiKey): ApiKey {
    this.keys.set(key.accessKey, key)
    this.claim(key.accessKey)
    this.notify('key', key.accessKey)
    return key
  }

  addInvite(token: string, presets: InvitePresets): Invite {
    const invite = { token, presets, usedBy: null }
    this.invites.set(token, invite)
    this.claim(token)
    this.notify('invite', token)
    return invite
  }

  addDistributor(key: Pick<ApiKey, 'accessKey'>, presets: InvitePresets): Distributor {
    const distributor = { ...presets, accessKey: key.accessKey, levels: new Map() }
    this.distributors.set(key.accessKey, distributor)
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

  /** The sub keys of a distributor, in the order in which they were made. */
  subKeys({ accessKey }: Distributor): ApiKey[] {
    return [...this.keys.values()].filter((key) => key.distributor === accessKey)
  }

  /** Whether a key grants a permission; an operation that names none has null. */
  grants(key: ApiKey, permission: string | null, answers: Answers): boolean {
    if (key.kind !== 'sub') return permission === null || (key.grants?.has(permission) ?? true)
    const granted = grantedActions(this.levelOf(key))
    if (permission !== null) return granted.has(permission)
    return answers['sub-key-open-endpoints'] === 'granted' && granted.size > 0
  }

  /** The level of a sub key as it is now; undefined when it was deleted. */
  levelOf({ distributor, level }: ApiKey) {
    if (distributor === null || level === null) return undefined
    return this.distributors.get(distributor)?.levels.get(level)
  }

  /** What a sub key may call a month: its level's template when it was made, or its own. */
  quotaOf(key: ApiKey): number {
    return key.limits.monthlyQuota ?? 0
  }

  /** Sum of what the sub keys of a distributor may call a month. */
  allocatedBy(distributor: Distributor): number {
    return this.subKeys(distributor).reduce((sum, key) => sum + this.quotaOf(key), 0)
  }

  /** Whether there was one to remove. */
  removeKey(accessKey: string): boolean {
    if (this.distributors.delete(accessKey)) this.notify('distributor', accessKey)
    this.usage.forget(accessKey)
    const was = this.keys.delete(accessKey)
    this.notify('key', accessKey)
    return was
  }

  putLevel({ accessKey, levels }: Distributor, name: string, config: LevelConfig): void {
    levels.set(name, config)
    this.notify('distributor', accessKey)
  }

  /** Whether there was one to delete. */
  deleteLevel({ accessKey, levels }: Distributor, name: string): boolean {
    const was = levels.delete(name)
    if (was) this.notify('distributor', accessKey)
    return was
  }

  /** Everything that limits a key; null is no limit. */
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

  /** Whether the distributor of a sub key has used up what all its sub keys may call together. */
  isDistributorExhausted(key: ApiKey, nowMs: number): boolean {
    const distributor = this.distributorOf(key)
    return distributor !== undefined && this.usedBy(distributor, nowMs) >= distributor.maxTotalQuota
  }

  /** Requests of this month by all sub keys of a distributor. */
  usedBy({ accessKey }: Distributor, nowMs: number): number {
    return this.usage.inMonth(distributorCounterName(accessKey), nowMs)
  }

  /** One more request that was let in. */
  count({ accessKey, distributor }: ApiKey, nowMs: number): void {
    this.usage.add(accessKey, nowMs)
    if (distributor !== null) this.usage.add(distributorCounterName(distributor), nowMs)
  }

  /** Sets what a key has used this month; its distributor's sum moves with it. */
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

  private distributorOf({ distributor }: ApiKey): Distributor | undefined {
    return distributor === null ? undefined : this.distributors.get(distributor)
  }
}

/** Under which a distributor's sum over its sub keys is counted: no access key has a space. */
const distributorCounterName = (accessKey: string) => `sum of ${accessKey}`
