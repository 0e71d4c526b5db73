/** Operations of the signal group. */
import type { Operation } from '../operation.ts'
import { signalAddAlert } from './signal/add-alert.ts'
import { signalAlertConfig } from './signal/alert-config.ts'
import { signalAlertSettings } from './signal/alert-settings.ts'
import { signalAlerts } from './signal/alerts.ts'
import { signalChanges } from './signal/changes.ts'
import { signalDeleteAlert } from './signal/delete-alert.ts'
import { signalStrategies } from './signal/strategies.ts'

export const SIGNAL = {
  alerts: signalAlerts,
  alertConfig: signalAlertConfig,
  addAlert: signalAddAlert,
  deleteAlert: signalDeleteAlert,
  alertSettings: signalAlertSettings,
  strategies: signalStrategies,
  changes: signalChanges,
} satisfies Record<string, Operation>
