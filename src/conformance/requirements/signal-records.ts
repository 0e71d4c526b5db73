import { byAnswers, type Requirement, requirementsOfSection } from './requirement.ts'

/** The records of signals and of what is written. */
export const SIGNAL_RECORDS: readonly Requirement[] = [
  ...requirementsOfSection('Resources: Signals', {
    'record.alert': byAnswers(
      'A signal alert has tp_key, sub_type, side (buy or sell), ews_price and ews_time as ' +
        'text.',
      'signal.alerts',
    ),
    'record.alertSetting': byAnswers(
      'An alert that is set has id, tpKey, setPrice, subType and setTime as text.',
      'signal.alertSettings',
    ),
    'record.alertSetting.count': 'count of the alerts that are set is their number, as text.',
    'record.changeSignal': byAnswers('A change signal has nine texts.', 'signal.changes'),
    'record.strategySignal':
      'A row of strategy signals is a list of texts, as many as the mapping has names.',
    'record.strategySignal.mapping':
      'The mapping of strategy signals has its ten names in the documented order.',
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
  ...requirementsOfSection('Resources: Content', {
    'record.columnist': byAnswers(
      'A columnist has nick_name, avatar and avatar_black as text.',
      'content.newsflash',
      'content.newsList',
      'content.flashList',
    ),
    'record.newsflash': byAnswers(
      'A newsflash has a whole id and createtime, texts and a columnist.',
      'content.newsflash',
    ),
    'record.flash': byAnswers(
      'An industry flash is a newsflash with a whole flashType.',
      'content.flashList',
    ),
    'record.flash.types': 'flashType is one of the numbers that are listed.',
    'record.listing': byAnswers(
      'A listing flash has id, title, content, language, createtime and newsType 2.',
      'content.exchangeListingFlash',
    ),
    'record.news': byAnswers(
      'An item of the news list has id, texts, a whole language of 0, 10 or 11 and a ' +
        'columnist.',
      'content.newsList',
    ),
    'record.newsDetail': byAnswers(
      'The detail of a news item has its content too.',
      'content.newsDetail',
    ),
    'record.rss': byAnswers(
      'An RSS item has title, description and image as text and a whole pubDate.',
      'content.rssNewsList',
    ),
    'record.insight': byAnswers(
      'An AI insight has coin, price, degree, interpretation, trend and predition, so ' + 'spelt.',
      'content.aiCoins',
    ),
    'record.insight.trend': 'trend of an AI insight is rise or fall.',
  }),
]
