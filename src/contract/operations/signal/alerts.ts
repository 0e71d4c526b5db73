import { signedAccess } from '../../access.ts'
import { A } from '../../envelope.ts'
import { operation } from '../../operation.ts'
import { SignalAlert } from '../../records/signal-alert.ts'
import { Type } from '../../schema.ts'

export const signalAlerts = operation({
  id: 'signal.alerts',
  method: 'GET',
  path: '/signal/signalAlert',
  title: 'Alerts that have fired',
  about: 'Of the alerts that are set, those that have come true since, newest first.',
  source: 'Feature and signal data; Signal alert',
  envelope: A,
  access: signedAccess,
  data: Type.Object({ list: Type.Array(SignalAlert) }, { additionalProperties: false }),
  assumed: [
    'alert-repeats',
    'Alerts belong to the key that set them. One that is deleted is no longer listed.',
    'An alert on an indicator fires as an interval closes, one on a price with the first trade ' +
      'at it or beyond. It is watched for 1,500 intervals.',
    '`ews_time` is in seconds.',
  ],
  examples: [{ name: 'all' }],
  answer: (_, facts, { alerts }) => ({ list: facts.signal.firedAlerts(alerts.list()) }),
})
