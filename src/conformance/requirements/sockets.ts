import { byAnswers, type Requirement, requirementsOfSection } from './requirement.ts'

/** The perpetual DEX over WebSocket. */
export const SOCKETS: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Perpetual-DEX WebSocket', {
    'socket.ws': '/ws speaks the official format: method and subscription.',
    'socket.fills': '/ws/fills speaks type and address, of many addresses.',
    'socket.filledOrders': '/ws/filled-orders speaks as /ws/fills does.',
    'socket.states': '/ws/clearinghouse-state speaks as /ws/fills does and takes dex in its query.',
    'socket.states.dex':
      'dex of /ws/clearinghouse-state is the main dex when left out; one for a connection.',
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
    'channel.candle.intervals': 'A candle subscription knows 1s, 5s, 15s, 1m, 15m, 1h and 4h.',
    'channel.candle.extras':
      'A candle carries a, and nb, vb, ab as the taker-buy parts of n, v, a.',
    'channel.l2Book.nSigFigs': 'An l2Book subscription may carry nSigFigs.',
    'channel.many': 'Many coins can be subscribed to on one connection, each by its own message.',
    'channel.key.l2Book': 'The key of l2Book is coin with nSigFigs where that is given.',
    'channel.key.candle': 'The key of candle is coin with interval.',
    'channel.key.coin': 'The key of every other coin channel is coin alone.',
    'channel.duplicate': 'A duplicate subscription makes no second one and no error.',
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
