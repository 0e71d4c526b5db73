import { byAnswers, type Requirement, requirementsOfSection } from './requirement.ts'

/** What sockets push. */
export const SOCKET_PUSHES: readonly Requirement[] = [
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
    'event.stale': 'A book that is sent again after it has expired says stale true.',
    'event.bookTime': 'time of l2Book is the time of the source and never goes back.',
    'event.heartbeatOnly': 'A heartbeat keeps the connection and says nothing of books.',
  }),
]
