/** What the client makes of the scenarios of sockets, sentence by sentence. */
import type { Survived } from './survived.ts'

export const FEEDS = {
  'already-subscribed': {
    'a subscription holds though': {
      says:
        'A subscription holds though nobody says so; asking again is answered ' +
        '`alreadySubscribed`, which is no error.',
      made: 'a push or a second asking shows that it holds; nothing is lost',
    },
  },
  'broken-feed': {
    'gaps and times that': {
      says: 'Gaps and times that go backwards.',
      made:
        'what is missing is not passed over: with `auditsTrades` each minute that lacks ' +
        'trades is a `gap`',
    },
    'keep what is newest': {
      says: 'Keep what is newest, and ask for a snapshot when something is missing.',
      made:
        'older books are not passed on; what can be fetched is, and fills and books are ' +
        'those there were',
    },
  },
  calm: {
    nothing: {
      says: 'Nothing.',
      made: 'what is recorded is what there was',
    },
    'this is how a': {
      says: 'This is how a sandbox is without a scenario.',
      made: 'it asks no more than without one',
    },
  },
  'capital-addresses': {
    'compare addresses without regard': {
      says: 'Compare addresses without regard to case; a push for `0xAB…` is for `0xab…`.',
      made: 'pushes find their subscription whatever the case; nothing is lost',
    },
  },
  'crossed-book': {
    'a best bid above': {
      says:
        'A best bid above the best ask is a broken book, not a bargain; an empty one ' +
        'has no price.',
      made: 'a `LocalBook` refuses to be read, says why, and can be read again afterwards',
    },
  },
  'flaky-sockets': {
    'connect again with a': {
      says:
        'Connect again, with a new signature, subscribe to everything again, and take ' +
        'the snapshot for what it is: not new fills.',
      made:
        'signed anew, subscribed again, what was missed is fetched; nothing is lost or ' +
        'told twice',
    },
  },
  'legacy-shapes': {
    'forms that differ from': {
      says: 'Forms that differ from the documents; all of them were seen by client authors.',
      made: 'the types and the checks know these forms, too; nothing is lost',
    },
  },
  'liquidation-cascade': {
    'hundreds of pushes in': {
      says: 'Hundreds of pushes in a second, candles that jump, positions that are gone.',
      made: 'nothing is lost and nothing is told twice',
    },
    'nothing may queue without': {
      says: 'Nothing may queue without end.',
      made: 'what nobody reads is bounded: the oldest pushes are dropped, and that is a ' + '`gap`',
    },
  },
  'listing-day': {
    'there is no such': {
      says: 'There is no such coin at first.',
      made: '`refused`, and it can be asked for again',
    },
    'then nulls where there': {
      says: 'Then nulls where there were numbers, empty lists, a book with one empty side.',
      made: 'a `LocalBook` is `empty` and not to be read; empty lists and null pass the checks',
    },
  },
  maintenance: {
    'sockets close with 1012': {
      says: 'Sockets close with 1012, everything else is 503 with `Retry-After`.',
      made: '`lost` tells the code; errors are `unavailable` and tell the wait',
    },
    'wait do not hammer': {
      says: 'Wait, do not hammer, come back by yourself.',
      made:
        'waits as long as `Retry-After` says; fills and candles are fetched, of trades ' +
        'the gap is told',
    },
  },
  'market-halt': {
    'a coin without trades': {
      says:
        'A coin without trades and with an old book is not an error of the connection; ' +
        'the other coins go on.',
      made:
        'one stream is `silent`, the connection is kept, and nothing is found to be ' + 'missing',
    },
  },
  'mixed-users': {
    'filter by user the': {
      says: 'Filter by `user`; the newest subscription does not end the one before.',
      made: 'each user’s pushes go to his own subscription; nothing is lost',
    },
  },
  'permission-lost': {
    'a 403 where there': {
      says: 'A 403 where there was none before; open sockets are closed.',
      made: '`lost`, then `refused` with the permission that is missing',
    },
    'asking again does not': {
      says: 'Asking again does not help, somebody has to be told.',
      made: 'neither requests nor connections are asked for again; who waits gets the error',
    },
  },
  'reconnect-storm': {
    'wait longer each time': {
      says:
        'Wait longer each time, by chance, so that a thousand clients do not come back ' +
        'in the same second.',
      made: 'waits double and are spread; nothing is lost',
    },
  },
  'refused-subscription': {
    'an error frame is': {
      says: 'An `error` frame is all there is.',
      made: '`refused` with its words, and who waits gets the error',
    },
    'without it a refused': {
      says: 'Without it a refused subscription looks like a quiet market.',
      made: '`refused` all the same, when it is not acknowledged within 20 s',
    },
  },
  'repeated-fills': {
    'tell fills apart by': {
      says: 'Tell fills apart by `tid`, not by `oid`, and not by having come.',
      made: 'each is told once, those of a coin in order; those of one order are all told',
    },
  },
  'reused-address': {
    'sign the address anew': {
      says:
        'Sign the address anew for each connection; the one of 40 seconds ago can never ' +
        'get in again.',
      made:
        'each connection has an address of its own; a refusal of one is no end; nothing ' +
        'is lost',
    },
  },
  'silent-feed': {
    'pongs come data does': {
      says: 'Pongs come, data does not.',
      made: '`silent` for each stream, and the gap is told',
    },
    'count how long each': {
      says:
        'Count how long each stream has been silent, and connect anew when it is too ' + 'long.',
      made:
        'the time is told by the event; the connection is renewed, and not again and ' + 'again',
    },
  },
  'slow-consumer': {
    'frames queue at the': {
      says:
        'Frames queue at the service and are discarded in the end; `stat` tells ' +
        '`queueLen` and `discardedCount`.',
      made: '`gap` tells what never came; fills are fetched',
    },
  },
  'snapshot-again': {
    'a close in good': {
      says:
        'A close in good order needs a reconnect too, and the snapshot after it holds ' +
        'fills that are known.',
      made: 'a close in good order is a loss like any other; snapshots are not news',
    },
  },
  'stale-book': {
    'the connection is open': {
      says: 'The connection is open, heartbeats are answered, trades come.',
      made: 'trades are all told, on the one connection',
    },
    'only time and stale': {
      says:
        'Only `time` and `stale` show that the book is old: do not trade on it, and do ' +
        'not take the open connection for a living feed.',
      made: '`stale`, then `silent`; a `LocalBook` is not to be read',
    },
  },
} satisfies Record<string, Record<string, Survived>>
