import type { Parameter } from '../../../contract/parameters.ts'
import type { AskedOperation } from '../../derived/asked-operation.ts'
import { type Effect, type EffectTable, nameOf } from '../effect.ts'
import { differs } from '../selection.ts'

/** On, stocks of that market only. */
const market =
  (key: string): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const others = { us_stock: undefined, hk_stock: undefined }
    const one = asked.with({ query: others, body: others }).withValue(parameter, true)
    const rows = await one.objects()
    if (rows.length === 0) asked.probe.skip('there are no stocks')
    const wrong = rows.find((row) => row.market !== key)
    asked.probe.assert(!wrong, `${nameOf(asked, parameter, true)} has stocks of ${key} only`, wrong)
  }

const gainer = {
  us_stock: { effect: market('US'), checks: ['stock.topGainer.markets'] },
  hk_stock: { effect: market('HK'), checks: ['stock.topGainer.markets'] },
  limit: { counted: true },
} as const

export const STOCK_EFFECTS: EffectTable = {
  'stock.company': { symbol: { effect: differs(['i:mstr:nasdaq', 'i:coin:nasdaq']) } },
  'stock.quotes': { tickers: { caseId: 'stock.quotes' } },
  'stock.topGainer': gainer,
  'stock.topGainerByPost': gainer,
}
