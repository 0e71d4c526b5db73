import { isSlices, type Slices } from '../../../clock/turns.ts'
import type { Facts } from '../../../contract/facts.ts'
import type { InfoBody } from '../../../contract/identities/identity.ts'
import { type Finding, IDENTITIES, reconciled } from '../../../contract/identities.ts'
import { VENUE_INFO_TYPES } from '../../../contract/info/index.ts'
import { infoAnswerer } from '../../../contract/info/info-type.ts'
import { isRefusal } from '../../../contract/refusal.ts'
import { Address, OneOf, Type } from '../../../contract/schema.ts'
import { controlOperation } from '../control-operation.ts'

/** Comparisons that are shown of an identity: those that fail come first. */
const SHOWN_MOST = 50

const Compared = Type.Object({
  of: Type.String({ description: 'what is compared: a coin, a window, the number of a fill' }),
  left: Type.String({ description: 'decimal' }),
  relation: OneOf(['equal', 'atMost'], 'what the left side has to be to the right one'),
  right: Type.String({ description: 'decimal' }),
  difference: Type.String({ description: 'left less right' }),
  holds: Type.Boolean(),
  records: Type.Optional(Type.Unknown({ description: 'what makes up the two sides' })),
})

export const reconcile = controlOperation({
  id: 'reconcile',
  method: 'GET',
  path: '/sandboxes/:id/reconcile',
  title: 'Whether the answers about an address agree with one another',
  about:
    'Checks identities such as "what an account is worth is what came in, what it earned and ' +
    'what it paid", by the answers of `POST /info` at the present instant, and shows both sides ' +
    'of each: compare them with your own arithmetic. The call counts and records nothing.',
  params: {
    query: Type.Object({
      address: Address(),
      identity: Type.Optional(
        OneOf(
          IDENTITIES.map(({ id }) => id),
          'only this one',
        ),
      ),
      records: Type.Optional(
        Type.Boolean({ description: 'true: also the records that make up the two sides' }),
      ),
    }),
  },
  examples: [
    {
      name: 'the cash of an account',
      query: { address: '0x0000000000000000000000000000000000000001', identity: 'cash' },
    },
  ],
  data: Type.Object({
    address: Type.String(),
    holds: Type.Boolean({ description: 'whether all of them hold' }),
    identities: Type.Array(
      Type.Object({
        id: Type.String(),
        sentence: Type.String(),
        source: Type.String({ description: 'the answers that it joins' }),
        holds: Type.Boolean(),
        count: Type.Integer({ description: 'of comparisons; 0 where there is nothing to compare' }),
        compared: Type.Array(Compared, {
          description: `at most ${SHOWN_MOST}; those that do not hold come first`,
        }),
      }),
    ),
  }),
  *answer({ query: { address, identity, records = false } }, call) {
    const facts = call.sandbox().facts()
    const identities = []
    for (const one of IDENTITIES) {
      if (identity !== undefined && one.id !== identity) continue
      yield
      const findings = yield* findingsOf(reconciled(one, address), facts)
      const ordered = findings.toSorted((a, b) => Number(a.holds) - Number(b.holds))
      const compared = ordered
        .slice(0, SHOWN_MOST)
        .map(({ records: made, ...sides }) => (records ? { ...sides, records: made } : sides))
      const { id, sentence, source } = one
      const holds = findings.every((finding) => finding.holds)
      identities.push({ id, sentence, source, holds, count: findings.length, compared })
    }
    const holds = identities.every((one) => one.holds)
    return { address: address.toLowerCase(), holds, identities }
  },
})

const answerOf = infoAnswerer(VENUE_INFO_TYPES)

/** Answers what an identity asks. */
function* findingsOf(asking: ReturnType<typeof reconciled>, facts: Facts): Slices<Finding[]> {
  let step = asking.next()
  while (!step.done) {
    yield
    step = asking.next(step.value && (yield* answerTo(step.value, facts)))
  }
  return step.value
}

function* answerTo(body: InfoBody, facts: Facts): Slices<unknown> {
  const given = answerOf(body, facts)
  const answer = isSlices(given) ? yield* given as Slices<unknown> : given
  if (isRefusal(answer)) throw new Error(`the info type ${body.type} refuses what is asked of it`)
  return answer
}
