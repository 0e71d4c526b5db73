/** Runs cases against a target: each bounded in time, those that disturb others by themselves. */

import type { SystemClock } from '../clock/system-clock.ts'
import { deferred } from '../platform/deferred.ts'
import { UserError } from '../platform/user-error.ts'
import { randomSource } from '../random/random-source.ts'
import { CaseTimeout, type CheckFailure, CrowdedOut, Flood, SkipCase } from './case-outcome.ts'
import { Conversation, type Said } from './conversation.ts'
import { answerFlaw, frameFlaw } from './declared-flaws.ts'
import type { Gate } from './pace.ts'
import { type Case, Probe } from './probe.ts'
import { isJsonObject } from './responses.ts'
import type { SchemaCoverage } from './schema-coverage.ts'
import { missingNeed, type Target } from './target.ts'
import type { TargetTransport } from './target-transport.ts'
import type { Traffic } from './traffic.ts'

export type Verdict = 'passed' | 'failed' | 'skipped'

/** What became of a case. */
export interface Result {
  id: string
  title: string
  checks: readonly string[]
  verdict: Verdict
  /** What does not hold, or why it was not looked at; empty when it passed. */
  message: string
  evidence?: unknown
  /** Why a failure does not fail the run. */
  known?: string
  /** Whether it was told anything that could have shown the target to be wrong. */
  looked: boolean
  /** What was asked and answered, sent and pushed, the latest of it; nothing when it passed. */
  conversation: readonly Said[]
  durationMs: number
}

export interface RunSettings {
  target: Target
  transport: TargetTransport
  systemClock: SystemClock
  /** What nonces begin with; differs from run to run. */
  nonce: string
  /** Longest time for one case, without its waits for turns and for time to pass, ms (60 000). */
  caseTimeoutMs?: number
  /** Cases at a time (8). */
  concurrency?: number
  /** How often what must agree is looked at again before it counts as different. */
  retries?: number
  /** Puts the cases into an order of its own; as they are written when left out. */
  seed?: number
  /** When requests go, and whether the run goes on; at once and to its end without. */
  traffic?: Traffic
  /** Whether the main key is known to lack a permission; it lacks none without. */
  lacks?: (permission: string) => Promise<boolean>
  /** Notes what of the schemas is seen. */
  coverage?: SchemaCoverage
  /** Told of each case as it ends. */
  onResult?: (result: Result) => void
}

/** Runs all cases; results are in the order of the cases, in whatever order they were run. */
export async function runCases(cases: readonly Case[], settings: RunSettings): Promise<Result[]> {
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
  const beside = order.filter((which) => !alone.has(which))
  const busy = lane(beside.filter(isBusy))
  // What mostly waits keeps nobody else waiting, and costs the target little.
  const waiting = lane(beside.filter(({ passesTime }) => passesTime))
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

/** Cases without an answer that are looked at again: each may take a minute. */
const UNANSWERED_MAX = 20

/** Whoever moves the target's time makes the signatures of others older. */
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

let count = 0

/** A result, and whether others may have kept the case from another one: alone it is seen. */
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
    ...coverage?.listener,
    declarations: { answerFlaw, frameFlaw },
    ...(gate ? { gate } : {}),
    ...(retries === undefined ? {} : { retries }),
    ...(lacks ? { lacks } : {}),
  })
  const { isCrowdedOut = false, ...outcome } = await judge(which, probe, gate, settings)
  probe.close()
  const durationMs = systemClock.monotonicMs() - startMs
  // What passed is not told: only what does not hold needs what was said.
  const said = outcome.verdict === 'failed' ? conversation.said : []
  const told = withoutSecrets({ ...outcome, conversation: said }, target)
  return { id, title, checks, ...told, durationMs, isCrowdedOut }
}

type Outcome = Pick<Result, 'verdict' | 'message' | 'evidence' | 'looked'> &
  Partial<Pick<Ran, 'isCrowdedOut'>>

const VACUOUS = 'nothing was answered that could have shown the target to be wrong'

async function judge(
  which: Case,
  probe: Probe,
  gate: Gate | undefined,
  settings: RunSettings,
): Promise<Outcome> {
  const { target, traffic } = settings
  const lacks = missingNeed(which.needs ?? [], target)
  const unlooked = traffic?.ended?.message ?? lacks
  if (unlooked !== null) return { verdict: 'skipped', message: unlooked, looked: false }
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
    return { verdict: 'skipped', message: error.message, looked: false, isCrowdedOut }
  }
  const { message, evidence } = error as CheckFailure
  // No answer has come; of a busy target all others may have to wait.
  const isUnanswered = error instanceof UserError && !(error instanceof Flood)
  const isCrowdedOut = isUnanswered || error instanceof CaseTimeout
  const told = evidence === undefined ? {} : { evidence: shortened(evidence) }
  return { verdict: 'failed', message, looked, ...told, isCrowdedOut }
}

/** Where others were answered once they asked alone, that no answer came says nothing. */
const asLate = <T extends { message: string }>(result: T) => ({
  ...result,
  verdict: 'skipped' as const,
  looked: false,
  conversation: [],
  message: `${result.message} while others asked, and too many were not to look at all again`,
})

// How long a case may take.

/** Tells when a case has had its time; what it waited is not of it. */
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
      else onLate(new CaseTimeout(`nothing came of it in ${caseTimeoutMs} ms`))
    })
  }
  arm(caseTimeoutMs)
  return () => cancel()
}

/** Takes out of a report what nobody may read there. */
const HIDDEN = '(hidden)'

/** Shorter ones stand in other words as well. */
const LENGTH_MIN = 6

/**
 * A value, which becomes JSON, without the target's secrets and without whatever is called a key, a
 * secret, an invite token or a signature: a target may say again what it was sent.
 */
function withoutSecrets<T>(told: T, { keys, inviteToken }: Target): T {
  const known = Object.values(keys).map(({ secretKey }) => secretKey)
  const secrets = [...known, inviteToken ?? ''].filter(({ length }) => length >= LENGTH_MIN)
  const hide = (text: string) =>
    secrets.reduce((left, secret) => left.replaceAll(secret, HIDDEN), withoutNamed(text))
  return JSON.parse(JSON.stringify(told), (name, value) => {
    if (typeof value !== 'string') return value
    return NAME.test(name) ? HIDDEN : hide(value)
  })
}

/** `Signature=…`, `"secretKey":"…"`, also inside a text that is itself in JSON. */
const withoutNamed = (text: string): string =>
  text
    .replaceAll(IN_QUERY, (_, name: string) => `${name}=${HIDDEN}`)
    .replaceAll(IN_JSON, (_, name: string) => `${name}${HIDDEN}`)

const SIGNED = 'AccessKeyId|Signature'
const NAMES = `${SIGNED}|access_?key\\w*|\\w*secret\\w*|\\w*invite_?token\\w*`
const NAME = new RegExp(`^(?:${NAMES})$`, 'i')
const IN_QUERY = new RegExp(`\\b(${SIGNED})=[^&\\s"'<>\\\\]+`, 'g')
const IN_JSON = new RegExp(`(\\\\*"(?:${NAMES})\\\\*"\\s*:\\s*\\\\*")[^"\\\\]+`, 'gi')

// What is kept of the values that a failure shows: a target may answer megabytes to each case.

/** Characters in all; a report shows far fewer. */
const LENGTH_MAX = 100_000

/** The value, or as much of its beginning. */
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
  // A part of a text keeps all of it in memory; a copy does not.
  return `${Buffer.from(value.slice(0, most)).toString()}… (${length} characters)`
}
