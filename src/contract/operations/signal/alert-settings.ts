import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { AlertSetItem } from '../../records/signal.ts'
import { alertSettings } from '../../responses/signal-alert.ts'
import { Digits, Type } from '../../schema.ts'

export const signalAlertSettings = operation({
  id: 'signal.alertSettings',
  method: 'GET',
  path: '/signal/getSignalAlertSetList',
  title: 'Alerts that are set',
  source: 'Feature and signal data; Alert set item',
  envelope: A,
  access: signedAccess,
  data: Type.Object(
    {
      list: Type.Array(AlertSetItem),
      count: Digits('number of alerts, as text'),
    },
    { additionalProperties: false },
  ),
  assumed: [
    'In the order in which they were set, including fired ones.',
    '`setPrice` is the price of the pair when the alert was set; `setTime` is in seconds.',
  ],
  examples: [{ name: 'all' }],
  answer: (_, facts, { alerts }) => alertSettings(facts, alerts),
})
