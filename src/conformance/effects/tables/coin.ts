import type { EffectTable } from '../effect.ts'

export const COIN_EFFECTS: EffectTable = {
  'coin.config': { coin_list: { caseId: 'coin.lists' } },
  'coin.ticker': { coin_list: { caseId: 'coin.lists' } },
}
