/**
 * What the contract leaves open: our answer, why, and the other answers one can switch to.
 * A sandbox is made with `questions: {"<id>": "<answer>"}`.
 */
export interface Question {
  question: string
  /** Where the contract is silent, or what disagrees with it. */
  source: string
  /** The answer we chose. */
  chosen: string
  why: string
  /** Every answer that can be chosen, and what it means. */
  answers: Record<string, string>
}

const declared = <const T extends Record<string, Question>>(questions: T): T => questions

export const QUESTIONS = declared({
  'nonce-reuse': {
    question: 'May a SignatureNonce be used twice?',
    source: 'Authentication 8',
    chosen: 'accept',
    why: 'Nothing public says that the service keeps nonces.',
    answers: {
      accept: 'Nonces are not remembered.',
      reject: 'A nonce used again while its Timestamp is valid is an invalid signature.',
    },
  },
  'refusal-status': {
    question: 'Which HTTP status do a missing parameter and an invalid signature have?',
    source: 'Errors: the table gives envelope B with codes "400" and "401" but no HTTP status',
    chosen: 'http',
    why: 'Every refusal for which the contract gives a status has the same number in both places.',
    answers: {
      http: 'HTTP 400 and 401.',
      ok: 'HTTP 200 with the code in the envelope only.',
    },
  },
  'unknown-pair': {
    question: 'What do full and grouped depth answer for a pair that is not known?',
    source: 'Depth rules: only latest-depth is described',
    chosen: 'refuse',
    why: 'The service was seen to answer HTTP 400 with "Unsupported symbol".',
    answers: {
      refuse: 'HTTP 400 with "Unsupported symbol".',
      empty: 'An empty book.',
    },
  },
  'republish-after': {
    question: 'After how long a silence is the last snapshot sent again?',
    source: 'Events, rule 1',
    chosen: '5s',
    why: 'Well inside the 20 to 30 s at which clients send heartbeats.',
    answers: { '1s': 'One second.', '5s': 'Five seconds.', '15s': 'Fifteen seconds.' },
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
    question: 'Where does `stale` stand?',
    source: 'Events, rule 1',
    chosen: 'data',
    why: 'Clients hand only `data` to their listeners.',
    answers: { data: 'Inside `data`.', frame: 'Beside `data`.', both: 'In both places.' },
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
    why: 'One key a connection, and the newest wish is the one that counts.',
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
} satisfies Record<string, Question>)

export type QuestionId = keyof typeof QUESTIONS

/** The answers in force for a sandbox. */
export type Answers = { [Id in QuestionId]: string }

/** Our own answer to every question. */
export const CHOSEN = Object.fromEntries(
  Object.entries(QUESTIONS).map(([id, question]) => [id, question.chosen]),
) as Answers

/** Checks a choice of answers; gives the full set, or what is wrong in words. */
export function choose(answers: Record<string, string>): Answers | string {
  for (const [id, answer] of Object.entries(answers)) {
    const question = (QUESTIONS as Record<string, Question>)[id]
    if (!question)
      return `no open question "${id}"; there are ${Object.keys(QUESTIONS).sort().join(', ')}`
    if (!(answer in question.answers))
      return `question "${id}" cannot be answered "${answer}"; use ${known(question)}`
  }
  return { ...CHOSEN, ...answers }
}

const known = ({ answers }: Question) => Object.keys(answers).join(' or ')
