/** Requirements of the contract on sockets and channels. */

import { byAnswers, type Requirement, requirementsOfSection } from '../../requirement.ts'

/** Requirements of the contract on sockets and channels. */
export const SOCKET_REQUIREMENTS: readonly Requirement[] = [
  ...requirementsOfSection('States and transitions', {
    'state.subscription.subscribed':
      'Subscribing to a new key of a coin channel is answered with status subscribed.',
    'state.subscription.already':
      'Subscribing to a key again is answered alreadySubscribed and changes nothing.',
    'state.subscription.unsubscribed':
      'Unsubscribing a key is answered unsubscribed and the connection stays open.',
    'state.subscription.notSubscribed':
      'Unsubscribing a key that is not subscribed is answered notSubscribed.',
    'state.addresses.added':
      'Subscribing addresses adds them to the existing ones; repeats have no effect.',
    'state.addresses.removed':
      'Unsubscribing addresses removes these, and the connection stays open when none ' + 'remain.',
    'state.connection.idle': 'A connection without a message from the client for 60 s is closed.',
    'state.connection.close': 'A message of type close closes a user channel without a reply.',
  }),
  ...requirementsOfSection('Events', {
    'event.ack':
      'A subscription is answered on the channel subscriptionResponse with method, ' +
      'subscription.',
    'event.ack.echo': 'method and subscription of the answer echo the request.',
    'event.ack.status': 'status is subscribed, alreadySubscribed, unsubscribed or notSubscribed.',
    'event.ack.activeCount':
      'activeCount is the number of active subscriptions of the connection on that channel.',
    'event.ack.coinOnly':
      'status and activeCount are for coin channels only; address-keyed channels leave out ' +
      'both.',
    'event.fills': byAnswers(
      'A push of /ws/fills is {type:"data", data} with a native fill.',
      'addressFills',
    ),
    'event.filledOrders': byAnswers(
      'A push of /ws/filled-orders is {type:"data", data} with a filled order.',
      'addressFilledOrders',
    ),
    'event.states':
      'A push of /ws/clearinghouse-state names its channel and has address and state.',
    'event.ping': '{"method":"ping"} on /ws is answered {"channel":"pong"}.',
    'event.ping.user': '{"type":"ping"} on a user channel is answered {"type":"pong"}.',
    'event.snapshot': 'After a subscription on /ws the first push is the current snapshot.',
    'event.republish': 'When the live stream is silent the last snapshot is sent again.',
    'event.stale': 'A book that is sent again after it has expired has stale true.',
    'event.bookTime': 'time of l2Book is the time of the source and never goes back.',
    'event.heartbeatOnly': 'A heartbeat keeps the connection open and says nothing about books.',
  }),
  ...requirementsOfSection('Endpoints: Perpetual-DEX WebSocket', {
    'socket.ws': '/ws uses the official format: method and subscription.',
    'socket.fills': '/ws/fills uses type and address, for many addresses.',
    'socket.filledOrders': '/ws/filled-orders uses the format of /ws/fills.',
    'socket.states':
      '/ws/clearinghouse-state uses the format of /ws/fills and takes dex in its query.',
    'socket.states.dex':
      'dex of /ws/clearinghouse-state is the main dex by default; one per connection.',
    'channel.trades': byAnswers('trades can be subscribed to.', 'trades'),
    'channel.openOrders': byAnswers('openOrders can be subscribed to.', 'openOrders'),
    'channel.clearinghouseState': byAnswers(
      'clearinghouseState can be subscribed to.',
      'clearinghouseState',
    ),
    'channel.l2Book': byAnswers('l2Book can be subscribed to.', 'l2Book'),
    'channel.bbo': byAnswers('bbo can be subscribed to.', 'bbo'),
    'channel.candle': byAnswers('candle can be subscribed to.', 'candle'),
    'channel.userFills': byAnswers('userFills can be subscribed to.', 'userFills'),
    'channel.userNonFundingLedgerUpdates': byAnswers(
      'userNonFundingLedgerUpdates can be subscribed to.',
      'userNonFundingLedgerUpdates',
    ),
    'channel.allMids': 'allMids is not supported.',
    'channel.orderUpdates': 'orderUpdates is not supported.',
    'channel.candle.intervals': 'A candle subscription supports 1s, 5s, 15s, 1m, 15m, 1h and 4h.',
    'channel.candle.extras': 'A candle has a, and nb, vb, ab as the taker-buy parts of n, v, a.',
    'channel.l2Book.nSigFigs': 'An l2Book subscription may have nSigFigs.',
    'channel.many': 'Many coins can be subscribed to on one connection, each by its own message.',
    'channel.key.l2Book': 'The key of l2Book is coin with nSigFigs where that is given.',
    'channel.key.candle': 'The key of candle is coin with interval.',
    'channel.key.coin': 'The key of every other coin channel is only coin.',
    'channel.duplicate': 'A duplicate subscription creates no second one and no error.',
    'channel.addresses.reply':
      'subscribe on a user channel is answered {"type":"subscribe"}, unsubscribe likewise.',
    'channel.addresses.stat':
      'stat is answered with addressCount, duration, sentMsgCount, msgPerSecond, ' +
      'discardedCount and queueLen.',
    'channel.addresses.close': 'close closes a user channel without a reply.',
    'channel.addresses.additive':
      'Address subscriptions add up, repeats count once, and with none left the connection ' +
      'stays.',
  }),
]
