/** Runs cases against a target: each bounded in time, interfering ones alone. */

import type { SystemClock } from '../clock/system-clock.ts'
import { reasonLines } from '../contract/reason-text.ts'
import { deferred } from '../platform/deferred.ts'
import { UserError } from '../platform/user-error.ts'
import { randomSource } from '../random/random-source.ts'
import {
  BlockedCase,
  CaseTimeout,
  type CheckFailure,
  CrowdedOut,
  Flood,
  SkipCase,
} from './case-outcome.ts'
import { Conversation, type Said } from './conversation.ts'
import { answerFlaw, frameFlaw } from './declared-violations.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Gate } from './pace.ts'
import { type Case, Probe, type ProbeListener } from './probe.ts'
import { isJsonObject } from './responses.ts'
import type { SchemaCoverage } from './schema-coverage.ts'
import { type JournalLine, missingNeed, type Target } from './target.ts'
import type { TargetTransport } from './target-transport.ts'
import type { Traffic } from './traffic.ts'

export type Verdict = 'passed' | 'failed' | 'skipped'

/** Result of a case. */
export interface Result {
  id: string
  title: string
  checks: readonly string[]
  verdict: Verdict
  /** The failed condition, or the reason of a skip; empty when it passed. */
  message: string
  evidence?: unknown
  /** Why a failure does not fail the run. */
  known?: string
  /** Whether a wrong answer to a lookup is why it was skipped. */
  isBlocked?: true
  /** Whether it had evidence that could have revealed a deviation. */
  looked: boolean
  /** The latest requests, responses and frames; empty when it passed. */
  conversation: readonly Said[]
  durationMs: number
}

export interface RunSettings {
  target: Target
  transport: TargetTransport
  systemClock: SystemClock
  /** Prefix of nonces; differs from run to run. */
  nonce: string
  /** Timeout of one case, without its waits for turns and for time to pass, ms (60 000). */
  caseTimeoutMs?: number
  /** Concurrent cases (8). */
  concurrency?: number
  /** Retries before values that must agree count as different. */
  retries?: number
  /** Shuffles the cases; by default in written order. */
  seed?: number
  /** Pace and end of the run; by default at once and complete. */
  traffic?: Traffic
  /** Whether the main key lacks a permission; by default none. */
  lacks?: (permission: string) => Promise<boolean>
  /** Collects the parts of schemas seen. */
  coverage?: SchemaCoverage
  /** Keeps everything that is received. */
  ledger?: Ledger
  /** Receives what a case is answered, besides the coverage. */
  listenerFor?: (which: Case) => ProbeListener
  /** Called when a case ends. */
  onResult?: (result: Result) => void
}

/** Runs all cases; results are in the order of the cases, whatever the order of running. */
export async function runCases(cases: readonly Case[], given: RunSettings): Promise<Result[]> {
  const { target, transport, ledger } = given
  const settings = ledger ? { ...given, target: ledger.follow(target, transport) } : given
  const results = new Map<Case, Result>()
  const order = settings.seed === undefined ? cases : shuffled(cases, settings.seed)
  const end = (which: Case, result: Result) => {
    results.set(which, result)
    settings.onResult?.(result)
  }
  const again = new Set<Case>()
  const left = new Map<Case, Result>()
  const alone = new Set(order.filter((which) => isAlone(which, settings.target)))
  const run = (which: Case) => runCase(which, order.indexOf(which), settings)
  const lane = (waiting: Case[]) => async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { isCrowdedOut, ...result } = await run(next)
      const isFailure = result.verdict === 'failed'
      if (!isCrowdedOut) end(next, result)
      else if (isFailure && again.size === UNANSWERED_MAX) left.set(next, result)
      else {
        alone.add(next)
        if (isFailure) again.add(next)
      }
    }
  }
  const parallel = order.filter((which) => !alone.has(which))
  const busy = lane(parallel.filter(isBusy))
  // Waiting cases block no others, and cost the target little.
  const waiting = lane(parallel.filter(({ passesTime }) => passesTime))
  const lanes = [busy, waiting, waiting]
  const workers = Array.from({ length: settings.concurrency ?? 8 }, () => lanes).flat()
  await Promise.all(workers.map((work) => work()))
  for (const which of order)
    if (alone.has(which)) {
      const { isCrowdedOut: _, ...result } = await run(which)
      end(which, result)
    }
  const wasLate = [...again].some((which) => results.get(which)?.verdict === 'passed')
  for (const [which, result] of left) end(which, wasLate ? asLate(result) : result)
  return cases.map((which) => results.get(which) as Result)
}

/**
 * The cases that could not be judged because a lookup was answered wrongly, as one failure; null
 * for none. A fault that takes away the subject of its own case is not silent.
 */
export function blockedResult(results: readonly Result[]): Result | null {
  const blocked = results.filter(({ isBlocked }) => isBlocked)
  const [first] = blocked
  if (first === undefined) return null
  const title = 'lookups for the cases are answered as the contract says'
  const others = blocked.map(({ id, message }) => ({ id, message }))
  return {
    id: 'run.lookups',
    title,
    checks: [...new Set(blocked.flatMap(({ checks }) => checks))],
    verdict: 'failed',
    message: `${blocked.length} cases could not be judged: ${first.message} (${first.id})`,
    evidence: { expected: { blocked: [] }, found: { blocked: others } },
    looked: true,
    conversation: first.conversation,
    durationMs: 0,
  }
}

/** Maximum number of unanswered cases repeated: each may take a minute. */
const UNANSWERED_MAX = 20

/** A case that moves the target's time ages the signatures of others. */
const isAlone = ({ exclusive, passesTime, needs }: Case, { control }: Target): boolean =>
  exclusive === true ||
  needs?.includes('control') === true ||
  (passesTime === true && control !== undefined)

const isBusy = ({ passesTime }: Case): boolean => passesTime !== true

function shuffled(cases: readonly Case[], seed: number): readonly Case[] {
  const random = randomSource(seed, 'order of cases')
  const keys = new Map(cases.map((which) => [which, random.unit()]))
  return [...cases].sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0))
}

function bothListeners(one: ProbeListener = {}, other: ProbeListener = {}): ProbeListener {
  return {
    onAnswer: (exchange, request) => {
      one.onAnswer?.(exchange, request)
      other.onAnswer?.(exchange, request)
    },
    onFrame: (path, frame) => {
      one.onFrame?.(path, frame)
      other.onFrame?.(path, frame)
    },
  }
}

let count = 0

/** A result, and whether other cases may have interfered, so that it is repeated alone. */
type Ran = Result & { isCrowdedOut: boolean }

async function runCase(which: Case, rank: number, settings: RunSettings): Promise<Ran> {
  const { target, transport, systemClock, traffic, coverage, retries, lacks } = settings
  const { id, title, checks } = which
  const startMs = systemClock.monotonicMs()
  const gate = traffic?.gate(rank)
  const wait = (ms: number) => new Promise<void>((go) => void systemClock.startTimer(ms, go))
  const signing = {
    nowS: () => Math.floor(systemClock.nowMs() / 1000),
    nonce: () => `${settings.nonce}-${count++}`,
    wait: gate?.pause ?? wait,
  }
  const conversation = new Conversation(() => systemClock.monotonicMs() - startMs)
  const probe = new Probe(target, transport, signing, {
    conversation,
    ...bothListeners(coverage?.listener, settings.listenerFor?.(which)),
    declarations: { answerFlaw, frameFlaw },
    ...(settings.ledger ? { ledger: settings.ledger } : {}),
    ...(gate ? { gate } : {}),
    ...(retries === undefined ? {} : { retries }),
    ...(lacks ? { lacks } : {}),
  })
  const { isCrowdedOut = false, ...outcome } = await judge(which, probe, gate, settings)
  probe.close()
  const durationMs = systemClock.monotonicMs() - startMs
  // Only failures need their conversation, and what is reported as one.
  const isReported = outcome.verdict === 'failed' || outcome.isBlocked === true
  const said = isReported ? await withReasons(conversation.said, target) : []
  const reported = withoutSecrets({ ...outcome, conversation: said }, target)
  return { id, title, checks, ...reported, durationMs, isCrowdedOut }
}

/** Adds the reasons that the target's journal knows, the last request's first. */
async function withReasons(all: readonly Said[], { control }: Target): Promise<readonly Said[]> {
  // A failure is reported with reasons or without them.
  const left = [...((await control?.journal?.().catch(() => [])) ?? [])]
  for (const said of [...all].reverse()) {
    const at = left.findLastIndex((line) => isAbout(line, said))
    const [line] = at < 0 ? [] : left.splice(at, 1)
    if (line) said.reason = line.reason ? reasonLines(line.reason) : [SIMPLY_ANSWERED]
  }
  return all
}

const SIMPLY_ANSWERED = 'no check refused it, and no rule of a scenario acted on it'

/** Unsigned requests and sockets have no name of their own there: the latest of the path is it. */
function isAbout(line: JournalLine, { kind, address, signature }: Said): boolean {
  const { path, query = '', body = '' } = line
  if (line.kind !== kind || !new URL(address, 'http://target').pathname.endsWith(path)) return false
  if (kind === 'socket') return line.reason !== null
  const sent = `${query} ${body}`
  const { nonce } = signature
  return nonce === undefined ? !sent.includes('SignatureNonce') : sent.includes(nonce)
}

type Outcome = Pick<Result, 'verdict' | 'message' | 'evidence' | 'looked' | 'isBlocked'> &
  Partial<Pick<Ran, 'isCrowdedOut'>>

const VACUOUS = 'no response could have revealed a deviation'

async function judge(
  which: Case,
  probe: Probe,
  gate: Gate | undefined,
  settings: RunSettings,
): Promise<Outcome> {
  const { target, traffic } = settings
  const lacks = missingNeed(which.needs ?? [], target)
  const skipReason = traffic?.ended?.message ?? lacks
  if (skipReason !== null) return { verdict: 'skipped', message: skipReason, looked: false }
  const ending = deferred<never>()
  const cancelTimeout = startTimeout(settings, gate, (late) => ending.reject(late))
  const stopListening = traffic?.onOver((ended) => ending.reject(ended))
  try {
    await Promise.race([which.run(probe), ending.promise])
    if (probe.evidence === 'nothing') return { verdict: 'skipped', message: VACUOUS, looked: false }
    return { verdict: 'passed', message: '', looked: true }
  } catch (error) {
    return outcomeOf(error, probe.evidence === 'values')
  } finally {
    cancelTimeout()
    stopListening?.()
  }
}

function outcomeOf(error: unknown, looked: boolean): Outcome {
  if (error instanceof SkipCase) {
    const isCrowdedOut = error instanceof CrowdedOut
    const blocked = error instanceof BlockedCase ? { isBlocked: true as const } : {}
    return { verdict: 'skipped', message: error.message, looked: false, isCrowdedOut, ...blocked }
  }
  const { message, evidence } = error as CheckFailure
  // A missing response: on a busy target all others may have to wait.
  const isUnanswered = error instanceof UserError && !(error instanceof Flood)
  const isCrowdedOut = isUnanswered || error instanceof CaseTimeout
  const reported = evidence === undefined ? {} : { evidence: shortened(evidence) }
  return { verdict: 'failed', message, looked, ...reported, isCrowdedOut }
}

/** Where others were answered alone, a missing response is no evidence. */
const asLate = <T extends { message: string }>(result: T) => ({
  ...result,
  verdict: 'skipped' as const,
  looked: false,
  conversation: [],
  message: `${result.message} beside other requests, and too many cases did so to repeat them all`,
})

// Timeouts of cases.

/** Fires when a case has used up its time; waits are excluded. */
function startTimeout(
  { systemClock, caseTimeoutMs = 60_000 }: { systemClock: SystemClock; caseTimeoutMs?: number },
  gate: Gate | undefined,
  onLate: (late: CaseTimeout) => void,
): () => void {
  const startMs = systemClock.monotonicMs()
  let cancel = () => {}
  const arm = (ms: number) => {
    cancel = systemClock.startTimer(ms, () => {
      const spentMs = systemClock.monotonicMs() - startMs - (gate?.waitedMs ?? 0)
      const leftMs = gate === undefined ? 0 : caseTimeoutMs - spentMs
      if (leftMs > 0) arm(leftMs)
      else onLate(new CaseTimeout(`it produced nothing in ${caseTimeoutMs} ms`))
    })
  }
  arm(caseTimeoutMs)
  return () => cancel()
}

/** Removes secrets from a report. */
const HIDDEN = '(hidden)'

/** Shorter ones also occur in other words. */
const LENGTH_MIN = 6

/**
 * A JSON value without the target's secrets and without any value named like a key, a secret, an
 * invite token or a signature: a target may echo a request.
 */
export function withoutSecrets<T>(reported: T, { keys, inviteToken }: Target): T {
  const known = Object.values(keys).map(({ secretKey }) => secretKey)
  const secrets = [...known, inviteToken ?? ''].filter(({ length }) => length >= LENGTH_MIN)
  const hide = (text: string) =>
    secrets.reduce((left, secret) => left.replaceAll(secret, HIDDEN), withoutNamed(text))
  return JSON.parse(JSON.stringify(reported), (name, value) => {
    if (typeof value !== 'string') return value
    return NAME.test(name) ? HIDDEN : hide(value)
  })
}

/** `Signature=…`, `"secretKey":"…"`, also inside nested JSON texts. */
const withoutNamed = (text: string): string =>
  text
    .replaceAll(IN_QUERY, (_, name: string) => `${name}=${HIDDEN}`)
    .replaceAll(IN_JSON, (_, name: string) => `${name}${HIDDEN}`)

const SIGNED = 'AccessKeyId|Signature'
const NAMES = `${SIGNED}|access_?key\\w*|\\w*secret\\w*|\\w*invite_?token\\w*`
const NAME = new RegExp(`^(?:${NAMES})$`, 'i')
const IN_QUERY = new RegExp(`\\b(${SIGNED})=[^&\\s"'<>\\\\]+`, 'g')
const IN_JSON = new RegExp(`(\\\\*"(?:${NAMES})\\\\*"\\s*:\\s*\\\\*")[^"\\\\]+`, 'gi')

// Bounds the values of failures: a target may answer megabytes to each case.

/** Maximum characters in total; a report shows far fewer. */
const LENGTH_MAX = 100_000

/** The value, or its beginning up to the limit. */
export const shortened = (value: unknown): unknown => cut(value, { left: LENGTH_MAX })

function cut(value: unknown, room: { left: number }): unknown {
  if (typeof value === 'string') return text(value, room)
  if (Array.isArray(value)) {
    const kept: unknown[] = []
    for (const one of value) {
      if (room.left <= 0) return [...kept, `… (${value.length - kept.length} more)`]
      kept.push(cut(one, room))
    }
    return kept
  }
  if (!isJsonObject(value)) {
    room.left -= 8
    return value
  }
  const kept: [string, unknown][] = []
  for (const [name, one] of Object.entries(value)) {
    if (room.left <= 0) return Object.fromEntries([...kept, ['…', 'more']])
    room.left -= name.length
    kept.push([name, cut(one, room)])
  }
  return Object.fromEntries(kept)
}

function text(value: string, room: { left: number }): string {
  const { length } = value
  const most = Math.max(0, room.left)
  room.left -= length
  if (length <= most) return value
  // A slice would keep the whole text in memory; a copy does not.
  return `${Buffer.from(value.slice(0, most)).toString()}… (${length} characters)`
}
