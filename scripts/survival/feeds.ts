/** The client's behaviour in scenarios of sockets, sentence by sentence. */
import type { Survived } from './survived.ts'

export const FEEDS = {
  'already-subscribed': {
    'a subscription can be': {
      says:
        'A subscription can be active without an acknowledgement; if the client repeats it, ' +
        'the answer is `alreadySubscribed`, which is not an error.',
      made: 'a push or a repeated subscription shows that it is active; nothing is lost',
    },
  },
  'broken-feed': {
    'the feed has gaps': {
      says: 'The feed has gaps, and times that go backwards.',
      made:
        'missing data is reported: with `auditsTrades`, each minute without some of its trades ' +
        'is a `gap`',
    },
    'keep the newest state': {
      says: 'Keep the newest state, and fetch a snapshot when something is missing.',
      made:
        'older books are not passed on; missing data is fetched where possible, and fills and ' +
        'books are complete',
    },
  },
  calm: {
    nothing: {
      says: 'Nothing.',
      made: 'the recorded data is complete',
    },
    'this is how a': {
      says: 'This is how a sandbox behaves without a scenario.',
      made: 'it sends no more requests than without a scenario',
    },
  },
  'capital-addresses': {
    'compare addresses without regard': {
      says: 'Compare addresses without regard to case; a push for `0xAB…` belongs to `0xab…`.',
      made: 'pushes find their subscription in any case; nothing is lost',
    },
  },
  'crossed-book': {
    'a best bid above': {
      says:
        'A best bid above the best ask is a broken book, not a bargain; an empty book has no ' +
        'price.',
      made: 'a `LocalBook` cannot be read, says why, and can be read again afterwards',
    },
  },
  'flaky-sockets': {
    'reconnect with a new': {
      says:
        'Reconnect with a new signature, repeat all subscriptions, and do not treat the ' +
        'snapshot as new fills.',
      made:
        'it signs anew, repeats subscriptions and fetches missed data; nothing is lost or ' +
        'reported twice',
    },
  },
  'legacy-shapes': {
    'forms that differ from': {
      says:
        'Forms that differ from the documents; all of them were observed by authors of ' +
        'clients.',
      made: 'the types and the checks know these forms; nothing is lost',
    },
  },
  'liquidation-cascade': {
    'there are hundreds of': {
      says:
        'There are hundreds of pushes in a second, jumping candles, and positions that ' +
        'disappear.',
      made: 'nothing is lost and nothing is reported twice',
    },
    'no queue may grow': {
      says: 'No queue may grow without limit.',
      made: 'unread pushes are limited: the oldest are dropped, and that is a `gap`',
    },
  },
  'listing-day': {
    'the coin does not': {
      says: 'The coin does not exist at first.',
      made: '`refused`, and it can be subscribed to again',
    },
    'then there are nulls': {
      says: 'Then there are nulls instead of numbers, empty lists, and a book with one empty side.',
      made: 'a `LocalBook` is `empty` and cannot be read; empty lists and null pass the checks',
    },
  },
  maintenance: {
    'sockets close with 1012': {
      says: 'Sockets close with 1012, and every request gets 503 with `Retry-After`.',
      made: '`lost` has the code; errors are `unavailable` and have the wait',
    },
    'wait do not retry': {
      says: 'Wait, do not retry continuously, and recover without help.',
      made:
        'it waits as long as `Retry-After` says; fills and candles are fetched, and missing ' +
        'trades are reported as a gap',
    },
  },
  'market-halt': {
    'a coin without trades': {
      says:
        'A coin without trades and with an old book is not a connection error; the other coins ' +
        'continue.',
      made: 'one stream is `silent`, the connection is kept, and no data is reported as missing',
    },
  },
  'mixed-users': {
    'filter by user the': {
      says: 'Filter by `user`; the newest subscription does not end the previous one.',
      made: 'each user’s pushes go to his own subscription; nothing is lost',
    },
  },
  'permission-lost': {
    'requests suddenly get 403': {
      says: 'Requests suddenly get 403, and open sockets are closed.',
      made: '`lost`, then `refused` with the missing permission',
    },
    'repeating does not help': {
      says: 'Repeating does not help; report the problem.',
      made: 'neither requests nor connections are repeated; waiting code gets the error',
    },
  },
  'reconnect-storm': {
    'wait longer before each': {
      says:
        'Wait longer before each attempt, with a random part, so that a thousand clients do ' +
        'not reconnect in the same second.',
      made: 'waits double and have a random part; nothing is lost',
    },
  },
  'refused-subscription': {
    'an error frame is': {
      says: 'An `error` frame is the only sign.',
      made: '`refused` with its message, and waiting code gets the error',
    },
    'without it a refused': {
      says: 'Without it, a refused subscription looks like a quiet market.',
      made: 'also `refused`, if it is not acknowledged within 20 s',
    },
  },
  'repeated-fills': {
    'recognise a repeated fill': {
      says: 'Recognise a repeated fill by `tid`, not by `oid`, and not by its arrival.',
      made:
        'each fill is reported once, those of a coin in order; all fills of one order are ' +
        'reported',
    },
  },
  'reused-address': {
    'sign the address anew': {
      says:
        'Sign the address anew for each connection; an address signed 40 seconds ago is never ' +
        'accepted again.',
      made:
        'each connection has its own address; one refusal does not end the client; nothing is ' +
        'lost',
    },
  },
  'silent-feed': {
    'pongs arrive but no': {
      says: 'Pongs arrive, but no data.',
      made: '`silent` for each stream, and the gap is reported',
    },
    'measure how long each': {
      says: 'Measure how long each stream has been silent, and reconnect when it is too long.',
      made: 'the event has the time; the connection is renewed, but not repeatedly',
    },
  },
  'slow-consumer': {
    'frames queue at the': {
      says:
        'Frames queue at the service and are finally discarded; `stat` shows `queueLen` and ' +
        '`discardedCount`.',
      made: '`gap` reports the lost data; fills are fetched',
    },
  },
  'snapshot-again': {
    'a normal close needs': {
      says: 'A normal close needs a reconnect too, and the snapshot after it contains known fills.',
      made: 'a normal close is treated like any loss; snapshots are not news',
    },
  },
  'stale-book': {
    'the connection is open': {
      says: 'The connection is open, heartbeats are answered, trades arrive.',
      made: 'all trades are reported, on the one connection',
    },
    'only time and stale': {
      says:
        'Only `time` and `stale` show that the book is old: do not trade on it, and do not ' +
        'take the open connection as a sign of a working feed.',
      made: '`stale`, then `silent`; a `LocalBook` cannot be read',
    },
  },
} satisfies Record<string, Record<string, Survived>>
