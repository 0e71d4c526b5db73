/**
 * Judges of a run: each looks at the journal for one thing that a client should not do, has a
 * number that bounds it and a source, and can be switched off by its id.
 */

import type { JournalEntry } from '../../clients/control/records.ts'
import type { Action, Plan } from './plan.ts'
import { spanOf } from './plan.ts'

/** What went wrong in a run. */
export interface Failure {
  /** Id of the judge: shrinking keeps it. */
  judge: string
  /** One sentence. */
  text: string
  /** Session time from the start of the run, ms. */
  atMs: number
  /** Number of the entry in the journal that shows it; null for none. */
  seq: number | null
}

/** What the client does without any trouble. */
export interface Baseline {
  /** Whether it ends by itself. */
  endsItself: boolean
  requests: number
  connections: number
  /** Its subscriptions at the end of the plan, sorted. */
  subscriptions: readonly string[]
}

/** A claim of a client that was judged wrong. */
export interface WrongClaim {
  kind: string
  why: string
  /** Session time, ms. */
  sessionMs: number
}

/** An action as it was carried out; instants are session time from the start of the run, ms. */
export interface CarriedOut {
  /** Its place in the plan, from 0. */
  number: number
  action: Action
  atMs: number
  /** Its end; the same instant for what takes no time. */
  untilMs: number
  /** Why the market refused it; null where it was carried out. */
  refused: string | null
}

/** Everything that a run leaves to judge. */
export interface RunRecord {
  plan: Plan
  clock: 'held' | 'running'
  /** Session time at its start, ms. */
  startMs: number
  /** The actions as they were carried out, and why the market refused one. */
  carriedOut: readonly CarriedOut[]
  /** All entries, oldest first. */
  journal: readonly JournalEntry[]
  claims: readonly WrongClaim[]
  /** What it has done, as it was when all trouble was over. */
  seen: Baseline
  /** Why the client has failed by its own account; null when it has not. */
  failed: string | null
  /** Whether it had to be killed. */
  isLate: boolean
}

/** A judge of journals. */
export interface Judge {
  id: string
  /** What it looks for, in a sentence. */
  about: string
  /** More than this many of it are a failure. */
  number: number
  /** Where that is from. */
  source: string
  /** With a held clock, a client's own timers say nothing. */
  needs?: 'running'
  find(record: RunRecord, number: number, calm: Baseline | null): Found[]
}

type Found = Omit<Failure, 'judge'>
type RequestEntry = Extract<JournalEntry, { kind: 'request' }>
type SocketEntry = Extract<JournalEntry, { kind: 'socket' }>

/** Failures that no judge of journals finds; claims have the id `claim.<kind>`. */
export const OUTCOMES = {
  exit: 'The client fails by its own account: its exit code, or an error of the test.',
  hang: 'The client does not end in time.',
  claim: 'A claim of the client is wrong.',
} as const

/** All failures of a run, the gravest first: its own, claims, then what the judges find. */
export function judgeRun(
  record: RunRecord,
  calm: Baseline | null,
  without: ReadonlySet<string>,
): Failure[] {
  const { failed, isLate, journal, startMs, claims, clock } = record
  const lastMs = (journal.at(-1)?.sessionMs ?? startMs) - startMs
  const own: Failure[] = []
  if (isLate)
    own.push({ judge: 'hang', text: 'it did not end in time, and was killed', ...at(lastMs) })
  else if (failed !== null) own.push({ judge: 'exit', text: failed, ...at(lastMs) })
  const wrong = claims.map(({ kind, why, sessionMs }) => ({
    judge: `claim.${kind}`,
    text: why,
    ...at(sessionMs - startMs),
  }))
  const found = JUDGES.filter(({ needs }) => needs === undefined || needs === clock).flatMap(
    (judge) => judge.find(record, judge.number, calm).map((one) => ({ judge: judge.id, ...one })),
  )
  const isOn = ({ judge }: Failure) =>
    !without.has(judge) && !without.has(judge.split('.')[0] ?? '')
  return [...own, ...firstOfEach(wrong), ...firstOfEach(found)].filter(isOn)
}

const at = (atMs: number) => ({ atMs, seq: null })

/** The first failure of each judge: the others follow from it more often than not. */
function firstOfEach(failures: readonly Failure[]): Failure[] {
  const seen = new Set<string>()
  return failures.filter(({ judge }) => seen.size < seen.add(judge).size)
}

const requestsIn = ({ journal }: RunRecord): RequestEntry[] =>
  journal.filter((entry): entry is RequestEntry => entry.kind === 'request')

const socketsIn = ({ journal }: RunRecord): SocketEntry[] =>
  journal.filter((entry): entry is SocketEntry => entry.kind === 'socket')

/** Whether such an action was on at an instant of the session, or had just ended. */
function isDuring(
  { carriedOut, startMs }: RunRecord,
  sessionMs: number,
  is: (one: Action) => boolean,
): boolean {
  const nowMs = sessionMs - startMs
  return carriedOut.some(
    ({ action, atMs, untilMs }) => is(action) && atMs <= nowMs && nowMs <= untilMs + JUST_MS,
  )
}

const JUST_MS = 2_000

/**
 * Whether a signature was refused as too old. A client that signs at the instant of a jump is
 * refused too, until the next second of the machine: of one instant, such refusals count once.
 */
const isExpiry = ({ reason }: Pick<RequestEntry, 'reason'>): boolean =>
  reason?.check === 'signature' && /\bs ago\b/.test(reason.detail)

/**
 * Whether the clock stood at that instant while the market was changed, which takes the machine
 * some time: what a client did meanwhile looks as if it were done at once.
 */
const wasStanding = ({ carriedOut, startMs }: RunRecord, { sessionMs }: { sessionMs: number }) =>
  carriedOut.some(
    ({ action, atMs }) =>
      (action.market ?? action.seek) !== undefined && Math.abs(sessionMs - startMs - atMs) < 1,
  )

const faultNamed =
  (name: string) =>
  ({ fault }: Action) =>
    fault === name || (typeof fault === 'object' && fault !== null && name in fault)

const nonceOf = ({ query, body }: RequestEntry): string | null =>
  /SignatureNonce(?:=|"\s*:\s*")([^&"\s]+)/.exec(`${query} ${body}`)?.[1] ?? null

/** The first entry that is one too many of more than `number` within a span of session time. */
function crowdedAt<T extends { sessionMs: number }>(
  entries: readonly T[],
  number: number,
  spanMs: number,
): T | undefined {
  return entries.find((last, index) => {
    const first = entries[index - number]
    return first !== undefined && last.sessionMs - first.sessionMs <= spanMs
  })
}

const refusedAgain: Judge = {
  id: 'refused-again',
  about: 'The same operation is requested again and again after 401 or 403.',
  number: 5,
  source: 'Errors of the contract: a wrong signature or a missing permission does not go away',
  find(record, number) {
    const inRow = new Map<string, number>()
    let expiredMs = Number.NaN
    for (const entry of requestsIn(record)) {
      const { sessionMs, seq, status, operation, key, path } = entry
      const name = `${operation ?? path} ${key}`
      if (isExpiry(entry) && sessionMs === expiredMs) continue
      if (isExpiry(entry)) expiredMs = sessionMs
      const isRefused = status === 401 || status === 403
      const count = isRefused ? (inRow.get(name) ?? 0) + 1 : 0
      inRow.set(name, count)
      if (count > number + 1)
        return [
          {
            text:
              `${operation ?? path} was requested ${count} times in a row that were refused ` +
              `with ${status}`,
            atMs: sessionMs - record.startMs,
            seq,
          },
        ]
    }
    return []
  },
}

const paceAfterRefusal: Judge = {
  id: 'pace',
  about: 'Requests go on without a pause while they are answered with 429 or 503.',
  number: 20,
  source: 'RFC 6585, 4 and RFC 9110, 15.6.4: the client waits before it requests again',
  find(record, number) {
    const inRow = new Map<string | null, RequestEntry[]>()
    for (const entry of requestsIn(record)) {
      // What was lost on the way says nothing to the client.
      if (isDuring(record, entry.sessionMs, faultNamed('drop'))) continue
      if (wasStanding(record, entry)) continue
      const row = entry.status === 429 || entry.status === 503 ? (inRow.get(entry.key) ?? []) : []
      if (entry.status === 429 || entry.status === 503) row.push(entry)
      inRow.set(entry.key, row)
      const found = crowdedAt(row.slice(-number - 1), number, 1_000)
      if (!found) continue
      const text = `more than ${number} requests in a row within 1 s got ${found.status}`
      return [{ text, atMs: found.sessionMs - record.startMs, seq: found.seq }]
    }
    return []
  },
}

const reconnectStorm: Judge = {
  id: 'reconnect-storm',
  about: 'Sockets are opened again and again without a growing pause.',
  number: 10,
  source: 'scenario reconnect-storm: wait longer before each attempt',
  find(record, number, calm) {
    const attempts = socketsIn(record).filter(
      (entry) =>
        (entry.event === 'opened' || entry.event === 'refused') &&
        !isExpiry(entry) &&
        !wasStanding(record, entry),
    )
    // As many as the client usually has may come at once.
    const usual = calm?.connections ?? 0
    const found = crowdedAt(attempts, number + usual, 1_000)
    if (!found) return []
    const text = `more than ${number + usual} sockets were opened or refused within 1 s`
    return [{ text, atMs: found.sessionMs - record.startMs, seq: found.seq }]
  },
}

const lateHeartbeat: Judge = {
  id: 'heartbeat',
  about: 'A socket is closed because its client has sent nothing for 60 s.',
  number: 0,
  source: 'Limits of the contract: a heartbeat every 20 to 30 s',
  needs: 'running',
  find(record) {
    const idle = socketsIn(record).find(
      ({ event, subject }) => event === 'closed' && (subject ?? '').startsWith('idle'),
    )
    if (!idle) return []
    const text = `connection ${idle.connection} was closed: ${idle.subject}`
    return [{ text, atMs: idle.sessionMs - record.startMs, seq: idle.seq }]
  },
}

const repeatedSignature: Judge = {
  id: 'signature',
  about: 'A signature is used for two requests, or for a socket after it has expired.',
  number: 0,
  source: 'Authentication of the contract: a Timestamp is valid for 30 s, a nonce is random',
  find(record) {
    const seen = new Set<string>()
    for (const entry of requestsIn(record)) {
      const nonce = nonceOf(entry)
      if (nonce === null) continue
      // Some runtimes send a request again by themselves when its connection is lost.
      if (entry.rule !== null) continue
      if (seen.size === seen.add(`${entry.key} ${nonce}`).size)
        return [
          {
            text: `the signature with nonce ${nonce} was used for two requests`,
            atMs: entry.sessionMs - record.startMs,
            seq: entry.seq,
          },
        ]
    }
    const expired = socketsIn(record).filter((entry) => isExpired(record, entry))
    const late = expired.find(({ sessionMs }) => sessionMs !== expired[0]?.sessionMs)
    if (!late) return []
    const text = `sockets were opened with an expired signature: ${late.reason?.detail}`
    return [{ text, atMs: late.sessionMs - record.startMs, seq: late.seq }]
  },
}

/** A skewed clock makes every signature old: that is not the client's doing. */
const isExpired = (record: RunRecord, entry: SocketEntry): boolean =>
  entry.event === 'refused' &&
  entry.rule === null &&
  isExpiry(entry) &&
  !isDuring(record, entry.sessionMs, faultNamed('clock-skew'))

const subscribedTwice: Judge = {
  id: 'subscribed-twice',
  about: 'A connection subscribes to what it is subscribed to already.',
  number: 1,
  source: 'States of the contract: alreadySubscribed, no change',
  find(record, number) {
    const { journal, startMs } = record
    const twice = journal.filter(
      (entry) =>
        entry.kind === 'frame' &&
        entry.direction === 'out' &&
        entry.text.includes('"alreadySubscribed"') &&
        !isDuring(record, entry.sessionMs, faultNamed('lose-acknowledgements')),
    )
    const found = twice[number]
    if (found?.kind !== 'frame') return []
    const text =
      `${twice.length} subscriptions were repeated on a connection that had them, the last on ` +
      `connection ${found.connection}`
    return [{ text, atMs: found.sessionMs - startMs, seq: found.seq }]
  },
}

const unknownRequest: Judge = {
  id: 'unknown-request',
  about: 'A path or a method is requested that the contract does not have.',
  number: 0,
  source: 'Endpoints of the contract',
  find(record) {
    const found = requestsIn(record).find(
      ({ operation, status }) => operation === null && (status === 404 || status === 405),
    )
    if (!found) return []
    const text = `${found.method} ${found.path} is not in the contract`
    return [{ text, atMs: found.sessionMs - record.startMs, seq: found.seq }]
  },
}

const repeatedMistake: Judge = {
  id: 'mistake-again',
  about: 'A request that was refused with 400 is repeated as it was.',
  number: 3,
  source: 'RFC 9110, 15.5.1: what is wrong with the request stays wrong',
  find(record, number) {
    const counts = new Map<string, number>()
    for (const entry of requestsIn(record)) {
      // A rule may refuse anything: only refusals of the contract stay.
      if (entry.status !== 400 || entry.rule !== null) continue
      const { method, path, query, body } = entry
      const own = query.replaceAll(/(SignatureNonce|Timestamp|Signature)=[^&]*&?/g, '')
      const name = `${method} ${path} ${own} ${body}`
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      if (count > number + 1)
        return [
          {
            text: `${method} ${path} was sent ${count} times unchanged, and refused with 400`,
            atMs: entry.sessionMs - record.startMs,
            seq: entry.seq,
          },
        ]
    }
    return []
  },
}

const notRecovered: Judge = {
  id: 'not-recovered',
  about: 'After the trouble the client lacks subscriptions that it has in a calm run.',
  number: 0,
  source: 'the calm run of the same client',
  find({ seen, plan, failed, isLate }, _, calm) {
    if (calm === null || calm.endsItself || failed !== null || isLate) return []
    const left = [...seen.subscriptions]
    const missing = calm.subscriptions.filter((name) => {
      const index = left.indexOf(name)
      if (index >= 0) left.splice(index, 1)
      return index < 0
    })
    if (missing.length === 0) return []
    const text = `after the trouble it is not subscribed to ${missing.slice(0, 5).join(', ')}`
    return [{ text, atMs: plan.lengthMs, seq: null }]
  },
}

const leftOpen: Judge = {
  id: 'left-open',
  about: 'After the trouble the client has more sockets than in a calm run.',
  number: 1,
  source: 'the calm run of the same client; Limits of the contract: connections are limited',
  find({ seen, plan, failed, isLate }, number, calm) {
    if (calm === null || calm.endsItself || failed !== null || isLate) return []
    const extra = seen.connections - calm.connections
    if (extra <= number) return []
    const text =
      `after the trouble it has ${seen.connections} sockets, and ` +
      `${calm.connections} in a calm run: the old ones were never closed`
    return [{ text, atMs: plan.lengthMs, seq: null }]
  },
}

/** All judges of journals. */
export const JUDGES: readonly Judge[] = [
  refusedAgain,
  paceAfterRefusal,
  reconnectStorm,
  lateHeartbeat,
  repeatedSignature,
  subscribedTwice,
  unknownRequest,
  repeatedMistake,
  notRecovered,
  leftOpen,
]

/** The ids that can be switched off. */
export const JUDGE_IDS: readonly string[] = [
  ...Object.keys(OUTCOMES),
  ...JUDGES.map(({ id }) => id),
]

/** `reconnect-storm at 12.5s: more than 5 sockets …`. */
export const failureText = ({ judge, text, atMs }: Failure): string =>
  `${judge} at ${spanOf(Math.max(0, Math.round(atMs)))}: ${text}`
