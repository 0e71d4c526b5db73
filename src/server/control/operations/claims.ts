/** Control calls about claims: what a client believes, judged by the world's truth. */

import { OneOf, type Static, Type } from '../../../contract/schema.ts'
import {
  CLAIM_FORMS,
  CLAIM_KINDS,
  ClaimBody,
  readClaim,
} from '../../../sandbox/claims/claim-forms.ts'
import {
  claimsOf,
  type JudgedClaim,
  judgeClaim,
  ON_ITS_WAY_MS,
} from '../../../sandbox/claims/claim-judging.ts'
import { controlOperation } from '../control-operation.ts'

const VerdictField = OneOf(
  ['true', 'wrong', 'open'],
  'open: nothing can be held against the client, for example because a rule changes its data',
)

export const ClaimView = Type.Object(
  {
    claim: Type.Integer({ description: 'its number' }),
    kind: OneOf([...CLAIM_KINDS], 'kind of the claim'),
    verdict: VerdictField,
    why: Type.String({ description: 'the reason of the verdict' }),
    truth: Type.Unknown({
      description: 'what is true, in the form of the claim; null where there is nothing like it',
    }),
    sinceMs: Type.Union([Type.Integer(), Type.Null()], {
      description: 'since when it is wrong, shown time in ms; null where that is not known',
    }),
    sessionMs: Type.Integer({ description: 'session time of the claim, ms' }),
  },
  { title: 'JudgedClaim' },
)

const claimView = (judged: JudgedClaim): Static<typeof ClaimView> => ({
  claim: judged.claim,
  kind: judged.kind,
  verdict: judged.verdict,
  why: judged.why,
  truth: judged.truth,
  sinceMs: judged.sinceMs,
  sessionMs: judged.sessionMs,
})

const MEANINGS = CLAIM_KINDS.map((kind) => `\`${kind}\`: ${CLAIM_FORMS[kind].about}`).join(' ')

export const claimMake = controlOperation({
  id: 'claim.make',
  method: 'POST',
  path: '/sandboxes/:id/claims',
  storesNothing: true,
  title: 'Judge what a client believes',
  about:
    `A client says what it believes, and the answer says whether it is true. ${MEANINGS} A push ` +
    `that was sent within ${ON_ITS_WAY_MS / 1000} s of session time may still be on its way: it ` +
    'is never held against the client, and neither is what a scenario has falsified.',
  params: { body: ClaimBody },
  checkBody: (body) => void readClaim(body),
  examples: CLAIM_KINDS.map((kind) => ({
    name: `of kind ${kind}`,
    body: CLAIM_FORMS[kind].example as Static<typeof ClaimBody>,
  })),
  data: ClaimView,
  *answer({ body }, { sandbox }) {
    return claimView(yield* judgeClaim(sandbox(), readClaim(body)))
  },
})

export const claimList = controlOperation({
  id: 'claim.list',
  method: 'GET',
  path: '/sandboxes/:id/claims',
  title: 'The claims of clients, with their verdicts',
  about: 'The newest 200, wrong ones first to stay; counts are of all since the last reset.',
  params: {
    query: Type.Object({ verdict: Type.Optional(VerdictField) }),
  },
  data: Type.Object({
    claims: Type.Array(ClaimView, { description: 'oldest first' }),
    counts: Type.Object({ true: Type.Integer(), wrong: Type.Integer(), open: Type.Integer() }),
  }),
  answer({ query: { verdict } }, { sandbox }) {
    const { entries, counts } = claimsOf(sandbox())
    const chosen = entries.filter((one) => verdict === undefined || one.verdict === verdict)
    return { claims: chosen.map(claimView), counts: { ...counts } }
  },
})
