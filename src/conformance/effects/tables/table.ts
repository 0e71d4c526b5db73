/** What every parameter of every operation changes. */

import { DAY_MS } from '../../../clock/durations.ts'
import { type Parameter, parametersOf } from '../../../contract/parameters.ts'
import { type AskedOperation, rowsIn } from '../../derived/asked-operation.ts'
import { timeOf } from '../../derived/row-times.ts'
import { isJsonObject, type JsonObject } from '../../parsed-json.ts'
import { busyTraders } from '../../target-lookups.ts'
import { type Effect, type EffectEntry, type EffectTable, nameOf, recordsIn } from '../effect.ts'
import {
  someBuilders,
  someDistributorLevels,
  someNewsIds,
  someOids,
  someTwapAddresses,
  someTwapIds,
  twoCoins,
  twoPairs,
  twoTraders,
} from '../known-values.ts'
import { pages } from '../pages.ts'
import { apart, both, differs, names, part, selects } from '../selection.ts'
import { days, type Span, span, spans, steps } from '../spans.ts'
import { bounded, cursor } from '../time-bounds.ts'
import { languages } from '../wording.ts'
import { FUTURES_EFFECTS } from './futures.ts'
import { INDEX_EFFECTS } from './index.ts'
import { ACCOUNT_EFFECTS } from './perpdex/accounts.ts'
import { INFO_EFFECTS } from './perpdex/info.ts'
import { MARKET_EFFECTS } from './perpdex/market.ts'
import { POSITION_EFFECTS } from './perpdex/positions.ts'
import { SEARCH_EFFECTS } from './perpdex/search.ts'

/** A column of an order or a fill, in any of their forms (open). */
const inForm = (name: string) => (row: JsonObject) =>
  row[name] ?? (isJsonObject(row.order) ? row.order[name] : undefined)

const account: EffectEntry = { effect: differs(twoTraders) }
const ofCoin: EffectEntry = { effect: selects(inForm('coin')), checks: ['perpdex.coin'] }
const latest = { address: account, coin: ofCoin, limit: { counted: true } } as const
const byId: EffectEntry = { effect: names(inForm('oid'), someOids) }

/** What several accounts closed within a period lies within it together. */
const closedWithin: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  const address = parametersOf(asked.operation).find(({ name }) => name === 'address') as Parameter
  const [period, dayMs] = days(1)
  const times: number[] = []
  for (const trader of (await busyTraders(asked.probe)).slice(0, TRADERS)) {
    const one = asked.withValue(address, trader).withValue(parameter, period)
    times.push(...(await one.objects()).map(({ closeTime }) => Number(closeTime)))
  }
  const width = Math.max(...times) - Math.min(...times)
  const words = `${nameOf(asked, parameter, period)} has what was closed within a day`
  asked.probe.assert(times.length === 0 || width <= 1.5 * dayMs, words, width)
}

const TRADERS = 10

/** Where rows say of which TWAP they are (open), it is that one. */
const ofTwap: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  for (const id of await someTwapIds(asked.probe)) {
    const rows = recordsIn(await asked.withValue(parameter, id).data())
    const wrong = rows.find(({ twapId }) => twapId !== undefined && Number(twapId) !== id)
    asked.probe.assert(!wrong, `${nameOf(asked, parameter, id)} has fills of it only`, wrong)
  }
}

const count = (data: unknown) => (isJsonObject(data) ? Number(data.totalCount ?? 0) : 0)

const TRADE_EFFECTS: EffectTable = {
  'perpdex.activeOrderStats': {
    whale_threshold: { caseId: 'perpdex.orders.stats' },
    coin: { effect: part(count, twoCoins), checks: ['perpdex.coin'] },
  },
  'perpdex.bestTrades': {
    address: account,
    period: { effect: both(spans([days(1), days(7), days(30)], 'closeTime'), closedWithin) },
    limit: { counted: true },
  },
  'perpdex.completedTrades': latest,
  'perpdex.completedTradesByTime': {
    address: account,
    pageNum: { effect: pages(opened) },
    pageSize: { counted: true },
    Coin: { effect: selects('coin') },
    coin: { reason: 'whether it counts is open: completed-by-time-coin' },
    endTimeFrom: { effect: bounded('start', closed) },
    endTimeTo: { effect: bounded('end', closed) },
  },
  'perpdex.filledOrderById': { oid: byId },
  'perpdex.filledOrdersLatest': latest,
  'perpdex.fillsOfAddress': latest,
  'perpdex.fillsOfBuilder': {
    builder: { effect: differs(someBuilders) },
    coin: ofCoin,
    limit: { counted: true },
    minVal: { caseId: 'perpdex.trades.builder.least' },
  },
  'perpdex.fillsOfOrder': { oid: byId },
  'perpdex.fillsOfTwap': { twapid: { effect: both(differs(someTwapIds), ofTwap) } },
  'perpdex.orderById': { oid: byId },
  'perpdex.ordersLatest': latest,
  'perpdex.topOpenOrders': {
    min_val: { caseId: 'perpdex.orders.top.value' },
    coin: ofCoin,
    limit: { counted: true },
  },
  'perpdex.topTrades': {
    interval: { effect: spans([span('1m'), span('1h'), span('7d')]) },
    coin: { effect: names('coin', twoCoins), checks: ['perpdex.coin'] },
    limit: { counted: true },
  },
  'perpdex.twapStatesLatest': {
    address: { effect: names('user', someTwapAddresses) },
    coin: ofCoin,
    limit: { counted: true },
  },
  'perpdex.twapsTopImpact': { coin: ofCoin, limit: { counted: true } },
}

/** What tells trades apart, in either form (open). */
function opened({ coin, openTime, startTime }: JsonObject): unknown {
  return `${coin} ${openTime ?? startTime}`
}

/** When a trade was closed, in either form (open). */
function closed({ closeTime, endTime }: JsonObject): unknown {
  return closeTime ?? endTime
}

const WORDS = { cn: 'cn', en: 'en', tc: 'tc' }

/** Flashes are of the exchanges named, and of the first five of them. */
const members: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  const of = async (memberIds: string) => {
    const one = asked.with({ query: { pageSize: '100' } }).withValue(parameter, memberIds)
    return (await one.objects()).map(({ id }) => String(id))
  }
  const [one, other] = [await of('477'), await of('1509')]
  if (one.length === 0 && other.length === 0) asked.probe.skip('there are no flashes of either')
  const both = one.filter((id) => other.includes(id))
  asked.probe.assert(both.length === 0, 'no flash is of two exchanges', both)
  for (const before of [4, 5]) {
    const unknown = Array.from({ length: before }, (_, at) => 990_000_001 + at)
    const member = one.length > 0 ? '477' : '1509'
    const found = await of([...unknown, member].join(','))
    asked.probe.assert(
      found.length > 0 === before < 5,
      `${nameOf(asked, parameter, `${before} others and ${member}`)} reads five and no more`,
      { expected: before < 5 ? 'some' : [], found },
    )
  }
}

/** Sites repeat one another's titles. */
const item = ({ title, pubDate, image }: JsonObject) => `${title} ${pubDate} ${image}`

const CONTENT_EFFECTS: EffectTable = {
  'content.aiCoins': {
    coinKeys: { effect: names('coinKey', [['bitcoin'], ['ethereum']]) },
    language: {
      listed: languages({ cn: 'CN', en: 'EN', tc: 'TC' }, 'interpret'),
      checks: ['content.aiCoins.languages'],
    },
  },
  'content.exchangeListingFlash': {
    language: { listed: languages(WORDS, 'content') },
    memberIds: { effect: members, checks: ['limit.memberIds'] },
    pageSize: { counted: true },
  },
  'content.flashList': {
    language: { listed: languages(WORDS, 'content') },
    createtime: { effect: cursor() },
  },
  'content.newsDetail': { id: { effect: names('id', someNewsIds) } },
  'content.newsList': { page: { effect: pages('id') }, pageSize: { counted: true } },
  'content.newsflash': {
    language: { listed: languages(WORDS, 'content'), checks: ['content.newsflash.languages'] },
  },
  'content.rssNewsList': { page: { effect: pages(item) }, pageSize: { counted: true } },
}

/** Rows by columns or one by one (open), without their times. */
const values = (data: unknown) =>
  JSON.parse(JSON.stringify(data, (name, value) => (/time/i.test(name) ? 0 : value)))

const PERIODS: readonly Span[] = [60, 900, 3600].map((s) => [s, s * 1000])

/** Days that begin at 8 begin eight hours later than days that begin at 0. */
const dayOpens: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  const begins: number[] = []
  for (const hour of [0, 8]) {
    const one = asked.with({ query: { period: '86400', size: '3' } }).withValue(parameter, hour)
    const time = timeOf(rowsIn(await one.data())[0])
    if (time === null) asked.probe.skip('the target has no days')
    begins.push(time % DAY_MS)
  }
  const [zero = 0, eight = 0] = begins
  const apart = (eight - zero + DAY_MS) % DAY_MS
  asked.probe.assert(apart === DAY_MS / 3, 'days of open_time 0 and 8 begin 8 hours apart', begins)
}

const kline: Record<string, EffectEntry> = {
  symbol: { effect: differs(twoPairs, values) },
  period: { effect: steps(PERIODS, { isDense: false }) },
  size: { counted: true },
  open_time: { effect: dayOpens, checks: ['indicator.records.openTime'] },
  since: { effect: cursor() },
}

const KEYS = ['fundflow', 'mlr', 'basis', 'fr', 'aili', 'tvolume']

const INDICATOR_EFFECTS: EffectTable = {
  'indicator.klines': kline,
  'indicator.records': { ...kline, indicator_key: { caseId: 'indicator.forms' } },
  'indicator.tradingPairs': {
    coinType: { effect: differs(['bitcoin', 'ethereum']) },
    indicator_key: { effect: differs(KEYS) },
  },
}

/** Every listed type is served, with signals of its own only. */
const ofType: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  let seen = 0
  for (const type of parameter.schema.enum as string[]) {
    const rows = recordsIn(await asked.withValue(parameter, type).data())
    const wrong = rows.find((row) => String(row.type) !== type)
    asked.probe.assert(!wrong, `${nameOf(asked, parameter, type)} has that type only`, wrong)
    seen += rows.length
  }
  if (seen === 0) asked.probe.skip('there are no change signals of any type now')
}

/** The signals of a page. */
const signals = (data: unknown) => (isJsonObject(data) ? rowsIn(data.list) : [])

const STRATEGIES = [
  ...['depth_win_one', 'depth_win_two', 'depth_buy_one'],
  ...['order_buy_one', 'td_buy_one', 'lsur_one'],
]

const text = ({ label, name }: Record<string, unknown>) => `${label} ${name}`

const SIGNAL_EFFECTS: EffectTable = {
  'signal.addAlert': {
    subType: { caseId: 'signal.alerts' },
    symbol: { caseId: 'signal.alerts' },
    remark: { reason: 'no answer shows it' },
  },
  'signal.alertConfig': { lan: { listed: languages({ cn: 'cn', en: 'en' }, text) } },
  'signal.changes': {
    type: { listed: ofType },
    currency: { caseId: 'signal.changes.currency' },
  },
  'signal.deleteAlert': { id: { caseId: 'signal.alerts' } },
  'signal.strategies': {
    coin_type: { effect: differs(['bitcoin', 'ethereum'], signals) },
    signal_key: { listed: apart(STRATEGIES, signals) },
    latest_time: { caseId: 'signal.strategies.pages' },
  },
}

/** On, stocks of that market only. */
const market =
  (key: string): Effect =>
  async (asked: AskedOperation, parameter: Parameter) => {
    const others = { us_stock: undefined, hk_stock: undefined }
    const one = asked.with({ query: others, body: others }).withValue(parameter, true)
    const rows = await one.objects()
    if (rows.length === 0) asked.probe.skip('there are no stocks')
    const wrong = rows.find((row) => row.market !== key)
    asked.probe.assert(!wrong, `${nameOf(asked, parameter, true)} has stocks of ${key} only`, wrong)
  }

const gainer = {
  us_stock: { effect: market('US'), checks: ['stock.topGainer.markets'] },
  hk_stock: { effect: market('HK'), checks: ['stock.topGainer.markets'] },
  limit: { counted: true },
} as const

const STOCK_EFFECTS: EffectTable = {
  'stock.company': { symbol: { effect: differs(['i:mstr:nasdaq', 'i:coin:nasdaq']) } },
  'stock.quotes': { tickers: { caseId: 'stock.quotes' } },
  'stock.topGainer': gainer,
  'stock.topGainerByPost': gainer,
}

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

const MIX_EFFECTS: EffectTable = {
  'mix.fundcoScale': { coins: { caseId: 'mix.scale.coins' } },
  'mix.liq': {
    currency: { caseId: 'mix.liquidations.currency' },
    type: { effect: having(BOTH, differs(['1', '2'], dayOf)) },
    coinKey: { effect: having({ type: '1' }, part(dayOf, ['bitcoin', 'ethereum'])) },
    marketKey: { effect: having({ type: '2' }, part(dayOf, ['binance', 'okex'])) },
  },
  'mix.nav': { lan: { listed: languages({ cn: 'cn', en: 'en' }, 'coin_name') } },
}

const DISTRIBUTOR_EFFECTS: EffectTable = {
  'distributor.deleteLevel': { level: { caseId: 'distributor.levels.life' } },
  'distributor.level': { level: { effect: differs(someDistributorLevels) } },
  'distributor.putLevel': {
    level: { caseId: 'distributor.levels.life' },
    request_limits: { caseId: 'distributor.levels.life' },
    permissions: { caseId: 'distributor.levels.life' },
  },
  'distributor.register': { invite_token: { caseId: 'distributor.registration.once' } },
}

const COIN_EFFECTS: EffectTable = {
  'coin.config': { coin_list: { caseId: 'coin.lists' } },
  'coin.ticker': { coin_list: { caseId: 'coin.lists' } },
}

/** By operation and parameter; test/conformance/effects.test.ts holds that none is missing. */
export const EFFECTS: EffectTable = {
  ...COIN_EFFECTS,
  ...CONTENT_EFFECTS,
  ...DISTRIBUTOR_EFFECTS,
  ...FUTURES_EFFECTS,
  ...INDEX_EFFECTS,
  ...INDICATOR_EFFECTS,
  ...MIX_EFFECTS,
  ...SIGNAL_EFFECTS,
  ...STOCK_EFFECTS,
  ...ACCOUNT_EFFECTS,
  ...INFO_EFFECTS,
  ...MARKET_EFFECTS,
  ...POSITION_EFFECTS,
  ...SEARCH_EFFECTS,
  ...TRADE_EFFECTS,
}
