import { expect, test } from 'bun:test'
import type { JournalEntry } from '../../clients/control/records.ts'
import { type Baseline, JUDGES, judgeRun, type RunRecord } from './judges.ts'
import { calmPlan } from './run.ts'

const START_MS = 1_000_000
const SEEN: Baseline = { endsItself: false, requests: 0, connections: 0, subscriptions: [] }
const NONE = new Set<string>()

function recordOf(journal: object[], more: Partial<RunRecord> = {}): RunRecord {
  const entries = journal.map((entry, index) => ({
    seq: index + 1,
    key: 'k',
    rule: null,
    reason: null,
    sessionMs: START_MS,
    ...entry,
  })) as unknown as JournalEntry[]
  const own = { carriedOut: [], claims: [], failed: null, isLate: false, seen: SEEN }
  return {
    plan: calmPlan(9_000),
    clock: 'held',
    startMs: START_MS,
    ...own,
    journal: entries,
    ...more,
  }
}

let nonces = 0
const request = (status: number, fields: object = {}) => ({
  kind: 'request',
  operation: 'perpdex.tickers',
  method: 'GET',
  path: '/hl/tickers',
  query: `AccessKeyId=k&SignatureNonce=n${++nonces}&Timestamp=1`,
  body: '',
  status,
  ...fields,
})
const opened = (fields: object = {}) => ({
  kind: 'socket',
  event: 'opened',
  connection: 1,
  ...fields,
})
const times = (count: number, make: (index: number) => object) =>
  Array.from({ length: count }, (_, index) => make(index))
const EXPIRED = { check: 'signature', detail: 'it was signed 59 s ago and is valid for 30 s' }

/** The judges that find something. */
const found = (record: RunRecord, calm: Baseline | null = null, without = NONE) =>
  judgeRun(record, calm, without).map(({ judge }) => judge)

test('a refusal that stays may be met six times in a row, and an answer ends the row', () => {
  const refused = () => request(403)
  expect(found(recordOf(times(6, refused)))).toEqual([])
  expect(found(recordOf(times(7, refused)))).toEqual(['refused-again'])
  expect(found(recordOf([...times(6, refused), request(200), ...times(6, refused)]))).toEqual([])
})

test('sockets that a client leaves open beside new ones are found', () => {
  const calm = { ...SEEN, connections: 1 }
  const seen = (connections: number) => recordOf([], { seen: { ...SEEN, connections } })
  expect(found(seen(2), calm)).toEqual([])
  expect(found(seen(3), calm)).toEqual(['left-open'])
  expect(found(seen(3), { ...calm, endsItself: true })).toEqual([])
  expect(found(seen(3), null)).toEqual([])
})

test('a method that the contract does not have is found like a path', () => {
  expect(found(recordOf([request(405, { operation: null })]))).toEqual(['unknown-request'])
  expect(found(recordOf([request(405)]))).toEqual([])
})

test('signatures that expire in one jump count once', () => {
  const old = () => request(401, { reason: EXPIRED })
  expect(found(recordOf(times(30, old)))).toEqual([])
})

test('a pause is required while requests are refused with 429', () => {
  expect(found(recordOf(times(20, () => request(429))))).toEqual([])
  expect(found(recordOf(times(21, () => request(429))))).toEqual(['pace'])
  const spread = times(40, (index) => request(429, { sessionMs: START_MS + index * 100 }))
  expect(found(recordOf(spread))).toEqual([])
  const lost = { number: 0, action: { at: '0s', fault: { drop: { where: 'before' } } } }
  const carriedOut = [{ ...lost, atMs: 0, untilMs: 5_000, refused: null }]
  expect(
    found(
      recordOf(
        times(21, () => request(429)),
        { carriedOut },
      ),
    ),
  ).toEqual([])
})

test('a storm of sockets is one beyond those that the client usually has', () => {
  const sockets = (count: number) => recordOf(times(count, (n) => opened({ connection: n })))
  expect(found(sockets(10))).toEqual([])
  expect(found(sockets(11))).toEqual(['reconnect-storm'])
  expect(found(sockets(11), { ...SEEN, connections: 3 })).toEqual([])
})

test('a signature is for one request, and expired ones are not used again and again', () => {
  const twice = { query: 'SignatureNonce=same&Timestamp=1' }
  expect(found(recordOf([request(200, twice), request(200, twice)]))).toEqual(['signature'])
  expect(found(recordOf([request(200, twice), request(200, { ...twice, rule: 'drop' })]))).toEqual(
    [],
  )
  const refused = (sessionMs: number) =>
    opened({ event: 'refused', connection: null, status: 401, reason: EXPIRED, sessionMs })
  expect(found(recordOf([refused(START_MS), refused(START_MS)]))).toEqual([])
  expect(found(recordOf([refused(START_MS), refused(START_MS + 5_000)]))).toEqual(['signature'])
})

test('a second repeated subscription is a failure, unless acknowledgements are lost', () => {
  const text = '{"channel":"subscriptionResponse","data":{"status":"alreadySubscribed"}}'
  const frame = () => ({ kind: 'frame', direction: 'out', connection: 1, path: '/hl/ws', text })
  expect(found(recordOf(times(1, frame)))).toEqual([])
  expect(found(recordOf(times(2, frame)))).toEqual(['subscribed-twice'])
  const action = { at: '0s', fault: 'lose-acknowledgements' }
  const carriedOut = [{ number: 0, action, atMs: 0, untilMs: 5_000, refused: null }]
  expect(found(recordOf(times(2, frame), { carriedOut }))).toEqual([])
})

test('unknown paths and repeated mistakes are failures', () => {
  expect(found(recordOf([request(404, { operation: null, path: '/hl/tikers' })]))).toEqual([
    'unknown-request',
  ])
  expect(found(recordOf(times(4, () => request(400))))).toEqual([])
  expect(found(recordOf(times(5, () => request(400))))).toEqual(['mistake-again'])
})

test('heartbeats are judged by a running clock only', () => {
  const idle = [opened(), opened({ event: 'closed', status: 1006, subject: 'idle for 60 s' })]
  expect(found(recordOf(idle, { clock: 'running' }))).toEqual(['heartbeat'])
  expect(found(recordOf(idle))).toEqual([])
})

test('a program that has lost a subscription for good has not recovered', () => {
  const calm = { ...SEEN, subscriptions: ['a', 'a', 'b'] }
  const seen = { ...SEEN, subscriptions: ['a', 'b'] }
  expect(found(recordOf([], { seen }), calm)).toEqual(['not-recovered'])
  expect(found(recordOf([], { seen: calm }), calm)).toEqual([])
  expect(found(recordOf([], { seen }), { ...calm, endsItself: true })).toEqual([])
})

test('own failures come first, one of each judge is reported, and each can be switched off', () => {
  const claims = [
    { kind: 'book', why: 'it is wrong', sessionMs: START_MS + 5 },
    { kind: 'book', why: 'it is wrong again', sessionMs: START_MS + 9 },
  ]
  const record = recordOf([request(404, { operation: null })], { claims, failed: 'it threw' })
  expect(found(record)).toEqual(['exit', 'claim.book', 'unknown-request'])
  expect(judgeRun(record, null, NONE)[1]).toMatchObject({ text: 'it is wrong', atMs: 5 })
  expect(found(record, null, new Set(['claim', 'exit']))).toEqual(['unknown-request'])
  expect(found({ ...record, isLate: true })).toContain('hang')
})

test('every judge has an id of its own, a number and a source', () => {
  expect(new Set(JUDGES.map(({ id }) => id)).size).toBe(JUDGES.length)
  for (const { number, source } of JUDGES)
    expect([number >= 0, source !== '']).toEqual([true, true])
})
