/** Identities of the contract, by the answers of any target. */

import type {
  Identity,
  InfoBody,
  OperationQuestion,
  Question,
  SnapshotQuestion,
} from '../../contract/identities/identity.ts'
import { questionRequest } from '../../contract/identities/question-requests.ts'
import { type Finding, reconciled } from '../../contract/identities.ts'
import { SkipCase } from '../case-outcome.ts'
import { busyTraders, someCoins } from '../example-filler.ts'
import { checksOf, isWrong, JUDGED_IDENTITIES } from '../identity-questions.ts'
import type { Case, Probe } from '../probe.ts'
import { isSuccess, MOVED, objectsOf, retryUntilHeld } from '../responses.ts'
import { acknowledged, open, subscribe, untilPong } from './sockets/subscriptions.ts'

/** So many addresses or coins are tried until one has something to compare. */
const SUBJECTS_MOST = 6
/** So many questions are put for one of them in one look. */
const QUESTIONS_MOST = 60

type Subjects = (probe: Probe) => Promise<string[]>

/**
 * A case for each identity. What the target says is taken at different instants: what does not
 * hold is wrong only where two looks in a row found the same two sides, so that they were the same
 * at an instant between them.
 */
const caseOf = (identity: Identity, kind: 'address' | 'coin', subjects: Subjects): Case => ({
  id: `identities.${kind}.${identity.id}`,
  title: identity.sentence,
  checks: checksOf(identity),
  run: async (probe) => {
    let judged = 0
    for (const subject of (await subjects(probe)).slice(0, SUBJECTS_MOST)) {
      if (judged === JUDGED) return
      try {
        if ((await judge(probe, identity, subject)) > 0) judged++
      } catch (error) {
        // What the others have shown is not undone by one that cannot be judged.
        if (!(error instanceof SkipCase) || judged === 0) throw error
      }
    }
    if (judged === 0) probe.skip('the target has nothing to compare')
  },
})

/** So many of them are judged, as one may lack what another has. */
const JUDGED = 2

/** Judges one of them; returns the number of comparisons. */
async function judge(probe: Probe, identity: Identity, subject: string): Promise<number> {
  const look = () => findingsOf(probe, identity, subject)
  let compared = 0
  await retryUntilHeld(probe, async () => {
    const wrong = await look().then((all) => {
      compared = all.length
      return all.filter(isWrong)
    })
    if (wrong.length === 0) return null
    const again = (await look()).filter(isWrong)
    const same = wrong.find((one) => again.some((other) => isSameSides(one, other)))
    if (same) return `${subject}: ${textOf(same)}`
    return again.length === 0 ? null : MOVED
  })
  return compared
}

const isSameSides = (one: Finding, other: Finding): boolean =>
  one.of === other.of && one.left === other.left && one.right === other.right

const textOf = ({ of, left, relation, right }: Finding): string =>
  `${of}: ${left} is ${relation === 'equal' ? 'equal to' : 'at most'} ${right}`

/** What an identity finds at the target, which is skipped where it does not answer in its form. */
async function findingsOf(probe: Probe, identity: Identity, subject: string): Promise<Finding[]> {
  const asking = reconciled(identity, subject)
  const answered = new Map<string, unknown>()
  let step = asking.next()
  while (!step.done) {
    if (answered.size > QUESTIONS_MOST) probe.skip('it would take too many requests')
    const question = step.value
    const data = question && (await answerTo(probe, question, answered))
    try {
      step = asking.next(data)
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error
      probe.skip(`an answer has another form than the declared one: ${error.message}`)
    }
  }
  return step.value
}

async function answerTo(
  probe: Probe,
  question: Question,
  answered: Map<string, unknown>,
): Promise<unknown> {
  const key = JSON.stringify(question)
  if (!answered.has(key)) answered.set(key, await newAnswer(probe, question))
  return answered.get(key)
}

async function newAnswer(probe: Probe, question: Question): Promise<unknown> {
  if ('channel' in question) return snapshotOf(probe, question as SnapshotQuestion)
  const request = questionRequest(question as InfoBody | OperationQuestion)
  const exchange = await probe.request(request)
  // That it is refused, other cases judge: it may be that the target does not have it.
  if (!isSuccess(exchange)) probe.skip(`the target does not answer ${nameOf(question)}`)
  return (exchange.json as { data: unknown }).data
}

const nameOf = (question: Question): string =>
  'operation' in question ? String(question.operation) : String((question as InfoBody).type)

/** What a new subscription is sent first; null where nothing is. */
async function snapshotOf(
  probe: Probe,
  { channel, subscription }: SnapshotQuestion,
): Promise<unknown> {
  const socket = await open(probe)
  await acknowledged(socket, subscribe(subscription))
  const first = (await untilPong(socket)).find((frame) => frame.channel === channel)
  socket.close()
  return first?.data ?? null
}

/**
 * Accounts of all sorts: one that trades much, one of those last liquidated, a trader of one of the
 * largest trades, one of a spot pair, one whose TWAP runs, one whose limit order rests.
 */
const someAccounts = (probe: Probe): Promise<string[]> =>
  probe.once('accounts of all sorts', async (lookup) => {
    const coins = await someCoins(lookup)
    const spot = coins.find((coin) => coin.includes('/') || coin.startsWith('@'))
    const large = (coin: string | undefined) => {
      const query = { coin: coin ?? '', interval: '1d', limit: 10 }
      return coin === undefined ? [] : objectsOf(lookup, { path: '/hl/fills/top-trades', query })
    }
    const query = { coin: coins[0] ?? '', interval: '1d', limit: 10 }
    const liquidated = await objectsOf(lookup, { path: '/hl/liquidations/top-positions', query })
    const twaps = await objectsOf(lookup, { path: '/hl/twaps/top-impact' })
    const orders = await objectsOf(lookup, {
      path: '/hl/orders/top-open-orders',
      query: { coin: coins[0] ?? '', limit: 20 },
    })
    // A trigger has no time in force, and rests nowhere.
    const resting = orders.filter(({ tif }) => typeof tif === 'string')
    const [busy = ''] = await busyTraders(lookup)
    const lists = [liquidated, await large(coins[0]), await large(spot), twaps, resting]
    const found = [busy, ...lists.map((rows) => rows.at(-1)?.address)]
    return [...new Set(found.flatMap((one) => (typeof one === 'string' ? [one] : [])))]
  })

/** Each identity begins with another of them, so that each sort is looked at. */
const accountsFrom =
  (rank: number): Subjects =>
  async (probe) => {
    const all = await someAccounts(probe)
    return [...all.slice(rank % all.length), ...all.slice(0, rank % all.length)]
  }

export const IDENTITY_CASES: readonly Case[] = [
  ...JUDGED_IDENTITIES.address.map((one, rank) => caseOf(one, 'address', accountsFrom(rank))),
  ...JUDGED_IDENTITIES.coin.map((one) => caseOf(one, 'coin', someCoins)),
]
