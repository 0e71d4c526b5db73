/** Of the figures that an identity joins, a wrong one is noticed by the identities alone. */
import { expect, test } from 'bun:test'
import { runToEnd } from '../../src/clock/turns.ts'
import { isWrong, JUDGED_IDENTITIES } from '../../src/conformance/identity-questions.ts'
import { BETWEEN_LIES } from '../../src/conformance/lies/between-answers.ts'
import { type Lie, operationOf } from '../../src/conformance/lies/lying-transport.ts'
import { factsAnswerer } from '../../src/contract/identities/facts-answers.ts'
import type {
  Identity,
  InfoBody,
  OperationQuestion,
  Question,
} from '../../src/contract/identities/identity.ts'
import { questionRequest } from '../../src/contract/identities/question-requests.ts'
import { type Finding, reconciled } from '../../src/contract/identities.ts'
import { operationPath } from '../../src/contract/paths.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { AT_MS } from '../fixtures/memory-probe.ts'

const { sandbox } = await recordedRegistry({ at: AT_MS })
const answer = factsAnswerer(sandbox.facts())
const COINS = ['BTC', 'ETH', 'HYPE', 'PURR/USDC']

/** Answers as texts, by their questions. */
const answers = new Map<string, string>()

function answered(question: Question, others: ReadonlyMap<string, string>): unknown {
  const key = JSON.stringify(question)
  const text = answers.get(key) ?? JSON.stringify(runToEnd(answer(question)))
  answers.set(key, text)
  return JSON.parse(others.get(key) ?? text)
}

const NO_OTHERS = new Map<string, string>()

/** The rows of a list. */
function* rowsOf(operation: string, query: Record<string, string>) {
  const rows = answered({ operation, query } as Question, NO_OTHERS)
  for (const row of Array.isArray(rows) ? rows : []) yield row as Record<string, unknown>
}

/** Some accounts of each sort. */
function accounts(): string[] {
  const found = COINS.flatMap((coin) => [
    ...[...rowsOf('perpdex.liquidationsTopPositions', { coin, interval: '1d' })].slice(0, 1),
    ...[...rowsOf('perpdex.topTrades', { coin, interval: '1d', limit: '10' })].slice(0, 1),
    ...[...rowsOf('perpdex.topOpenOrders', { coin, limit: '20' })].slice(0, 2),
    ...[...rowsOf('perpdex.whalePositions', { coin, topBy: 'position-value' })].slice(0, 1),
  ])
  const twaps = [...rowsOf('perpdex.twapsTopImpact', { limit: '20' })].slice(0, 3)
  return [...new Set([...found, ...twaps].map(({ address, user }) => String(address ?? user)))]
}

/** What an identity finds where some answers are others, and what it has read. */
function found(identity: Identity, subject: string, others: ReadonlyMap<string, string>) {
  const read = new Set<string>()
  const asking = reconciled(identity, subject)
  try {
    let step = asking.next()
    while (!step.done) {
      if (step.value) read.add(JSON.stringify(step.value))
      step = asking.next(step.value && answered(step.value, others))
    }
    return { findings: step.value, read }
  } catch (error) {
    // Another form than the declared one is noticed elsewhere.
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error
    return { findings: [] as Finding[], read }
  }
}

const subjects = { address: accounts(), coin: COINS }
const TRUE = (['address', 'coin'] as const).flatMap((kind) =>
  JUDGED_IDENTITIES[kind].flatMap((identity) =>
    subjects[kind].map((subject) => ({
      identity,
      subject,
      ...found(identity, subject, NO_OTHERS),
    })),
  ),
)

/** A question as it is sent; null for one to a socket. */
function sentFor(question: Question) {
  if ('channel' in question) return null
  const request = questionRequest(question as InfoBody | OperationQuestion)
  const { method, path, query, body } = request
  const whole = operationPath({ path }) + (query ? `?${new URLSearchParams(query)}` : '')
  return { method, path: whole, ...(body ? { body: JSON.stringify(body) } : {}) }
}

/** The answers that a lie changes. */
async function changedBy({ change, of }: Lie): Promise<Map<string, string>> {
  const [others, { answer: changed }] = [new Map<string, string>(), change()]
  for (const [key, data] of answers) {
    const sent = sentFor(JSON.parse(key))
    if (sent === null || operationOf(sent)?.id !== of || data === 'null') continue
    const text = `{"code":"0","data":${data}}`
    const received = { status: 200, contentType: 'application/json', text }
    const said = JSON.stringify(JSON.parse((await changed?.(received, sent))?.text ?? text).data)
    if (said !== data) others.set(key, said)
  }
  return others
}

test('a true target breaks no identity', () => {
  expect(TRUE.flatMap(({ findings }) => findings.filter(isWrong))).toEqual([])
})

test('nine of ten figures that are wrong in one answer break an identity', async () => {
  const missed: string[] = []
  let tried = 0
  for (const lie of BETWEEN_LIES) {
    const others = await changedBy(lie)
    if (others.size === 0) continue
    tried++
    const isNoticed = TRUE.some(
      ({ identity, subject, read, findings }) =>
        findings.length > 0 &&
        [...read].some((key) => others.has(key)) &&
        found(identity, subject, others).findings.some(isWrong),
    )
    if (!isNoticed) missed.push(lie.id)
  }
  expect(tried).toBeGreaterThan(500)
  // What stands in one answer only is contradicted by none.
  expect(missed.length).toBeLessThan(tried / 10)
})
