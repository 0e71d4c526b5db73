import { byValues, type Requirement, requirementsOfSection } from './requirement.ts'

/** Features, signals and content. */
export const MIX_SIGNAL_CONTENT: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Feature and signal data', {
    'mix.fundcoScale.coins':
      'detail of fund-scale has the coins that were asked for and no others.',
    'mix.liq.currency': 'currency of liquidation statistics is cny or usd, and cny when left out.',
    'mix.liq.type': byValues(
      'type of liquidation statistics is 1 by coin or 2 by market.',
      'mix.liq',
    ),
    'operation.signal.addAlert':
      'GET /signal/addSignalAlert sets an alert of indicator, period, trigger and ' + 'parameters.',
    'operation.signal.deleteAlert': 'GET /signal/delSignalAlert removes the alert with an id.',
    'signal.strategies.keys': byValues('signal_key is one of six strategies.', 'signal.strategies'),
    'signal.strategies.latest': 'Without latest_time the latest 100 strategy signals are answered.',
    'signal.strategies.after': 'With latest_time the 100 strategy signals after it are answered.',
    'signal.strategies.next': 'The latest_time that is answered can be given to the next call.',
    'signal.changes.types': byValues(
      'type of change signals is one of sixteen numbers.',
      'signal.changes',
    ),
    'signal.changes.currency': 'currency of change signals is cny or usd, and usd when left out.',
    'indicator.keys': 'Each indicator key has the columns that are listed for it.',
  }),
  ...requirementsOfSection('Endpoints: Content', {
    'content.aiCoins.languages': 'language of AI insights is CN, EN or TC, and CN when left out.',
    'content.aiCoins.bodySignature':
      'POST /content/ai-coins takes the four signature values inside the body.',
    'content.newsflash.languages': byValues(
      'language of newsflashes is cn, tc or en.',
      'content.newsflash',
    ),
    'content.listing.memberIds':
      'memberIds come repeated as memberIds[] or separated by commas, with the same answer.',
    'content.listing.default': 'memberIds are 477 and 1509 when left out.',
  }),
]
