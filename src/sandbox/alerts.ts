/** The alerts that clients of a sandbox have set. */
import type { AlertSetting, AlertsTenant } from '../contract/tenant/alerts.ts'

export class Alerts implements AlertsTenant {
  private readonly settings = new Map<number, AlertSetting>()
  private given = 0

  list(): readonly AlertSetting[] {
    return [...this.settings.values()]
  }

  add(setting: Omit<AlertSetting, 'id'>): AlertSetting {
    const made = { id: ++this.given, ...setting }
    this.settings.set(made.id, made)
    return made
  }

  remove(id: number): boolean {
    return this.settings.delete(id)
  }
}
