import type { Parameter } from '../../../contract/parameters.ts'
import type { AskedOperation } from '../../derived/asked-operation.ts'
import { rowsIn } from '../../derived/asked-operation.ts'
import { isJsonObject } from '../../parsed-json.ts'
import type { Effect, EffectTable } from '../effect.ts'
import { nameOf, recordsIn } from '../effect.ts'
import { apart, differs } from '../selection.ts'
import { languages } from '../wording.ts'

/** Every listed type is served, with signals of its own only. */
const ofType: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  let seen = 0
  for (const type of parameter.schema.enum as string[]) {
    const rows = recordsIn(await asked.withValue(parameter, type).data())
    const wrong = rows.find((row) => String(row.type) !== type)
    asked.probe.assert(!wrong, `${nameOf(asked, parameter, type)} has that type only`, wrong)
    seen += rows.length
  }
  if (seen === 0) asked.probe.skip('there are no change signals of any type now')
}

/** The signals of a page. */
const signals = (data: unknown) => (isJsonObject(data) ? rowsIn(data.list) : [])

const STRATEGIES = [
  ...['depth_win_one', 'depth_win_two', 'depth_buy_one'],
  ...['order_buy_one', 'td_buy_one', 'lsur_one'],
]

const text = ({ label, name }: Record<string, unknown>) => `${label} ${name}`

export const SIGNAL_EFFECTS: EffectTable = {
  'signal.addAlert': {
    subType: { caseId: 'signal.alerts' },
    symbol: { caseId: 'signal.alerts' },
    remark: { reason: 'no answer shows it' },
  },
  'signal.alertConfig': { lan: { listed: languages({ cn: 'cn', en: 'en' }, text) } },
  'signal.changes': {
    type: { listed: ofType },
    currency: { caseId: 'signal.changes.currency' },
  },
  'signal.deleteAlert': { id: { caseId: 'signal.alerts' } },
  'signal.strategies': {
    coin_type: { effect: differs(['bitcoin', 'ethereum'], signals) },
    signal_key: { listed: apart(STRATEGIES, signals) },
    latest_time: { caseId: 'signal.strategies.pages' },
  },
}
