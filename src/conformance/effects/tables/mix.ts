import type { Parameter } from '../../../contract/parameters.ts'
import type { AskedOperation } from '../../derived/asked-operation.ts'
import { isJsonObject } from '../../parsed-json.ts'
import type { Effect, EffectTable } from '../effect.ts'
import { differs, part } from '../selection.ts'
import { languages } from '../wording.ts'

/** Liquidated within 24 hours. */
function dayOf(data: unknown): number {
  const detail = isJsonObject(data) && isJsonObject(data.detail) ? data.detail : {}
  return Number(detail.liq24h ?? 0)
}

const having =
  (query: Record<string, string>, effect: Effect): Effect =>
  (asked: AskedOperation, parameter: Parameter) =>
    effect(asked.with({ query }), parameter)

const BOTH = { coinKey: 'bitcoin', marketKey: 'binance' }

export const MIX_EFFECTS: EffectTable = {
  'mix.fundcoScale': { coins: { caseId: 'mix.scale.coins' } },
  'mix.liq': {
    currency: { caseId: 'mix.liquidations.currency' },
    type: { effect: having(BOTH, differs(['1', '2'], dayOf)) },
    coinKey: { effect: having({ type: '1' }, part(dayOf, ['bitcoin', 'ethereum'])) },
    marketKey: { effect: having({ type: '2' }, part(dayOf, ['binance', 'okex'])) },
  },
  'mix.nav': { lan: { listed: languages({ cn: 'cn', en: 'en' }, 'coin_name') } },
}
