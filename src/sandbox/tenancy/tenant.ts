import type { Answers } from '../../contract/questions.ts'
import type { LevelConfig, NewSubKey, SubKey } from '../../contract/records/distributor.ts'
import type { Refusal } from '../../contract/refusal.ts'
import type { DistributorTenant, SubKeyFields, Tenant } from '../../contract/tenant.ts'
import type { SandboxConfig } from '../sandbox-config.ts'
import type { SandboxRun } from '../sandbox-run.ts'
import type { ChangeLog } from '../sandbox-store.ts'
import { SINGLE_ID } from '../snapshot/state-parts.ts'
import type { ApiKey } from './api-key.ts'
import { changeKey, createKey, type KeyChange } from './key-management.ts'
import type { Tenancy } from './tenancy.ts'
import { type Distributor, levelCountFlaw, levelFlaw } from './tenancy.ts'

/** The parts of a sandbox that belong to callers. */
interface TenantState extends Pick<SandboxRun, 'alerts' | 'clock' | 'tenancy' | 'venueWeight'> {
  readonly config: Pick<SandboxConfig, 'metering'>
  readonly answers: Answers
  readonly changeLog: ChangeLog | null
}

/** The data of a caller in a sandbox; null for an unsigned one. */
export function tenantOf(sandbox: TenantState, key: ApiKey | null): Tenant {
  return {
    alerts: sandbox.alerts.forKey(key?.accessKey ?? ''),
    venue: { spend: (weight) => spend(sandbox, weight) || isFree(sandbox) },
    get distributor() {
      return new DistributorService(sandbox.tenancy, key, sandbox.clock.nowMs())
    },
  }
}

function spend({ changeLog, venueWeight, clock }: TenantState, weight: number): boolean {
  changeLog?.markChanged('venueWeight', SINGLE_ID)
  return venueWeight.spend(weight, clock.nowMs())
}

const isFree = ({ answers, config }: TenantState) =>
  answers['venue-rate-limit'] === 'off' || config.metering === 'off'

/** The readable and changeable data of a distributor, for the calling key. */
class DistributorService implements DistributorTenant {
  constructor(
    private readonly tenancy: Tenancy,
    private readonly key: ApiKey | null,
    private readonly nowMs: number,
  ) {}

  register(inviteToken: string) {
    const key = this.tenancy.redeem(inviteToken, this.nowMs)
    if (!key) return { refused: 'invite' } satisfies Refusal
    const { name, level } = this.tenancy.distributors.get(key.accessKey) as Distributor
    return { access_key: key.accessKey, secret_key: key.secretKey, name, level }
  }

  info() {
    const { accessKey, name, level, maxSubKeys, maxTotalQuota } = this.ownDistributor
    return {
      access_key: accessKey,
      name,
      level,
      max_sub_keys: maxSubKeys,
      sub_key_count: this.tenancy.subKeys(this.ownDistributor).length,
      max_total_quota: maxTotalQuota,
    }
  }

  quota() {
    const { maxTotalQuota } = this.ownDistributor
    const used = this.tenancy.usedBy(this.ownDistributor, this.nowMs)
    const allocated = this.tenancy.allocatedBy(this.ownDistributor)
    return {
      max_total_quota: maxTotalQuota,
      allocated_quota: allocated,
      available_quota: maxTotalQuota - allocated,
      used_quota: used,
      remaining_quota: Math.max(maxTotalQuota - used, 0),
    }
  }

  levels() {
    return [...this.ownDistributor.levels.keys()]
  }

  level(name: string) {
    return this.ownDistributor.levels.get(name) ?? ({ refused: 'level', name } satisfies Refusal)
  }

  putLevel(name: string, config: LevelConfig) {
    const distributor = this.ownDistributor
    const flaw =
      levelFlaw(config) ??
      levelCountFlaw(distributor, name, this.tenancy.records.flaw(config)) ??
      this.tenancy.levelQuotaFlaw(distributor, name, config)
    if (!flaw) this.tenancy.putLevel(distributor, name, config)
    return flaw
  }

  deleteLevel(name: string): null | Refusal<'level'> {
    return this.tenancy.deleteLevel(this.ownDistributor, name) ? null : { refused: 'level', name }
  }

  subKeys(page: number, pageSize: number): SubKey[] {
    const from = (page - 1) * pageSize
    return this.tenancy
      .subKeys(this.ownDistributor)
      .slice(from, from + pageSize)
      .map((key) => this.subKeyRecord(key))
  }

  createSubKey(fields: SubKeyFields): NewSubKey | Refusal<'subKey'> {
    const options = {
      kind: 'sub',
      distributor: this.ownDistributor.accessKey,
      ...keyChangeOf(fields),
    } as const
    const key = createKey(this.tenancy, options, this.nowMs)
    if (typeof key === 'string') return { refused: 'subKey', why: key }
    return { ...this.subKeyRecord(key), secret_key: key.secretKey }
  }

  subKey(accessKey: string): SubKey | Refusal<'subKeyAbsent'> {
    const key = this.ownKey(accessKey)
    return key ? this.subKeyRecord(key) : { refused: 'subKeyAbsent', name: accessKey }
  }

  changeSubKey(
    accessKey: string,
    fields: SubKeyFields,
  ): SubKey | Refusal<'subKey' | 'subKeyAbsent'> {
    const key = this.ownKey(accessKey)
    if (!key) return { refused: 'subKeyAbsent', name: accessKey }
    const changed = changeKey(this.tenancy, key, keyChangeOf(fields))
    return typeof changed === 'string'
      ? { refused: 'subKey', why: changed }
      : this.subKeyRecord(changed)
  }

  deleteSubKey(accessKey: string): null | Refusal<'subKeyAbsent'> {
    if (!this.ownKey(accessKey)) return { refused: 'subKeyAbsent', name: accessKey }
    this.tenancy.removeKey(accessKey)
    return null
  }

  private ownKey(accessKey: string): ApiKey | null {
    const key = this.tenancy.keys.get(accessKey)
    return key?.distributor === this.ownDistributor.accessKey ? key : null
  }

  private subKeyRecord(key: ApiKey): SubKey {
    const { accessKey, name, level, status, createdMs } = key
    return {
      access_key: accessKey,
      name,
      level: level ?? '',
      monthly_quota: this.tenancy.quotaOf(key),
      used_quota: this.tenancy.usage.inMonth(accessKey, this.nowMs),
      status,
      created_at: Math.floor(createdMs / 1000),
    }
  }

  /** The distributor of the caller: only distributors are let in here. */
  private get ownDistributor(): Distributor {
    const own = this.key && this.tenancy.distributors.get(this.key.accessKey)
    if (!own) throw new Error(`key "${this.key?.accessKey}" is no distributor`)
    return own
  }
}

function keyChangeOf({ monthly_quota: quota, ...rest }: SubKeyFields): KeyChange {
  const given = Object.entries(rest).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(given),
    ...(quota === undefined ? {} : { limits: { monthlyQuota: quota } }),
  }
}
