/** Every declaration in signal/. Written by `bun run generate` from the folder. */
// biome-ignore-all assist/source/organizeImports: in the order of the folder
import type { Operation } from '../operation.ts'
import { signalAddAlert } from './signal/add-alert.ts'
import { signalAlertConfig } from './signal/alert-config.ts'
import { signalAlertSettings } from './signal/alert-settings.ts'
import { signalAlerts } from './signal/alerts.ts'
import { signalChanges } from './signal/changes.ts'
import { signalDeleteAlert } from './signal/delete-alert.ts'
import { signalStrategies } from './signal/strategies.ts'

export const SIGNAL = {
  addAlert: signalAddAlert,
  alertConfig: signalAlertConfig,
  alertSettings: signalAlertSettings,
  alerts: signalAlerts,
  changes: signalChanges,
  deleteAlert: signalDeleteAlert,
  strategies: signalStrategies,
} satisfies Record<string, Operation>
