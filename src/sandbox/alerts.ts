/** The alerts that clients of a sandbox have set: each key has its own. */
import type { AlertSetting, AlertsTenant } from '../contract/tenant/alerts.ts'

/** More of one key are refused. */
export const MOST_ALERTS = 100

export class Alerts {
  private readonly settings = new Map<string, Map<number, AlertSetting>>()
  private given = 0

  /** Those of an access key; ids are never given twice in a sandbox. */
  of(accessKey: string): AlertsTenant {
    return {
      list: () => [...(this.settings.get(accessKey)?.values() ?? [])],
      add: (setting) => this.add(accessKey, setting),
      remove: (id) => this.settings.get(accessKey)?.delete(id) ?? false,
    }
  }

  private add(accessKey: string, setting: Omit<AlertSetting, 'id'>): AlertSetting | null {
    const ours = this.settings.get(accessKey) ?? new Map<number, AlertSetting>()
    if (ours.size >= MOST_ALERTS) return null
    const made = { id: ++this.given, ...setting }
    ours.set(made.id, made)
    this.settings.set(accessKey, ours)
    return made
  }
}
