/** Open questions: what sockets push, and how they end. */
import { declareQuestions } from './question.ts'

export const SOCKETS_QUESTIONS = declareQuestions({
  'republish-after': {
    question: 'After how much silence is the last snapshot sent again?',
    source: 'Events, rule 1',
    chosen: '5s',
    why: 'It is well below the 20 to 30 s between the heartbeats of clients.',
    answers: { '1s': 'One second.', '5s': 'Five seconds.', '15s': 'Fifteen seconds.' },
  },
  'republished-channels': {
    question: 'Which silent channels of `/ws` are sent again?',
    source: 'Events, rule 1: "the last snapshot", of no channel by name',
    chosen: 'states',
    why: 'A state can be repeated; repeated events would be counted twice.',
    answers: {
      states:
        'Channels that push a whole state: books, best prices, candles, accounts, open orders.',
      books: '`l2Book` and `bbo`.',
      all: 'All; channels that push events send their snapshot again.',
    },
  },
  'stale-channels': {
    question: 'Which of the repeated channels have `stale`?',
    source: 'Events, rules 1 and 2: a book expires; other channels are not mentioned',
    chosen: 'all',
    why: 'Rule 1 covers all of them: each is stale when its source has been silent.',
    answers: {
      all: 'All, when their own source has been silent for `stale-after`.',
      books: '`l2Book` and `bbo`.',
      l2Book: 'Only `l2Book`.',
    },
  },
  'stale-after': {
    question: 'When has a book expired?',
    source: 'Events, rules 1 and 2',
    chosen: '10s',
    why: 'It is twice the pause before it is sent again, so the second repetition is stale.',
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
    why: 'Clients pass only `data` to their listeners.',
    answers: {
      data: 'Inside `data`; beside it if `data` is a list.',
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
    question: 'What is the effect of a second user on the same address-keyed `/ws` channel?',
    source: 'Events: address-keyed channels "hold one key per connection"',
    chosen: 'replace',
    why: 'A connection has one address per channel, and the newest command applies.',
    answers: {
      replace: 'The second user replaces the first.',
      both: 'Both users are followed, as at the perpetual venue.',
    },
  },
  'account-state-first': {
    question: 'Is the state pushed at once after an address is added on /ws/clearinghouse-state?',
    source: 'Events, rule 1 speaks of `/ws` only',
    chosen: 'push',
    why: 'Otherwise a client would receive nothing until the account trades.',
    answers: { push: 'The state follows the reply.', wait: 'Nothing until it changes.' },
  },
  'idle-close': {
    question: 'How does an idle connection end?',
    source: 'Errors: "client typically sees close code 1006"; older documents say 1000',
    chosen: 'drop',
    why: 'The newer document takes precedence.',
    answers: { drop: 'It is dropped: clients see 1006.', '1000': 'With close code 1000.' },
  },
  'user-pong': {
    question: 'What is the reply to a ping on the user channels?',
    source: 'Events; older documents show the form of `/ws`',
    chosen: 'type',
    why: 'The newer document takes precedence.',
    answers: { type: '`{"type":"pong"}`', channel: '`{"channel":"pong"}`' },
  },
  'revoked-sockets': {
    question: 'What happens to open sockets when their key loses its permission?',
    source: 'States, level config: sub keys use the new permissions; sockets are not mentioned',
    chosen: 'closed',
    why: 'New permissions take effect at once.',
    answers: {
      closed: 'They are closed normally.',
      kept: 'They stay open, but every further subscription is refused.',
    },
  },
  'socket-limits': {
    question: 'How many connections and subscriptions may a key have that no level limits?',
    source: 'Limits: "the values of those limits: not shown"',
    chosen: 'none',
    why: 'An undocumented limit must not surprise a client.',
    answers: {
      none: 'Any number.',
      venue: 'The limits of the perpetual venue: 10 connections, 1000 subscriptions.',
    },
  },
})
