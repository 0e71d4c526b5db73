import { chosen, type Requirement, shown, stated } from './requirement.ts'

/** Features, signals and content. */
export const FEATURES: readonly Requirement[] = [
  ...stated('Endpoints: Feature and signal data', {
    'operation.mix.lsRatio': shown(
      'GET /mix/ls-ratio answers the long/short ratio in detail.',
      'mix.lsRatio',
    ),
    'operation.mix.nav': shown('GET /mix/nav answers navigation items.', 'mix.nav'),
    'operation.mix.fundcoTrust': shown(
      'GET /mix/fundco-trust answers fund-trust in detail.',
      'mix.fundcoTrust',
    ),
    'operation.mix.fundcoScale': shown(
      'GET /mix/fundco-scale answers detail by coin.',
      'mix.fundcoScale',
    ),
    'mix.fundcoScale.coins':
      'detail of fund-scale has the coins that were asked for and no others.',
    'operation.mix.liq': shown('GET /mix/liq answers liquidation statistics in detail.', 'mix.liq'),
    'mix.liq.currency': 'currency of liquidation statistics is cny or usd, and cny when left out.',
    'mix.liq.type': chosen(
      'type of liquidation statistics is 1 by coin or 2 by market.',
      'mix.liq',
    ),
    'operation.mix.stockMarket': shown('GET /mix/stock-market answers detail.', 'mix.stockMarket'),
    'operation.signal.alerts': shown(
      'GET /signal/signalAlert answers the alerts that rang.',
      'signal.alerts',
    ),
    'operation.signal.alertConfig': shown(
      'GET /signal/signalAlertConf answers what alerts can be of, and periods in minutes.',
      'signal.alertConfig',
    ),
    'operation.signal.addAlert':
      'GET /signal/addSignalAlert sets an alert of indicator, period, trigger and ' + 'parameters.',
    'operation.signal.deleteAlert': 'GET /signal/delSignalAlert removes the alert with an id.',
    'operation.signal.alertSettings': shown(
      'GET /signal/getSignalAlertSetList answers the alerts that are set, and their count.',
      'signal.alertSettings',
    ),
    'operation.signal.strategies': shown(
      'GET /signal/strategySignal answers mapping, list and supportList.',
      'signal.strategies',
    ),
    'signal.strategies.keys': chosen('signal_key is one of six strategies.', 'signal.strategies'),
    'signal.strategies.latest': 'Without latest_time the latest 100 strategy signals are answered.',
    'signal.strategies.after': 'With latest_time the 100 strategy signals after it are answered.',
    'signal.strategies.next': 'The latest_time that is answered can be given to the next call.',
    'operation.signal.changes': shown(
      'GET /signal/changeSignal answers change signals of a type.',
      'signal.changes',
    ),
    'signal.changes.types': chosen(
      'type of change signals is one of sixteen numbers.',
      'signal.changes',
    ),
    'signal.changes.currency': 'currency of change signals is cny or usd, and usd when left out.',
    'indicator.keys': 'Each indicator key has the columns that are listed for it.',
  }),
  ...stated('Endpoints: Content', {
    'operation.content.aiCoins': shown(
      'POST /content/ai-coins answers an insight for each coin key.',
      'content.aiCoins',
    ),
    'content.aiCoins.languages': 'language of AI insights is CN, EN or TC, and CN when left out.',
    'content.aiCoins.bodySignature':
      'POST /content/ai-coins takes the four signature values inside the body.',
    'operation.content.rssNewsList': shown(
      'GET /content/square/market/news-list answers RSS items by page.',
      'content.rssNewsList',
    ),
    'operation.content.newsflash': shown(
      'GET /content/newsflash answers newsflashes.',
      'content.newsflash',
    ),
    'content.newsflash.languages': chosen(
      'language of newsflashes is cn, tc or en.',
      'content.newsflash',
    ),
    'operation.content.flashList': shown(
      'GET /content/flashList answers industry flashes.',
      'content.flashList',
    ),
    'operation.content.exchangeListingFlash': shown(
      'GET /content/exchange-listing-flash answers listing flashes.',
      'content.exchangeListingFlash',
    ),
    'content.listing.memberIds':
      'memberIds come repeated as memberIds[] or separated by commas, with the same answer.',
    'content.listing.default': 'memberIds are 477 and 1509 when left out.',
    'operation.content.newsList': shown(
      'GET /content/news-list answers news items by page.',
      'content.newsList',
    ),
    'operation.content.newsDetail': shown(
      'GET /content/news-detail answers one item by its id.',
      'content.newsDetail',
    ),
  }),
]
