import { byAnswers, type Requirement, requirementsOfSection } from './requirement.ts'

/** Coins. */
export const COIN: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Futures, index and coin data', {
    'coin.ticker.list':
      'coin_list is coin keys separated by commas, and the answer contains these coins.',
  }),
  ...requirementsOfSection('Resources: Coins', {
    'record.coin': byAnswers(
      'A coin has coin_key, hash_key, show, cn_name and en_name, all text.',
      'coin.list',
    ),
    'record.coin.key': 'coin_key identifies one coin.',
    'record.coinTicker': byAnswers(
      'A coin ticker has price, degree, supply, turnover and inflow in both currencies, all ' +
        'text.',
      'coin.ticker',
    ),
    'record.coinProfile': byAnswers(
      'A coin profile has eight texts, where empty means no data, and a distribution.',
      'coin.config',
    ),
    'record.coinProfile.distribution': byAnswers(
      'A share of the distribution has the texts ico and foundation.',
      'coin.config',
    ),
  }),
]
