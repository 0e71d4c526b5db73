import { shownRequest } from '../../../contract/identities/question-requests.ts'
import {
  ADDRESS_IDENTITIES,
  COIN_IDENTITIES,
  type Finding,
  type Reconciled,
  reconciledBy,
} from '../../../contract/identities.ts'
import { Address, Coin, OneOf, Type } from '../../../contract/schema.ts'
import { UserError } from '../../../platform/user-error.ts'
import { MemoryError } from '../../../sandbox/memory.ts'
import { NotFoundError } from '../control-call.ts'
import { controlOperation } from '../control-operation.ts'

/** Maximum number of shown comparisons of an identity, failed ones first. */
const SHOWN_MOST = 50
/** Maximum number of shown requests of an identity. */
const REQUESTS_MOST = 100

const Compared = Type.Object({
  of: Type.String({ description: 'the compared subject: a coin, a window, the number of a fill' }),
  left: Type.String({ description: 'decimal' }),
  relation: OneOf(['equal', 'atMost'], 'required relation of the left side to the right one'),
  right: Type.String({ description: 'decimal' }),
  difference: Type.String({ description: 'left less right' }),
  within: Type.String({
    description: 'the most by which they may differ, since a side is rounded when it is written',
  }),
  holds: Type.Boolean(),
  records: Type.Optional(Type.Unknown({ description: 'what makes up the two sides' })),
})

const SentRequest = Type.Object({
  method: OneOf(
    ['GET', 'POST', 'subscribe'],
    'subscribe: `body` is the subscription that a socket of the path is sent',
  ),
  path: Type.String({ description: 'with its query, without the signature' }),
  body: Type.Optional(Type.Unknown()),
})

export const reconcile = controlOperation({
  id: 'reconcile',
  method: 'GET',
  path: '/sandboxes/:id/reconcile',
  title: 'Whether the answers about an address or a coin agree with one another',
  about:
    'Checks identities such as "what an account is worth is what came in, what it earned and ' +
    'what it paid" or "a trade lies in the candle of its minute", by what the service answers at ' +
    'the present instant, and shows both sides of each: compare them with your own arithmetic. ' +
    'The call counts and records nothing.',
  params: {
    query: Type.Object({
      address: Type.Optional(Address('either this or `coin`')),
      coin: Type.Optional(Coin('either this or `address`')),
      identity: Type.Optional(
        OneOf(
          [...ADDRESS_IDENTITIES, ...COIN_IDENTITIES].map(({ id }) => id),
          'only this one',
        ),
      ),
      records: Type.Optional(
        Type.Boolean({ description: 'true: also the records and requests of the two sides' }),
      ),
    }),
  },
  examples: [
    {
      name: 'the cash of an account',
      query: { address: '0x0000000000000000000000000000000000000001', identity: 'cash' },
    },
    {
      name: 'its funding, with the requests to send and the records that they answer',
      query: {
        address: '0x0000000000000000000000000000000000000001',
        identity: 'funding',
        records: true,
      },
    },
    { name: 'the open interest of a coin', query: { coin: 'BTC', identity: 'interest-sums' } },
  ],
  data: Type.Object({
    address: Type.Optional(Type.String()),
    coin: Type.Optional(Type.String()),
    holds: Type.Boolean({ description: 'whether all of them hold' }),
    identities: Type.Array(
      Type.Object({
        id: Type.String(),
        sentence: Type.String(),
        source: Type.String({ description: 'the answers that it joins; why it must hold' }),
        holds: Type.Boolean(),
        count: Type.Integer({ description: 'number of comparisons; 0 without data to compare' }),
        compared: Type.Array(Compared, {
          description: `at most ${SHOWN_MOST}; those that do not hold come first`,
        }),
        requests: Type.Optional(
          Type.Array(SentRequest, {
            description:
              'with records: what was compared are the answers to these, at most ' +
              `${REQUESTS_MOST}`,
          }),
        ),
      }),
    ),
  }),
  *answer({ query: { address, coin, identity, records = false } }, call) {
    if ((address === undefined) === (coin === undefined))
      throw new UserError('state either "address" or "coin"')
    const of = address === undefined ? COIN_IDENTITIES : ADDRESS_IDENTITIES
    const chosen = identity === undefined ? of : of.filter(({ id }) => id === identity)
    if (chosen.length === 0)
      throw new UserError(
        `the identity "${identity}" is of ${address === undefined ? 'addresses' : 'coins'}`,
      )
    const subject = address?.toLowerCase() ?? coin ?? ''
    const facts = call.sandbox().facts()
    if (coin !== undefined && !facts.market.isCoin(coin))
      throw new NotFoundError(`there is no coin "${coin}" now`)
    const { id, memory } = call.sandbox()
    let kept = 0
    const keep = (bytes: number) => {
      if (!memory.hasRoomFor(bytes))
        throw new MemoryError(
          `sandbox "${id}" has no memory for these answers: name one "identity"`,
        )
      kept += bytes
      memory.add('calls', bytes)
    }
    try {
      const all = yield* reconciledBy(facts, chosen, subject, keep)
      const identities = all.map((one) => shownIdentity(one, records))
      const holds = identities.every((one) => one.holds)
      const of = address === undefined ? { coin: subject } : { address: subject }
      return { ...of, holds, identities }
    } finally {
      memory.add('calls', -kept)
    }
  },
})

function shownIdentity({ identity, findings, questions }: Reconciled, records: boolean) {
  const { id, sentence, source } = identity
  const ordered = findings.toSorted((a, b) => Number(a.holds) - Number(b.holds))
  const compared = ordered.slice(0, SHOWN_MOST).map((one) => shownFinding(one, records))
  const holds = findings.every((finding) => finding.holds)
  const shown = { id, sentence, source, holds, count: findings.length, compared }
  return records
    ? { ...shown, requests: questions.slice(0, REQUESTS_MOST).map(shownRequest) }
    : shown
}

function shownFinding({ records, ...sides }: Finding, isWithRecords: boolean) {
  return isWithRecords ? { ...sides, records } : sides
}
