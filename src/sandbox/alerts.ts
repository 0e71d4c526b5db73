/** The alerts that clients of a sandbox have set: each key has its own. */
import type { AlertSetting, AlertsTenant } from '../contract/tenant/alerts.ts'
import { KeptRecords } from './memory.ts'

/** More of one key are refused. */
export const ALERTS_MAX = 100

/** An alert and the access key that set it. */
export interface OwnedAlert extends AlertSetting {
  accessKey: string
}

export class Alerts {
  private readonly settings = new Map<string, Map<number, AlertSetting>>()
  /** The newest id. */
  lastId = 0

  constructor(
    private readonly onChange: (id: number) => void = () => {},
    /** They are charged to it. */
    private readonly records = new KeptRecords(),
  ) {}

  /** Those of an access key; ids are never used twice in a sandbox. */
  forKey(accessKey: string): AlertsTenant {
    return {
      most: ALERTS_MAX,
      list: () => [...(this.settings.get(accessKey)?.values() ?? [])],
      add: (setting) => this.add(accessKey, setting),
      remove: (id) => this.remove(accessKey, id),
    }
  }

  /** All of them, each with the access key that set it, in the order of setting. */
  list(): OwnedAlert[] {
    const all = [...this.settings].flatMap(([accessKey, own]) =>
      [...own.values()].map((setting) => ({ accessKey, ...setting })),
    )
    return all.sort((one, other) => one.id - other.id)
  }

  get(id: number): OwnedAlert | undefined {
    for (const [accessKey, own] of this.settings) {
      const setting = own.get(id)
      if (setting) return { accessKey, ...setting }
    }
    return undefined
  }

  /** In place of all that were set. */
  restore(lastId: number, alerts: readonly OwnedAlert[]): void {
    this.lastId = lastId
    for (const { id } of this.list()) this.records.remove(recordId(id))
    this.settings.clear()
    for (const { accessKey, ...setting } of alerts) this.put(accessKey, setting)
  }

  /** The key is gone, and what it has set with it. */
  forgetKey(accessKey: string): void {
    for (const id of this.settings.get(accessKey)?.keys() ?? []) this.remove(accessKey, id)
    this.settings.delete(accessKey)
  }

  private remove(accessKey: string, id: number): boolean {
    const was = this.settings.get(accessKey)?.delete(id) ?? false
    if (!was) return false
    this.records.remove(recordId(id))
    this.onChange(id)
    return true
  }

  private add(accessKey: string, setting: Omit<AlertSetting, 'id'>): AlertSetting | null {
    if ((this.settings.get(accessKey)?.size ?? 0) >= ALERTS_MAX) return null
    if (this.records.flaw(setting) !== null) return null
    const alert = { id: ++this.lastId, ...setting }
    this.put(accessKey, alert)
    this.onChange(alert.id)
    return alert
  }

  private put(accessKey: string, setting: AlertSetting): void {
    const own = this.settings.get(accessKey) ?? new Map<number, AlertSetting>()
    own.set(setting.id, setting)
    this.records.put(recordId(setting.id), setting)
    this.settings.set(accessKey, own)
  }
}

/** Under which an alert is charged. */
const recordId = (id: number) => `alert ${id}`
