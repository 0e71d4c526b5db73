import type { Deviation } from '../deviation.ts'
import { type AnyJson, acks, closing, deviationsOf, frames, pushes } from './shorthand.ts'

const without = (row: AnyJson, ...names: string[]) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)))

/** Reordered frames: the acknowledgement comes after its pushes. */
const late = () => {
  let held: unknown = null
  return frames((frame) => {
    if (frame.channel === 'subscriptionResponse') {
      held = frame
      return { channel: 'l2Book', data: {} }
    }
    const first = held
    held = null
    return first ?? frame
  })
}

const levels = (change: (sides: AnyJson[][]) => unknown) =>
  pushes('l2Book', (book) => ({ ...book, levels: change(book.levels) }))

/** Deviations of sockets. */
export const SOCKET_DEVIATIONS: readonly Deviation[] = [
  ...deviationsOf('sockets.subscriptions.states', {
    'status is missing': acks((ack) => without(ack, 'status')),
    'a repeat is subscribed again': acks((ack) => ({
      ...ack,
      status: ack.status === 'alreadySubscribed' ? 'subscribed' : ack.status,
    })),
    'notSubscribed is an error': frames((frame) =>
      frame.data?.status === 'notSubscribed' ? { channel: 'error', data: 'no' } : frame,
    ),
    'an acknowledgement is lost': frames((frame) =>
      frame.data?.status === 'unsubscribed' ? null : frame,
    ),
  }),
  ...deviationsOf('sockets.subscriptions.echo', {
    'nSigFigs is not echoed': acks((ack) => ({
      ...ack,
      subscription: without(ack.subscription, 'nSigFigs'),
    })),
    'a null is not echoed': acks((ack) => ({
      ...ack,
      subscription: JSON.parse(JSON.stringify(ack.subscription).replace(',"nSigFigs":null', '')),
    })),
    'method is always subscribe': acks((ack) => ({ ...ack, method: 'subscribe' })),
  }),
  ...deviationsOf('sockets.subscriptions.active-count', {
    'activeCount is missing': acks((ack) => without(ack, 'activeCount')),
    'activeCount is text': acks((ack) => ({ ...ack, activeCount: String(ack.activeCount) })),
    'activeCount counts all channels': acks((ack) => ({
      ...ack,
      activeCount: ack.activeCount + (ack.subscription.type === 'l2Book' ? 1 : 0),
    })),
    'activeCount never falls': acks((ack) => ({
      ...ack,
      activeCount: Math.max(1, ack.activeCount),
    })),
  }),
  ...deviationsOf('sockets.subscriptions.keys.book', {
    'nSigFigs is no part of the key': acks((ack) =>
      ack.subscription.nSigFigs ? { ...ack, status: 'alreadySubscribed' } : ack,
    ),
  }),
  ...deviationsOf('sockets.subscriptions.keys.candle', {
    'interval is no part of the key': acks((ack) =>
      ack.subscription.interval === '5s' ? { ...ack, status: 'alreadySubscribed' } : ack,
    ),
  }),
  ...deviationsOf('sockets.subscriptions.keys.coin', {
    'an unknown field makes another key': acks((ack) =>
      'unheard' in ack.subscription ? { ...ack, status: 'subscribed' } : ack,
    ),
  }),
  ...deviationsOf('sockets.snapshots.first', {
    'the acknowledgement comes late': late,
    'there is no snapshot': frames((frame) => (frame.channel === 'bbo' ? null : frame)),
    'the snapshot is of another coin': pushes('l2Book', (book) => ({ ...book, coin: 'OTHER' })),
  }),
  ...deviationsOf('sockets.snapshots.book', {
    'asks come first': levels(([bids, asks]) => [asks, bids]),
    'bids rise': levels(([bids = [], asks]) => [[...bids].reverse(), asks]),
    'a price is a number': levels((sides) =>
      sides.map((side) => side.map((level) => ({ ...level, px: Number(level.px) }))),
    ),
    'time is text': pushes('l2Book', (book) => ({ ...book, time: String(book.time) })),
    'a level is a pair': levels((sides) => sides.map((side) => side.map(({ px, sz }) => [px, sz]))),
  }),
  ...deviationsOf('sockets.snapshots.figures', {
    'nSigFigs is not read': levels((sides) =>
      sides.map((side) => side.map((level, at) => ({ ...level, px: `1.2345${at}7` }))),
    ),
  }),
  ...deviationsOf('sockets.snapshots.candle', {
    'a is missing': pushes('candle', (one) => without(one, 'a')),
    'nb is text': pushes('candle', (one) => ({ ...one, nb: String(one.nb) })),
    'vb is more than v': pushes('candle', (one) => ({ ...one, vb: String(one.v * 2 + 1) })),
    'a is in the coin': pushes('candle', (one) => ({ ...one, a: one.v })),
    'a candle is a list': pushes('candle', (one) => [one]),
  }),
  ...deviationsOf('sockets.users.ack', {
    'userFills is acknowledged with status': acks((ack) => ({ ...ack, status: 'subscribed' })),
    'userFills is counted': acks((ack) => ({ ...ack, activeCount: 1 })),
  }),
  ...deviationsOf('sockets.users.snapshot', {
    'isSnapshot is missing': pushes('userFills', (fills) => without(fills, 'isSnapshot')),
    'user is in capitals': pushes('openOrders', (orders) => ({
      ...orders,
      user: '0x000000000000000000000000000000000000BEEF',
    })),
  }),
  ...deviationsOf('sockets.users.agree', {
    'the state is not nested': pushes('clearinghouseState', (data) => data.clearinghouseState),
  }),
  ...deviationsOf('sockets.addresses.reply', {
    'the reply has more': frames((frame) =>
      frame.type === 'subscribe' ? { ...frame, data: [] } : frame,
    ),
    'unsubscribe is answered subscribe': frames((frame) =>
      frame.type === 'unsubscribe' ? { type: 'subscribe' } : frame,
    ),
  }),
  ...deviationsOf('sockets.addresses.additive', {
    'the latest addresses replace the others': frames((frame) =>
      frame.type === 'stat'
        ? { ...frame, data: { ...frame.data, addressCount: Math.min(1, frame.data.addressCount) } }
        : frame,
    ),
  }),
  ...deviationsOf('sockets.addresses.stat', {
    'queueLen is missing': frames((frame) =>
      frame.type === 'stat' ? { ...frame, data: without(frame.data, 'queueLen') } : frame,
    ),
    'duration is a number': frames((frame) =>
      frame.type === 'stat' ? { ...frame, data: { ...frame.data, duration: 0 } } : frame,
    ),
  }),
  ...deviationsOf('sockets.addresses.close', {
    'close is not obeyed': closing(() => null),
  }),
  ...deviationsOf('sockets.addresses.states', {
    'a state is a push of type data': frames((frame) =>
      frame.channel ? { type: 'data', data: frame.data } : frame,
    ),
    'a state has no address': pushes('clearinghouseState', (data) => without(data, 'address')),
  }),
  ...deviationsOf('sockets.frames.ping', {
    'pong is a type': frames((frame) => (frame.channel === 'pong' ? { type: 'pong' } : frame)),
  }),
  ...deviationsOf('sockets.frames.ping.user', {
    'pong is a channel': frames((frame) => (frame.type === 'pong' ? { channel: 'pong' } : frame)),
  }),
  ...deviationsOf('sockets.frames.unsupported', {
    'allMids is acknowledged': frames((frame) =>
      frame.channel === 'error'
        ? { channel: 'subscriptionResponse', data: { status: 'subscribed' } }
        : frame,
    ),
  }),
  ...deviationsOf('sockets.frames.nonsense', {
    'nonsense closes the connection': closing(() => 1002),
  }),
  ...deviationsOf('sockets.timing.protocol-pings', {
    'a ping of the protocol counts': closing(() => null),
  }),
  ...deviationsOf('sockets.timing.idle', {
    'an idle connection stays open': closing(() => null),
    'an idle connection is closed with 1008': closing((right) => right && 1008),
  }),
  ...deviationsOf('sockets.timing.quote', {
    'a best price is stale as soon as it does not change': pushes('bbo', (bbo) => ({
      ...bbo,
      stale: true,
    })),
  }),
  ...deviationsOf('sockets.timing.stale', {
    'stale is never said': pushes('l2Book', (book) => without(book, 'stale')),
    'a repeated book has a new time': () => {
      let times = 0
      return pushes('l2Book', (book) => ({ ...book, time: book.time + times++ }))
    },
  }),
  ...deviationsOf('sockets.timing.book-time', {
    'a book is older than the one before': () => {
      let times = 0
      return pushes('l2Book', (book) => ({ ...book, time: 1e12 - times++ }))
    },
  }),
  ...deviationsOf('sockets.timing.candle-gap', {
    'candles come as fast as trades': frames((frame) =>
      frame.channel === 'candle' ? [frame, frame] : frame,
    ),
  }),
]
