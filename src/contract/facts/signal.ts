/** Queries about signals (the service's documentation, Signals). */
import type { Slices } from '../../clock/turns.ts'
import type { ChangeSignal, ChangeType, StrategyKey, StrategyPage } from '../records/signal.ts'
import type { AlertSetItem, SignalAlert } from '../records/signal-alert.ts'
import type { AlertSetting } from '../tenant/alerts.ts'

export interface SignalFacts {
  /** Present price of a pair, as text; null for a pair that is not known or has none yet. */
  price(symbol: string): string | null
  /** Alerts that have come true since they were set, newest first. */
  firedAlerts(settings: readonly AlertSetting[]): SignalAlert[]
  /** Alerts as they are listed. */
  alertSettings(settings: readonly AlertSetting[]): AlertSetItem[]
  /** The 100 after an instant, or the latest 100. */
  strategyPage(query: {
    coinType: string
    key: StrategyKey
    afterMs?: number | undefined
  }): Slices<StrategyPage>
  /** Newest first. */
  changes(query: { type: ChangeType; currency: 'cny' | 'usd' }): Slices<ChangeSignal[]>
}
