/** Open questions: what sockets push, and how they end. */
import { declareQuestions } from './question.ts'

export const SOCKETS_QUESTIONS = declareQuestions({
  'republish-after': {
    question: 'After how long a silence is the last snapshot sent again?',
    source: 'Events, rule 1',
    chosen: '5s',
    why: 'Well inside the 20 to 30 s at which clients send heartbeats.',
    answers: { '1s': 'One second.', '5s': 'Five seconds.', '15s': 'Fifteen seconds.' },
  },
  'republished-channels': {
    question: 'Which channels of `/ws` are sent again when they are silent?',
    source: 'Events, rule 1: "the last snapshot", of no channel by name',
    chosen: 'states',
    why: 'A state stands until it changes; a list of what has happened would be told twice.',
    answers: {
      states: 'Those that push a whole state: books, best prices, candles, accounts, open orders.',
      books: '`l2Book` and `bbo`.',
      all: 'All: those that push what happens send their snapshot anew.',
    },
  },
  'stale-channels': {
    question: 'Which of the channels that are sent again say `stale`?',
    source: 'Events, rules 1 and 2: a book expires; of other channels nothing is said',
    chosen: 'all',
    why: 'Rule 1 speaks of all of them: each says so once what it is made of has been silent.',
    answers: {
      all: 'Each, once its own source has been silent for `stale-after`.',
      books: '`l2Book` and `bbo`.',
      l2Book: '`l2Book` alone.',
    },
  },
  'stale-after': {
    question: 'When has a book expired?',
    source: 'Events, rules 1 and 2',
    chosen: '10s',
    why: 'Twice the pause after which it is sent again: the second repetition says so.',
    answers: {
      '5s': 'Its time has not advanced for 5 s.',
      '10s': 'Its time has not advanced for 10 s.',
      '30s': 'Its time has not advanced for 30 s.',
    },
  },
  'stale-place': {
    question: 'Where in a frame is `stale`?',
    source: 'Events, rule 1',
    chosen: 'data',
    why: 'Clients hand only `data` to their listeners.',
    answers: {
      data: 'Inside `data`; beside it where `data` is a list.',
      frame: 'Beside `data`.',
      both: 'In both places.',
    },
  },
  'trades-snapshot': {
    question: 'What is the first snapshot of the trades channel?',
    source: 'Events, rule 1',
    chosen: 'recent',
    why: 'The perpetual venue repeats recent trades on subscription.',
    answers: { recent: 'The ten latest trades, newest first.', none: 'Nothing is sent first.' },
  },
  'address-channel-second-user': {
    question: 'What does a second user on the same address-keyed `/ws` channel do?',
    source: 'Events: address-keyed channels "hold one key per connection"',
    chosen: 'replace',
    why: 'One key a connection, and the newest command is the one that counts.',
    answers: {
      replace: 'The second user takes the place of the first.',
      both: 'Both are followed, as the perpetual venue does.',
    },
  },
  'account-state-first': {
    question: 'Is the state pushed at once when an address is added on /ws/clearinghouse-state?',
    source: 'Events, rule 1 speaks of `/ws` only',
    chosen: 'push',
    why: 'A client would otherwise know nothing until the account trades.',
    answers: { push: 'The state follows the reply.', wait: 'Nothing until it changes.' },
  },
  'idle-close': {
    question: 'How does an idle connection end?',
    source: 'Errors: "client typically sees close code 1006"; older documents say 1000',
    chosen: 'drop',
    why: 'The newer document counts.',
    answers: { drop: 'It is dropped: clients see 1006.', '1000': 'With close code 1000.' },
  },
  'user-pong': {
    question: 'What is the reply to a ping on the user channels?',
    source: 'Events; older documents show the form of `/ws`',
    chosen: 'type',
    why: 'The newer document counts.',
    answers: { type: '`{"type":"pong"}`', channel: '`{"channel":"pong"}`' },
  },
  'revoked-sockets': {
    question: 'What becomes of open sockets when their key loses the permission for them?',
    source: 'States, level config: sub keys use the new permissions; sockets are not spoken of',
    chosen: 'closed',
    why: 'New permissions take effect at once.',
    answers: {
      closed: 'They are closed in good order.',
      kept: 'They stay, but every further subscription is refused.',
    },
  },
  'socket-limits': {
    question: 'How many connections and subscriptions may a key hold that no level limits?',
    source: 'Limits: "the values of those limits: not shown"',
    chosen: 'none',
    why: 'A limit that nobody has written down must not surprise a client.',
    answers: {
      none: 'Any number.',
      venue: 'Those of the perpetual venue: 10 connections, 1000 subscriptions.',
    },
  },
})
