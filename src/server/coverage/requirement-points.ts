/**
 * The points of coverage by which a client meets each requirement of the contract: any of them.
 * Requirements with derived cases name their operations and channels, so their points follow.
 */

import { REQUIREMENTS } from '../../conformance/requirements.ts'
import { CHANNELS } from '../../contract/catalogue.ts'
import { pointsMatching } from '../../contract/coverage-points.ts'

/**
 * All requirements with patterns of their points, for `requirements.json`, from which servers read
 * them. Throws where a requirement has no point, or a written pattern matches none.
 */
export function requirementsWithPoints() {
  const unknown = Object.keys(WRITTEN).find((id) => REQUIREMENTS.every((one) => one.id !== id))
  if (unknown !== undefined) throw new Error(`there is no requirement ${unknown}`)
  return REQUIREMENTS.map(({ id, section, text, derived }) => {
    const written = WRITTEN[id]
    const patterns = written === undefined ? derivedPatterns(derived) : written.split(' ')
    const points = patterns.filter((pattern) => pointsMatching(pattern).length > 0)
    const isMatched = written === undefined || points.length === patterns.length
    if (points.length === 0 || !isMatched)
      throw new Error(`requirement ${id}: a pattern of "${patterns.join(' ')}" matches no point`)
    return { id, section, text, points }
  })
}

interface Derived {
  respect: 'answer' | 'access' | 'limits' | 'values' | 'required'
  of: readonly string[]
}

function derivedPatterns(derived: Derived | undefined): string[] {
  if (derived === undefined) return []
  const { respect, of } = derived
  return of.flatMap((id) => {
    const channel = CHANNELS.find((one) => one.id === id)
    switch (respect) {
      case 'answer':
        return channel ? [`channel:${id}:push`, `channel:${id}:snapshot`] : [`operation:${id}`]
      case 'access':
        return [`refusal:${channel ? channel.dialect.path : id}:permission`]
      case 'limits':
        return [`cap:${id}:*`, `parameter:${id}:limit:absent`, `parameter:${id}:pageSize:absent`]
      case 'required':
        return [`refusal:${id}:missing:*`]
      default:
        return []
    }
  })
}

/** All answers of operations. */
const ANSWERS = 'operation:*'
const HISTORIES =
  'operation:futures.fundingRateHistory operation:futures.weightedFundingRateHistory ' +
  'operation:futures.stablecoinInterestHistory operation:futures.coinMarginInterestHistory'
const ACCOUNTS =
  'operation:perpdex.tradersAccounts operation:perpdex.tradersStatistics ' +
  'operation:perpdex.addrStat operation:perpdex.batchAddrStat'
const STATES =
  'operation:perpdex.tradersClearinghouseState operation:perpdex.info:clearinghouseState ' +
  'channel:clearinghouseState:push channel:clearinghouseState:snapshot ' +
  'channel:addressClearinghouseState:push'
const COMPLETED = 'operation:perpdex.completedPosition*'
const POSITIONS = `${COMPLETED} operation:perpdex.currentPosition*`
const ORDERS =
  'operation:perpdex.ordersLatest operation:perpdex.orderById ' +
  'operation:perpdex.filledOrdersLatest operation:perpdex.filledOrderById'
const ACKNOWLEDGED = 'transition:*:subscribed transition:*:alreadySubscribed'

/** By hand, where a sentence is about something else than an operation's answer. */
const WRITTEN: Readonly<Record<string, string>> = {
  'version.prefix': ANSWERS,
  'version.newActions': 'transition:level:replaced',
  'prefix.path': ANSWERS,
  'prefix.distributor': 'operation:distributor.*',
  'request.query':
    'parameter:perpdex.*:limit parameter:futures.*:symbol parameter:coin.*:coin_list',
  'request.body':
    'parameter:*:addresses parameter:perpdex.info:type ' +
    'parameter:distributor.putLevel:permissions',
  'envelope.A.success':
    'operation:coin.* operation:index.* operation:mix.* operation:signal.* ' +
    'operation:content.*',
  'envelope.B.zero': 'operation:perpdex.* operation:stock.*',
  'envelope.B.latestDepth': 'operation:futures.latestDepth',
  'envelope.B.message': 'operation:futures.fundingRateHistory',
  'envelope.C': 'operation:distributor.* refusal:distributor.*',
  'numbers.text': ANSWERS,
  'numbers.times': ANSWERS,
  'auth.parameters': 'refusal:any:signature operation:perpdex.* operation:coin.*',
  'auth.string': ANSWERS,
  'auth.digest': ANSWERS,
  'auth.onlyThree': 'parameter:perpdex.* parameter:futures.* parameter:coin.*',
  'auth.window': 'refusal:any:signature',
  'auth.sockets': 'transition:*:opened',
  'auth.distributor':
    'operation:distributor.info operation:distributor.quota ' + 'refusal:distributor.*:permission',
  'auth.register': 'operation:distributor.register',
  'auth.permission': 'refusal:*:permission',
  'error.invite': 'refusal:distributor.register:invite',
  'error.resourceType': 'refusal:distributor.putLevel:resourceType',
  'error.missing': 'refusal:*:missing:*',
  'error.signature': 'refusal:any:signature',
  'error.permission': 'refusal:*:permission',
  'error.position': 'refusal:*:position',
  'error.positionTimes': 'refusal:perpdex.completedPosition*:missing:startTime',
  'error.noPosition': 'operation:perpdex.currentPosition*:null',
  'error.order': 'operation:perpdex.orderById:null operation:perpdex.filledOrderById:null',
  'error.depthEmpty': 'operation:futures.latestDepth:empty',
  'error.silentCaps': 'cap:*',
  'error.idle': 'transition:*:idle',
  'limit.timestamp': 'refusal:any:signature',
  'limit.idle': 'transition:*:idle',
  'limit.idle.protocol': 'transition:*:idle',
  'limit.idle.all': 'transition:*:idle',
  'limit.heartbeat': 'transition:*:ping',
  'limit.candleGap': 'channel:candle:push',
  'limit.pageSize.interest': 'cap:futures.interest:pageSize',
  'limit.coinList': 'cap:coin.*',
  'limit.indicatorSize': 'cap:indicator.*:size',
  'limit.depthSize': 'cap:futures.latestDepth:size',
  'limit.addresses.2000':
    'cap:perpdex.tradersAccounts:addresses cap:perpdex.tradersClearinghouseState:addresses ' +
    'cap:perpdex.tradersSpotClearinghouseState:addresses',
  'limit.addresses.50': 'cap:perpdex.tradersStatistics:addresses cap:perpdex.batch*:addresses',
  'limit.positions': 'cap:perpdex.completedPosition*:limit cap:perpdex.currentPosition*:limit',
  'limit.subKeys': 'operation:distributor.info',
  'limit.totalQuota': 'operation:distributor.quota refusal:any:quota',
  'limit.level.timeRange': 'refusal:any:timeRange',
  'limit.level.quota': 'refusal:any:quota',
  'limit.level.rate': 'refusal:any:rate',
  'distributor.secretOnce': 'operation:distributor.register',
  'distributor.presets': 'operation:distributor.register',
  'distributor.subKeyCount': 'operation:distributor.info',
  'quota.ceiling': 'operation:distributor.quota',
  'quota.available': 'operation:distributor.quota',
  'quota.used': 'operation:distributor.quota',
  'quota.remaining': 'operation:distributor.quota',
  'level.permissions': 'operation:distributor.level operation:distributor.putLevel',
  'level.resourceType': 'refusal:distributor.putLevel:resourceType',
  'level.actions': 'refusal:distributor.putLevel:action operation:distributor.putLevel',
  'operation.distributor.register': 'operation:distributor.register',
  'operation.distributor.register.token': 'refusal:distributor.register:missing:invite_token',
  'operation.distributor.putLevel': 'operation:distributor.putLevel',
  'operation.distributor.deleteLevel': 'operation:distributor.deleteLevel',
  'distributor.rule.resourceType': 'refusal:distributor.putLevel:resourceType',
  'distributor.rule.nothingGranted': 'refusal:*:permission',
  'distributor.rule.levelsFirst': 'operation:distributor.levels',
  'distributor.rule.oneAction': 'refusal:*:permission',
  'distributor.rule.noNewActions': 'transition:level:made transition:level:replaced',
  'state.invite.unused': 'transition:invite:consumed',
  'state.invite.consumed': 'refusal:distributor.register:invite',
  'state.level.made': 'transition:level:made',
  'state.level.replaced': 'transition:level:replaced',
  'state.level.permissions': 'transition:level:replaced',
  'state.level.deleted': 'transition:level:deleted',
  'action.infoIsOne': 'operation:perpdex.info:*',
  'action.reserved': 'operation:distributor.putLevel',
  'stock.quotes.default': 'parameter:stock.quotes:tickers:absent',
  'stock.quotes.tickers': 'parameter:stock.quotes:tickers',
  'stock.topGainer.byPost': 'operation:stock.topGainerByPost',
  'stock.topGainer.order': 'operation:stock.topGainer*',
  'stock.topGainer.markets':
    'parameter:stock.topGainer*:us_stock parameter:stock.topGainer*:hk_stock',
  'stock.topGainer.noIndexes': 'operation:stock.topGainer*',
  'record.gainer.market': 'operation:stock.topGainer*',
  'futures.history.intervals':
    'parameter:futures.fundingRateHistory:interval ' +
    'parameter:futures.weightedFundingRateHistory:interval ' +
    'parameter:futures.stablecoinInterestHistory:interval',
  'futures.coinMargin.intervals': 'parameter:futures.coinMarginInterestHistory:interval',
  'futures.liquidation.intervals': 'parameter:futures.liquidationHistory:interval',
  'futures.estimated.cycle': 'parameter:futures.estimatedLiquidationHistory:cycle',
  'futures.interest.currency': 'parameter:futures.interest:currency',
  'futures.estimated.leverage':
    'parameter:futures.estimatedLiquidationHistory:leverage ' +
    'parameter:futures.estimatedLiquidationHistory:leverage:absent',
  'futures.history.window': 'parameter:futures.*:start_time parameter:futures.*:end_time',
  'depth.groupSize':
    'refusal:futures.groupedDepth:invalid refusal:futures.groupedDepth:missing:groupSize',
  'depth.empty': 'operation:futures.latestDepth:empty',
  'depth.grouped.intervals': 'operation:futures.groupedDepth',
  'depth.grouped.sums': 'operation:futures.groupedDepth',
  'depth.grouped.order': 'operation:futures.groupedDepth',
  'depth.latest.newest': 'operation:futures.latestDepth',
  'record.history.candle': HISTORIES,
  'record.history.rawRate':
    'operation:futures.fundingRateHistory operation:futures.weightedFundingRateHistory',
  'record.estimated.mapping': 'operation:futures.estimatedLiquidationHistory',
  'record.estimated.cells': 'operation:futures.estimatedLiquidationHistory',
  'record.depth.now': 'operation:futures.latestDepth',
  'record.depth.result': 'operation:futures.latestDepth',
  'record.depth.length': 'operation:futures.latestDepth',
  'record.depth.order': 'operation:futures.latestDepth',
  'record.fullDepth.order': 'operation:futures.fullDepth',
  'index.info.lan': 'parameter:index.info:lan',
  'index.price.key': 'operation:index.price',
  'record.indexItem.count': 'operation:index.list',
  'coin.ticker.list': 'operation:coin.ticker',
  'record.coin.key': 'operation:coin.list',
  'mix.fundcoScale.coins': 'parameter:mix.fundcoScale:coins',
  'mix.liq.currency': 'parameter:mix.liq:currency parameter:mix.liq:currency:absent',
  'mix.liq.type': 'parameter:mix.liq:type parameter:mix.liq:type:absent',
  'record.scale.percent': 'operation:mix.fundcoScale',
  'record.mixLiquidation.sums': 'operation:mix.liq',
  'operation.signal.addAlert': 'operation:signal.addAlert',
  'operation.signal.deleteAlert': 'operation:signal.deleteAlert',
  'signal.strategies.latest': 'parameter:signal.strategies:latest_time:absent',
  'signal.strategies.after': 'parameter:signal.strategies:latest_time',
  'signal.strategies.next': 'parameter:signal.strategies:latest_time',
  'signal.strategies.keys': 'parameter:signal.strategies:signal_key',
  'signal.changes.currency':
    'parameter:signal.changes:currency parameter:signal.changes:currency:absent',
  'signal.changes.types': 'parameter:signal.changes:type',
  'record.alertSetting.count': 'operation:signal.alertSettings',
  'record.strategySignal': 'operation:signal.strategies',
  'record.strategySignal.mapping': 'operation:signal.strategies',
  'state.alert.added': 'transition:alert:added',
  'state.alert.deleted': 'transition:alert:deleted',
  'content.newsflash.languages':
    'parameter:content.newsflash:language parameter:content.newsflash:language:absent',
  'content.aiCoins.languages':
    'parameter:content.aiCoins:language parameter:content.aiCoins:language:absent',
  'content.aiCoins.bodySignature': 'operation:content.aiCoins',
  'content.listing.memberIds': 'parameter:content.exchangeListingFlash:memberIds',
  'content.listing.default': 'parameter:content.exchangeListingFlash:memberIds:absent',
  'record.flash.types': 'operation:content.flashList',
  'record.insight.trend': 'operation:content.aiCoins',
  'indicator.records.openTime': 'parameter:indicator.*:open_time',
  'indicator.keys': 'operation:indicator.records',
  'perpdex.fillsOfAddress.order': 'operation:perpdex.fillsOfAddress',
  'perpdex.coin': 'parameter:perpdex.fillsOf*:coin parameter:perpdex.ordersLatest:coin',
  'perpdex.fillsOfBuilder.minVal': 'parameter:perpdex.fillsOfBuilder:minVal',
  'perpdex.topTrades.order': 'operation:perpdex.topTrades',
  'perpdex.filledOrders.order': 'operation:perpdex.filledOrdersLatest',
  'perpdex.orders.order': 'operation:perpdex.ordersLatest',
  'perpdex.topOpenOrders.minVal': 'parameter:perpdex.topOpenOrders:min_val',
  'perpdex.activeStats.threshold': 'parameter:perpdex.activeOrderStats:whale_threshold',
  'perpdex.portfolio.windows': 'parameter:perpdex.portfolio:window',
  'perpdex.position.intervals':
    'parameter:perpdex.completedPosition*:interval parameter:perpdex.currentPosition*:interval',
  'perpdex.position.times': 'parameter:perpdex.completedPosition*:startTime',
  'perpdex.statistics.period':
    'parameter:perpdex.tradersStatistics:period parameter:perpdex.tradersStatistics:period:absent',
  'perpdex.state.dex':
    'parameter:perpdex.tradersClearinghouseState:dex ' +
    'parameter:perpdex.tradersClearinghouseState:dex:absent',
  'record.topTrade.value': 'operation:perpdex.topTrades',
  'record.topOpenOrder.value': 'operation:perpdex.topOpenOrders',
  'record.topOpenOrder.distance': 'operation:perpdex.topOpenOrders',
  'record.activeStats.counts': 'operation:perpdex.activeOrderStats',
  'record.account.spot': ACCOUNTS,
  'record.account.total': ACCOUNTS,
  'record.account.perp': ACCOUNTS,
  'record.account.builderPerp': ACCOUNTS,
  'record.statistics.sums': 'operation:perpdex.tradersStatistics',
  'record.state.sums': STATES,
  'record.statistics.pnlList':
    'parameter:perpdex.tradersStatistics:pnlList operation:perpdex.tradersStatistics',
  'record.state.address':
    'operation:perpdex.tradersClearinghouseState channel:addressClearinghouseState:push',
  'record.positionEnd': POSITIONS,
  'state.order.status': ORDERS,
  'state.subscription.subscribed': 'transition:*:subscribed',
  'state.subscription.already': 'transition:*:alreadySubscribed',
  'state.subscription.unsubscribed': 'transition:*:unsubscribed',
  'state.subscription.notSubscribed': 'transition:*:notSubscribed',
  'state.addresses.added': 'transition:*:added',
  'state.addresses.removed': 'transition:*:removed',
  'state.connection.idle': 'transition:*:idle',
  'state.connection.close': 'transition:*:close',
  'event.ack': ACKNOWLEDGED,
  'event.ack.echo': ACKNOWLEDGED,
  'event.ack.status': `${ACKNOWLEDGED} transition:*:unsubscribed transition:*:notSubscribed`,
  'event.ack.activeCount': ACKNOWLEDGED,
  'event.ack.coinOnly':
    'transition:userFills:subscribed transition:openOrders:subscribed ' +
    'transition:clearinghouseState:subscribed',
  'event.states': 'channel:addressClearinghouseState:push',
  'event.ping': 'transition:/hl/ws:ping',
  'event.ping.user': 'transition:/hl/ws/*:ping',
  'event.snapshot': 'channel:*:snapshot',
  'event.republish': 'channel:*:repeated channel:*:stale',
  'event.stale': 'channel:l2Book:stale channel:bbo:stale',
  'event.bookTime': 'channel:l2Book:push',
  'event.heartbeatOnly': 'transition:/hl/ws:ping',
  'socket.ws': 'transition:/hl/ws:opened',
  'socket.fills': 'transition:addressFills:added',
  'socket.filledOrders': 'transition:addressFilledOrders:added',
  'socket.states': 'transition:addressClearinghouseState:added',
  'socket.states.dex': 'transition:addressClearinghouseState:added',
  'channel.allMids': 'refusal:/hl/ws:subscription',
  'channel.orderUpdates': 'refusal:/hl/ws:subscription',
  'channel.candle.intervals': 'parameter:candle:interval=*',
  'channel.candle.extras': 'channel:candle:push channel:candle:snapshot',
  'channel.l2Book.nSigFigs': 'parameter:l2Book:nSigFigs',
  'channel.many': ACKNOWLEDGED,
  'channel.key.l2Book': 'channel:l2Book',
  'channel.key.candle': 'channel:candle',
  'channel.key.coin': 'channel:bbo channel:trades',
  'channel.duplicate': 'transition:*:alreadySubscribed transition:*:repeated',
  'channel.addresses.reply': 'transition:*:added transition:*:removed',
  'channel.addresses.stat': 'transition:*:stat',
  'channel.addresses.close': 'transition:*:close',
  'channel.addresses.additive': 'transition:*:added transition:*:repeated',
}
