/**
 * Who may do what in a sandbox: keys, distributors with their levels, invite tokens, usage
 * (spec, Distributor management).
 */
import type { Answers } from '../../contract/questions.ts'
import type { Dice } from '../../random/dice.ts'
import { type Distributor, grantsOf, type Invite, type Presets } from './distributor.ts'
import { type Key, keyOf, type Limits } from './key.ts'
import { Usage } from './usage.ts'

/** Told when a name comes to belong to the sandbox: an access key or an invite token. */
export type Claim = (name: string) => void

export class Tenancy {
  readonly keys = new Map<string, Key>()
  readonly distributors = new Map<string, Distributor>()
  readonly invites = new Map<string, Invite>()
  readonly usage = new Usage()

  constructor(
    private readonly chance: Dice,
    private readonly prefix: string,
    private readonly claim: Claim = () => {},
  ) {}

  addKey(key: Key): Key {
    this.keys.set(key.accessKey, key)
    this.claim(key.accessKey)
    return key
  }

  addInvite(token: string, presets: Presets): Invite {
    const invite = { token, presets, usedBy: null }
    this.invites.set(token, invite)
    this.claim(token)
    return invite
  }

  addDistributor(key: Key, presets: Presets): Distributor {
    const made = { ...presets, accessKey: key.accessKey, levels: new Map() }
    this.distributors.set(key.accessKey, made)
    return made
  }

  /** Turns an unused token into a distributor; null for any other token. */
  redeem(token: string, nowMs: number): Key | null {
    const invite = this.invites.get(token)
    if (!invite || invite.usedBy !== null) return null
    const { name } = invite.presets
    const key = this.addKey(keyOf({ ...this.mint(), kind: 'partner', name, createdMs: nowMs }))
    invite.usedBy = key.accessKey
    this.addDistributor(key, invite.presets)
    return key
  }

  /** A new pair of access and secret key. */
  mint(): Pick<Key, 'accessKey' | 'secretKey'> {
    return {
      accessKey: `${this.prefix}-${this.chance.hex(12)}`,
      secretKey: this.chance.hex(40),
    }
  }

  /** The sub keys of a distributor, in the order in which they were made. */
  subKeys({ accessKey }: Distributor): Key[] {
    return [...this.keys.values()].filter((key) => key.distributor === accessKey)
  }

  /** Whether a key grants a permission; an operation that names none has null. */
  grants(key: Key, permission: string | null, answers: Answers): boolean {
    if (key.kind !== 'sub') return permission === null || (key.grants?.has(permission) ?? true)
    const granted = grantsOf(this.levelOf(key))
    if (permission !== null) return granted.has(permission)
    return answers['sub-key-open-endpoints'] === 'granted' && granted.size > 0
  }

  /** The level of a sub key as it stands now; undefined when it is gone. */
  levelOf({ distributor, level }: Key) {
    if (distributor === null || level === null) return undefined
    return this.distributors.get(distributor)?.levels.get(level)
  }

  /** What a sub key may call a month. */
  quotaOf(key: Key): number {
    return key.limits.monthlyQuota ?? this.levelOf(key)?.request_limits.max_request ?? 0
  }

  /** Everything that limits a key; null is no limit. */
  limitsOf(key: Key): Limits {
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
  isExhausted(key: Key, nowMs: number): boolean {
    const distributor = this.distributorOf(key)
    return distributor !== undefined && this.usedBy(distributor, nowMs) >= distributor.maxTotalQuota
  }

  /** Requests of this month by all sub keys of a distributor. */
  usedBy({ accessKey }: Distributor, nowMs: number): number {
    return this.usage.inMonth(sumName(accessKey), nowMs)
  }

  /** One more request that was let in. */
  count({ accessKey, distributor }: Key, nowMs: number): void {
    this.usage.add(accessKey, nowMs)
    if (distributor !== null) this.usage.add(sumName(distributor), nowMs)
  }

  private distributorOf({ distributor }: Key): Distributor | undefined {
    return distributor === null ? undefined : this.distributors.get(distributor)
  }
}

/** Under which a distributor's sum over its sub keys is counted: no access key has a space. */
const sumName = (accessKey: string) => `sum of ${accessKey}`
