import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { AlertResult } from '../../records/signal.ts'
import { deleteAlert, removalFlaw } from '../../responses/signal-alert.ts'
import { Type } from '../../schema.ts'

export const signalDeleteAlert = operation({
  id: 'signal.deleteAlert',
  method: 'GET',
  path: '/signal/delSignalAlert',
  title: 'Remove an alert',
  source: 'Feature and signal data; States and transitions',
  envelope: A,
  access: signedAccess,
  params: {
    query: Type.Object({
      id: Type.Integer({ description: 'id in the list of alerts that are set' }),
    }),
  },
  data: AlertResult,
  changes: true,
  refuses: ['alertAbsent'],
  assumed: ['alert-failure', 'It fails for an id that does not belong to the key.'],
  examples: [{ name: 'the first one', query: { id: '1' } }],
  flaw: ({ query }, _, { alerts }) => removalFlaw(query.id, alerts),
  answer: ({ query }, facts, { alerts }) => deleteAlert(query.id, facts, alerts),
})
