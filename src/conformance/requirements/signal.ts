import { byAnswers, byValues, type Requirement, requirementsOfSection } from './requirement.ts'

/** Signals and alerts. */
export const SIGNAL: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Feature and signal data', {
    'operation.signal.addAlert':
      'GET /signal/addSignalAlert sets an alert of indicator, period, trigger and ' + 'parameters.',
    'operation.signal.deleteAlert': 'GET /signal/delSignalAlert removes the alert with an id.',
    'signal.strategies.keys': byValues('signal_key is one of six strategies.', 'signal.strategies'),
    'signal.strategies.latest':
      'Without latest_time, the answer has the latest 100 strategy signals.',
    'signal.strategies.after':
      'With latest_time, the answer has the 100 strategy signals after it.',
    'signal.strategies.next': 'The latest_time of an answer can be used in the next call.',
    'signal.changes.types': byValues(
      'type of change signals is one of sixteen numbers.',
      'signal.changes',
    ),
    'signal.changes.currency': 'currency of change signals is cny or usd, and usd by default.',
  }),
  ...requirementsOfSection('Resources: Signals', {
    'record.alert': byAnswers(
      'A signal alert has tp_key, sub_type, side (buy or sell), ews_price and ews_time as ' +
        'text.',
      'signal.alerts',
    ),
    'record.alertSetting': byAnswers(
      'An alert that is set has id, tpKey, setPrice, subType and setTime as text.',
      'signal.alertSettings',
    ),
    'record.alertSetting.count': 'count of the alerts that are set is their number, as text.',
    'record.changeSignal': byAnswers('A change signal has nine texts.', 'signal.changes'),
    'record.strategySignal':
      'A row of strategy signals is a list of texts, as many as the mapping has names.',
    'record.strategySignal.mapping':
      'The mapping of strategy signals has its ten names in the documented order.',
  }),
  ...requirementsOfSection('States and transitions', {
    'state.alert.added': 'An added alert is listed, and result is the text "true" or "false".',
    'state.alert.deleted':
      'A deleted alert is no longer listed, and result is the text "true" or "false".',
  }),
]
