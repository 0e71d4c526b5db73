import { signedAccess } from '../../access.ts'
import { ALERT_MINUTES, alertConfig } from '../../alert-catalogue.ts'
import { A, operation } from '../../operation.ts'
import { LanguageParameter } from '../../records/mix.ts'
import { AlertIndicator } from '../../records/signal.ts'
import { Type } from '../../schema.ts'

export const signalAlertConfig = operation({
  id: 'signal.alertConfig',
  method: 'GET',
  path: '/signal/signalAlertConf',
  title: 'Alerts that can be set',
  about: 'The indicators, the triggers of each, and the intervals.',
  source: 'Feature and signal data',
  envelope: A,
  access: signedAccess,
  params: { query: Type.Object({ lan: LanguageParameter }) },
  data: Type.Object(
    {
      alertConfig: Type.Array(AlertIndicator),
      period: Type.Array(Type.Integer(), { description: 'lengths of intervals, minutes' }),
    },
    { additionalProperties: false },
  ),
  assumed: [
    'The keys of indicators and triggers are our own choice; the contract names none.',
    '`signalType` is the side of the alert that fires.',
    'Chinese by default.',
  ],
  examples: [{ name: 'in English', query: { lan: 'en' } }],
  answer: ({ query }) => ({ alertConfig: alertConfig(query.lan), period: [...ALERT_MINUTES] }),
})
