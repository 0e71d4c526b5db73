import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { SignalAlert } from '../../records/signal.ts'
import { Type } from '../../schema.ts'

export const signalAlerts = operation({
  id: 'signal.alerts',
  method: 'GET',
  path: '/signal/signalAlert',
  title: 'Alerts that have fired',
  about: 'The set alerts that have fired, newest first.',
  source: 'Feature and signal data; Signal alert',
  envelope: A,
  access: signedAccess,
  data: Type.Object({ list: Type.Array(SignalAlert) }, { additionalProperties: false }),
  assumed: [
    'alert-repeats',
    'Alerts belong to the key that set them. A deleted alert is no longer listed.',
    'An alert on an indicator fires when an interval closes, an alert on a price with the first ' +
      'trade at or beyond the price. It is active for 1,500 intervals.',
    '`ews_time` is in seconds.',
  ],
  examples: [{ name: 'all' }],
  answer: (_, facts, { alerts }) => ({ list: facts.signal.firedAlerts(alerts.list()) }),
})
