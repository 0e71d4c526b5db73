import { byAnswers, byValues, type Requirement, requirementsOfSection } from './requirement.ts'

/** Features of the whole market. */
export const MIX: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Feature and signal data', {
    'mix.fundcoScale.coins': 'detail of fund-scale has only the requested coins.',
    'mix.liq.currency': 'currency of liquidation statistics is cny or usd, and cny by default.',
    'mix.liq.type': byValues(
      'type of liquidation statistics is 1 by coin or 2 by market.',
      'mix.liq',
    ),
  }),
  ...requirementsOfSection('Resources: Signals', {
    'record.navigation': byAnswers(
      'A navigation item has key, key_type 1 or 3, names, last, market and trades.',
      'mix.nav',
    ),
    'record.lsRatio': byAnswers(
      'The long/short ratio has last, last_day and last_week.',
      'mix.lsRatio',
    ),
    'record.trust': byAnswers(
      'Fund-trust has key, show, name, last, open, high, low and degree_24h.',
      'mix.fundcoTrust',
    ),
    'record.scale': byAnswers(
      'Fund-scale has total, day_change and percent for a coin.',
      'mix.fundcoScale',
    ),
    'record.scale.percent': 'percent of fund-scale is a fraction of one, not of a hundred.',
    'record.mixLiquidation': byAnswers(
      'Liquidation statistics have sums of 1 h and 24 h by side, the greatest, and its ' +
        'markets.',
      'mix.liq',
    ),
    'record.mixLiquidation.sums':
      'In liquidation statistics long and short add up to the total, of 1 h and of 24 h.',
    'record.stockMarket': byAnswers(
      'Stock-market has key, name, last and degree.',
      'mix.stockMarket',
    ),
  }),
]
