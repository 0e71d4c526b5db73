import { byAnswers, type Requirement, requirementsOfSection } from './requirement.ts'

/** The records of distributors, coins, derivatives, indexes and stocks. */
export const MARKET_DATA_RECORDS: readonly Requirement[] = [
  ...requirementsOfSection('Resources: Distributor', {
    'distributor.fields': byAnswers(
      'A distributor shows its key, name, level, ceiling and count of sub keys, and monthly ' +
        'ceiling.',
      'distributor.info',
    ),
    'distributor.secretOnce': 'The secret key is told at registration and by no other answer.',
    'distributor.presets':
      'Name, level, sub key limit and monthly quota of a new distributor come from its ' +
      'invite token.',
    'distributor.subKeyCount': 'sub_key_count never exceeds max_sub_keys.',
    'quota.fields': byAnswers('The quota summary has five whole numbers.', 'distributor.quota'),
    'quota.ceiling':
      'max_total_quota of the summary is the monthly ceiling that the distributor has.',
    'quota.available': 'available_quota is max_total_quota less allocated_quota.',
    'quota.used': 'used_quota counts the requests of this month by all sub keys, to the request.',
    'quota.remaining': 'remaining_quota is max_total_quota less used_quota, and never below zero.',
    'level.fields': byAnswers(
      'A level has three request limits, all whole numbers, and a list of permissions.',
      'distributor.level',
    ),
    'level.permissions': 'A permission of a level is a resource_type and a list of actions.',
    'level.resourceType': 'The only resource_type of a level is perpdex.',
    'level.actions': 'The actions of a level are names of the action map.',
  }),
  ...requirementsOfSection('Resources: Coins', {
    'record.coin': byAnswers(
      'A coin has coin_key, hash_key, show, cn_name and en_name, all text.',
      'coin.list',
    ),
    'record.coin.key': 'coin_key tells one coin from every other.',
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
  ...requirementsOfSection('Resources: Candle-like history records', {
    'record.history': byAnswers(
      'Funding and interest history has a whole time in ms and open, high, low and close as ' +
        'text.',
      'futures.fundingRateHistory',
      'futures.weightedFundingRateHistory',
      'futures.stablecoinInterestHistory',
      'futures.coinMarginInterestHistory',
    ),
    'record.history.candle':
      'In a record of history, high is the greatest and low the least of the four.',
    'record.history.rawRate': 'A funding value is a raw rate, not a percentage.',
    'record.liquidations': byAnswers(
      'Liquidation history has a time in ms and the long and short sums as text.',
      'futures.liquidationHistory',
    ),
    'record.estimated': byAnswers(
      'An estimated-liquidation record has a time, a data_map by leverage and the time of ' +
        'its calculation.',
      'futures.estimatedLiquidationHistory',
    ),
    'record.estimated.mapping':
      'The mapping of estimated liquidations is from, to, turnover, in this order.',
    'record.estimated.cells':
      'Each cell of estimated liquidations has three members, and from is below to.',
  }),
  ...requirementsOfSection('Resources: Depth snapshot', {
    'record.depth': byAnswers(
      'latest-depth has max, asks, bids, now, result, length and ds.',
      'futures.latestDepth',
    ),
    'record.depth.now': 'now of latest-depth is written YYYY-MM-DD HH:mm:ss.',
    'record.depth.result': 'result of latest-depth is success or error, and ds is 1.',
    'record.depth.length': 'length of latest-depth counts the levels of both sides.',
    'record.depth.order': 'In latest-depth asks rise by price and bids fall.',
    'record.fullDepth': byAnswers(
      'full-depth has a time in ms, an action, bids and asks of price and quantity.',
      'futures.fullDepth',
    ),
    'record.fullDepth.order': 'In full-depth bids fall by price and asks rise.',
    'record.groupedDepth': byAnswers(
      'Grouped depth is full-depth with groupSize, its levels start, end and total ' + 'quantity.',
      'futures.groupedDepth',
    ),
  }),
  ...requirementsOfSection('Resources: Futures interest item', {
    'record.interest': byAnswers(
      'An interest item has five texts and a trend of times (seconds, as text) and closes.',
      'futures.interest',
    ),
  }),
  ...requirementsOfSection('Resources: Index', {
    'record.indexPrice': byAnswers('An index price has nine texts.', 'index.price'),
    'record.indexInfo': byAnswers('An index info has eight texts.', 'index.info'),
    'record.indexItem': byAnswers(
      'An item of the index list has nine texts, and the list has a count as text.',
      'index.list',
    ),
    'record.indexItem.count': 'count of the index list is the number of its items, as text.',
  }),
  ...requirementsOfSection('Resources: Crypto stock', {
    'record.quote': byAnswers(
      'A quote has ticker and company_name as text, eight numbers and a whole timestamp.',
      'stock.quotes',
    ),
    'record.company': byAnswers('A company has six texts and four numbers.', 'stock.company'),
    'record.gainer': byAnswers(
      'A top gainer has prices and changes as numbers, whole volume, market_cap and ' +
        'update_time.',
      'stock.topGainer',
      'stock.topGainerByPost',
    ),
    'record.gainer.market': 'A top gainer is of the market US in USD, or HK in HKD.',
  }),
]
