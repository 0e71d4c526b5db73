import { byRequired, type Requirement, requirementsOfSection } from './requirement.ts'

/** Indicators and their k-lines. */
export const INDICATOR: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Futures, index and coin data', {
    'indicator.tradingPairs.required': byRequired(
      'getTradingPair needs coinType and indicator_key.',
      'indicator.tradingPairs',
    ),
    'indicator.records.openTime': 'open_time of indicator k-lines is 0 or 8.',
  }),
  ...requirementsOfSection('Endpoints: Feature and signal data', {
    'indicator.keys': 'Each indicator key has the columns listed for it.',
  }),
]
