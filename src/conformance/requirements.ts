/** Everything that the contract requires, sentence by sentence, each with an id. */

import { PERMISSIONS } from '../contract/actions.ts'
import { CHANNELS, OPERATIONS } from '../contract/catalogue.ts'
import { isSafeToCall } from './derived/example-requests.ts'
import { DISTRIBUTOR } from './requirements/distributor.ts'
import { ENVELOPES } from './requirements/envelopes.ts'
import { FUTURES } from './requirements/futures.ts'
import { INDEX } from './requirements/index.ts'
import { PERPDEX } from './requirements/perpdex.ts'
import {
  type Aspect,
  byAccess,
  byAnswers,
  byLimits,
  byRequired,
  byValues,
  type Requirement,
  requirementsOfSection,
} from './requirements/requirement.ts'
import { SOCKETS } from './requirements/sockets.ts'

/** How much. */
const LIMITS: readonly Requirement[] = [
  ...requirementsOfSection('Limits', {
    'limit.timestamp': 'The 30 seconds of a Timestamp count for every signed request.',
    'limit.idle': 'Pushes of the server do not keep a socket open.',
    'limit.idle.protocol': 'Pings of the WebSocket protocol do not keep a socket open.',
    'limit.idle.all': 'The idle limit of 60 seconds counts for every socket.',
    'limit.heartbeat': 'A heartbeat every 20 to 30 seconds keeps a socket open.',
    'limit.candleGap': 'Two pushes of a candle are at least 0.5 s apart.',
    'limit.pageSize.interest': 'pageSize of futures interest is at most 20.',
    'limit.pageSize.news': byLimits(
      'pageSize of news lists is at most 20.',
      'content.rssNewsList',
      'content.newsList',
    ),
    'limit.pageSize.listing': byLimits(
      'pageSize of listing flashes is 20 by default.',
      'content.exchangeListingFlash',
    ),
    'limit.coinList': 'coin_list takes at most 100 coin keys.',
    'limit.memberIds': byLimits('memberIds takes at most 5.', 'content.exchangeListingFlash'),
    'limit.indicatorSize': 'size of indicator k-lines goes from 1 to 500.',
    'limit.depthSize': 'size of latest-depth is cut at 500.',
    'limit.addresses.2000': 'Accounts and states take 2000 addresses; the rest is silently cut.',
    'limit.addresses.50': 'Statistics take 50 addresses; the rest is silently cut.',
    'limit.fills': byLimits(
      'Fills of an address or builder: 1000 by default, at most 2000.',
      'perpdex.fillsOfAddress',
      'perpdex.fillsOfBuilder',
    ),
    'limit.filledOrders': byLimits(
      'Filled orders: 1000 by default, and at most 1000.',
      'perpdex.filledOrdersLatest',
    ),
    'limit.orders': byLimits('Orders: 2000 by default.', 'perpdex.ordersLatest'),
    'limit.topTrades': byLimits('Top trades: 10 by default, at most 100.', 'perpdex.topTrades'),
    'limit.whaleEvents': byLimits(
      'Whale events: 10 by default, at most 100.',
      'perpdex.whaleEvents',
    ),
    'limit.positions': 'Position PnL and executions: 20 by default, at most 1000.',
    'limit.topGainer': byLimits('Top gainers: 50 by default.', 'stock.topGainer'),
    'limit.liquidationHistory': byLimits(
      'Liquidation history: 10 by default.',
      'futures.liquidationHistory',
    ),
    'limit.estimated': byLimits(
      'Estimated-liquidation history: 100 by default.',
      'futures.estimatedLiquidationHistory',
    ),
    'limit.subKeys': 'A distributor has at most max_sub_keys sub keys.',
    'limit.totalQuota': 'The quotas of all sub keys together stay within max_total_quota a month.',
    'limit.level.timeRange':
      'max_time_range of a level limits, in seconds, the time range that its sub keys may ' +
      'request, in any form of request.',
    'limit.level.quota': 'max_request of a level is the monthly quota of its sub keys.',
    'limit.level.rate':
      'request_rate_limit of a level limits the requests of its sub keys per minute.',
  }),
]

// What the declarations say of themselves: each operation, and what each permission opens.

/** Each operation answers what it declares; of those that change something cases tell. */
const OPERATION_REQUIREMENTS: readonly Requirement[] = OPERATIONS.filter(
  (operation) => isSafeToCall(operation) && !operation.source.startsWith('not in the contract'),
).flatMap(({ id, method, path, source, title }) =>
  requirementsOfSection(sectionOf(source), {
    [`operation.${id}`]: byAnswers(`${method} ${path} answers as declared: ${title}.`, id),
  }),
)

const SECTION = 'Endpoints: Action map'

/** What each permission opens, and what the action map says besides. */
const PERMISSION_REQUIREMENTS: readonly Requirement[] = [
  ...requirementsOfSection(
    SECTION,
    Object.fromEntries(
      PERMISSIONS.map((name) => {
        const opened = openedBy(name)
        const text = `${name} is required by ${opened.join(' and ')}, and by nothing else.`
        return [idOf(name), byAccess(text, ...opened)]
      }),
    ),
  ),
  ...requirementsOfSection(SECTION, {
    'action.infoIsOne':
      'With HL_INFO every type of POST /info is allowed; no type needs another permission.',
    'action.reserved': 'Reserved actions can be named in a level and grant nothing.',
  }),
]

/** Ids of the operations and channels that ask for a permission. */
function openedBy(name: string): string[] {
  return [...OPERATIONS, ...CHANNELS]
    .filter(({ access }) => access.kind === 'permission' && access.name === name)
    .map(({ id }) => id)
}

/** `action.HL_FILLS`; `permission.FULL_DEPTH` of a permission that no level can name. */
function idOf(name: string): string {
  return name.startsWith('HL_') ? `action.${name}` : `permission.${name.split(':').at(-1)}`
}

/** The section of a source: `Action map` of `Action map, Info proxy; the record from …`. */
function sectionOf(source: string): string {
  return `Endpoints: ${source.split(/;|, (?=[A-Z])/)[0]}`
}

/** News and flashes. */
const CONTENT: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Content', {
    'content.aiCoins.languages': 'language of AI insights is CN, EN or TC, and CN by default.',
    'content.aiCoins.bodySignature':
      'POST /content/ai-coins takes the four signature values inside the body.',
    'content.newsflash.languages': byValues(
      'language of newsflashes is cn, tc or en.',
      'content.newsflash',
    ),
    'content.listing.memberIds':
      'memberIds are repeated as memberIds[] or separated by commas, with the same answer.',
    'content.listing.default': 'memberIds are 477 and 1509 by default.',
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
    'record.flash.types': 'flashType is one of the listed numbers.',
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

/** Signals and alerts. */
const SIGNAL: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Feature and signal data', {
    'operation.signal.addAlert':
      'GET /signal/addSignalAlert sets an alert of indicator, period, trigger and ' + 'parameters.',
    'operation.signal.deleteAlert': 'GET /signal/delSignalAlert removes the alert with an id.',
    'signal.strategies.keys': byValues('signal_key is one of six strategies.', 'signal.strategies'),
    'signal.strategies.latest':
      'Without latest_time, the answer has the latest 100 strategy signals.',
    'signal.strategies.after':
      'With latest_time, the answer has the 100 strategy signals after it.',
    'signal.strategies.next': 'The latest_time of an answer can be used in the next call.',
    'signal.changes.types': byValues(
      'type of change signals is one of sixteen numbers.',
      'signal.changes',
    ),
    'signal.changes.currency': 'currency of change signals is cny or usd, and usd by default.',
  }),
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
  }),
  ...requirementsOfSection('States and transitions', {
    'state.alert.added': 'An added alert is listed, and result is the text "true" or "false".',
    'state.alert.deleted':
      'A deleted alert is no longer listed, and result is the text "true" or "false".',
  }),
]

/** Features of the whole market. */
const MIX: readonly Requirement[] = [
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

/** How the service says no. */
const ERRORS: readonly Requirement[] = [
  ...requirementsOfSection('Errors', {
    'error.invite':
      'An invalid or consumed invite token is HTTP 400 with success false and an error ' + 'text.',
    'error.resourceType': 'Another resource_type in a level is HTTP 400.',
    'error.missing':
      'A missing parameter is envelope B with code "400", a msg that names it, and null ' + 'data.',
    'error.signature':
      'An invalid signature is envelope B with code "401", msg "Invalid signature" and null ' +
      'data.',
    'error.permission':
      'A missing permission is HTTP 403, code "403" and msg "Permission denied: ' +
      '<PERMISSION>".',
    'error.position': 'A completed position that cannot be found is HTTP 400.',
    'error.positionTimes': 'A completed position without startTime and endTime is HTTP 400.',
    'error.noPosition': 'A current position that does not exist is success with null data.',
    'error.order': 'An order that does not exist is success with null data.',
    'error.depthEmpty': 'latest-depth without data is HTTP 200 with empty levels.',
    'error.silentCaps': "What is above size or a batch's maximum is cut without an error.",
    'error.idle': 'An idle socket is closed by the server, mostly seen as 1006.',
  }),
]

/** Crypto-related stocks. */
const STOCK: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Crypto stock', {
    'stock.quotes.default': 'Without tickers, the answer has the quotes of a default pair.',
    'stock.quotes.tickers': 'tickers are i:<symbol>:<market>, separated by commas.',
    'stock.topGainer.byPost': 'POST /crypto_stock/top-gainer returns the same as GET.',
    'stock.topGainer.order': 'Top gainers are ranked by their change of price.',
    'stock.topGainer.markets': 'us_stock and hk_stock select the markets of the top gainers.',
    'stock.topGainer.noIndexes': 'Indexes are not among the top gainers.',
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

/** Coins. */
const COIN: readonly Requirement[] = [
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

/** Who is let in. */
const AUTHENTICATION: readonly Requirement[] = [
  ...requirementsOfSection('Authentication', {
    'auth.parameters':
      'Every request but registration carries four signature parameters in its query.',
    'auth.string': 'The text that is signed names key, nonce and timestamp in exactly this order.',
    'auth.digest': 'The signature is HMAC-SHA1 as hexadecimal text, that text in Base64.',
    'auth.onlyThree': 'Business parameters and bodies are not part of the signature.',
    'auth.window': 'A Timestamp is valid for 30 seconds.',
    'auth.sockets': 'A socket carries the same four parameters in the query of its connection.',
    'auth.distributor': "Distributor endpoints take the distributor's primary key and no sub key.",
    'auth.register': 'POST /distributor/register needs no signature.',
    'auth.permission': 'A missing permission is HTTP 403.',
  }),
]

/** Indicators and their k-lines. */
const INDICATOR: readonly Requirement[] = [
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

/** Those that hold everywhere first, then group by group. */
export const REQUIREMENTS: readonly Requirement[] = [
  ...ENVELOPES,
  ...AUTHENTICATION,
  ...ERRORS,
  ...LIMITS,
  ...DISTRIBUTOR,
  ...PERMISSION_REQUIREMENTS,
  ...OPERATION_REQUIREMENTS,
  ...STOCK,
  ...FUTURES,
  ...INDEX,
  ...COIN,
  ...MIX,
  ...SIGNAL,
  ...CONTENT,
  ...INDICATOR,
  ...PERPDEX,
  ...SOCKETS,
]

/**
 * The requirements that a derived case checks which looks at an operation or a channel in one
 * respect: the ids for its `checks`.
 */
export function requirementsOf(id: string, respect: Aspect): string[] {
  return REQUIREMENTS.filter(
    ({ derived }) => derived?.respect === respect && derived.of.includes(id),
  ).map((requirement) => requirement.id)
}
