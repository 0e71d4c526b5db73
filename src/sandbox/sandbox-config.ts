/** The options of a sandbox, with every default filled in. */

import { HOUR_MS } from '../clock/instant.ts'
import type { ClockState } from '../clock/session-clock.ts'
import { STRICT_ANSWERS } from '../contract/questions/leniency.ts'
import { type Answers, DEFAULT_ANSWERS, readAnswers } from '../contract/questions.ts'
import type { Timeline } from '../contract/timeline.ts'
import type { MoodName } from '../market/synth/mood.ts'
import { UserError } from '../platform/user-error.ts'
import { DEFAULT_JOURNAL_SETTINGS, type JournalSettings } from './journal/journal.ts'
import type { Delivery, EndBehaviour, Epoch, Speed } from './playhead.ts'
import { RULES_MAX, type Scenario } from './scenario/scenario.ts'
import type { SandboxState } from './snapshot/sandbox-state.ts'

/** The configuration of a sandbox; `reset` restores it. */
export interface SandboxConfig {
  id: string
  /** The first id of the sandbox, from which its names and secrets are derived. */
  origin: string
  identitySeed: number
  /** The options as given. */
  options: SandboxOptions
  /** The snapshot that it was made from, if any. */
  snapshot: SandboxState | null
  clock: ClockState
  /** The initial time of a held clock; the tape's start by default. */
  nowMs?: number
  atMs?: number
  speed?: Speed
  end?: EndBehaviour
  epoch: Epoch
  delivery: Delivery
  /** `raw` is the perpetual venue itself. */
  profile: Profile
  answers: Answers
  /** The source of what a recording lacks. */
  miss: Miss
  /** Whether limits are enforced; usage is counted either way. */
  metering: 'on' | 'off'
  journal: JournalSettings
  /** The clock by which a `Timestamp` is checked. */
  signatureTime: 'machine' | 'session'
}

/** Completes the options; a UserError for answers to unknown questions. */
export function sandboxConfigOf(
  id: string,
  options: SandboxOptions,
  snapshot: SandboxState | null = null,
): SandboxConfig {
  return {
    id,
    origin: snapshot?.options.name ?? id,
    identitySeed: snapshot?.options.identitySeed ?? options.seed ?? 0,
    options,
    snapshot,
    clock: options.clock ?? 'running',
    epoch: options.epoch ?? 'live',
    delivery: options.delivery ?? 'paced',
    profile: options.profile ?? 'contract',
    miss: options.miss ?? 'world',
    metering: options.metering ?? 'on',
    journal: { ...DEFAULT_JOURNAL_SETTINGS, ...options.journal },
    signatureTime: options.signatureTime ?? 'machine',
    // Options may come from JSON, and all pass here.
    answers: {
      ...DEFAULT_ANSWERS,
      ...(options.strict ? STRICT_ANSWERS : {}),
      ...readAnswers(options.questions ?? {}),
    },
    ...(options.now === undefined ? {} : { nowMs: options.now }),
    ...(options.at === undefined ? {} : { atMs: options.at }),
    ...(options.speed === undefined ? {} : { speed: options.speed }),
    ...(options.end === undefined ? {} : { end: options.end }),
  }
}

/** The imitated service: the contract's, or the perpetual venue itself. */
type Profile = 'contract' | 'raw'

/** The source of requests and subscriptions that a recording lacks. */
type Miss = 'world' | 'refuse' | 'upstream'

/** The options of a new sandbox; the server's options are the defaults. */
export interface SandboxOptions {
  name?: string
  tape?: string
  seed?: number
  /** The recording to replay. */
  replay?: string
  /** The source of what the recording lacks; the world by default. */
  miss?: Miss
  at?: number
  speed?: Speed
  end?: EndBehaviour
  epoch?: Epoch
  delivery?: Delivery
  /** The mood of the market after the tape; the usual one by default. */
  mood?: MoodName
  clock?: ClockState
  now?: number
  questions?: Partial<Answers>
  /** Whether what the contract does not literally allow is refused. */
  strict?: boolean
  signatureTime?: 'machine' | 'session'
  profile?: Profile
  metering?: 'on' | 'off'
  journal?: Partial<JournalSettings>
  /** Whether magic values work; on by default. */
  magic?: 'on' | 'off'
  /** The scenarios that are on from the start. */
  scenarios?: readonly Scenario[]
  /** Idle time after which it is dropped, ms of the machine. */
  idleMs?: number
}

/** Maximum number of keys; the bounds here limit what clients and tests add to a sandbox. */
export const KEYS_MAX = 5_000
/** Maximum number of levels of each distributor. */
export const LEVELS_MAX = 500
export const INVITES_MAX = 1_000
export const BOOKMARKS_MAX = 1_000
/** Maximum number of market events: each needs a market of its own to be grown, or part of one. */
export const MARKET_EVENTS_MAX = 100
/** Maximum number of stored nonces: the newest. */
export const NONCES_MAX = 10_000

/** Why one more cannot be added; null when it can. */
export function boundFlaw(what: string, count: number, max: number): string | null {
  return count < max ? null : `there are ${count} ${what}, at most ${max}`
}

/** Maximum length of all active scenarios, as JSON. */
const SCENARIOS_LENGTH_MAX = 4 << 20

/**
 * Throws a UserError when scenarios have too many rules together, where one without rules counts as
 * one, or are too long together.
 */
export function checkRules(scenarios: readonly Pick<Scenario, 'rules' | 'length'>[]): void {
  const count = scenarios.reduce((sum, { rules }) => sum + Math.max(1, rules.length), 0)
  if (count > RULES_MAX)
    throw new UserError(
      `with it ${count} rules of scenarios would be on, at most ${RULES_MAX}: ` +
        'take some off first',
    )
  const length = scenarios.reduce((sum, one) => sum + one.length, 0)
  if (length > SCENARIOS_LENGTH_MAX)
    throw new UserError(
      `with it scenarios would have ${length} characters as JSON, at most ` +
        `${SCENARIOS_LENGTH_MAX}: take some off first`,
    )
}

// Bounds of the market growth for one call.

/** Growth without `force`: about a minute's work. */
const AT_ONCE_MS = 48 * HOUR_MS
/** Growth with `force`: more than half an hour's work. */
const FORCED_MS = 31 * 24 * HOUR_MS

/**
 * Throws a UserError when growing the market would take minutes, unless it is forced, or hours.
 *
 * @param untilMs tape time
 */
export function checkGrowth(
  { timeline, growth }: { timeline: Timeline; growth?: unknown },
  untilMs: number,
  isForced: boolean,
): void {
  const byMs = untilMs - timeline.endMs
  if (growth === undefined || byMs <= (isForced ? FORCED_MS : AT_ONCE_MS)) return
  const hours = Math.ceil(byMs / HOUR_MS)
  const most = isForced
    ? `at most ${FORCED_MS / HOUR_MS} hours are grown for one call: go there in steps`
    : `more than ${AT_ONCE_MS / HOUR_MS} hours take minutes: give "force": true to wait for it`
  throw new UserError(
    `the market would have to be grown by ${hours} hours, and ${most}, or move the clock alone ` +
      'with clock/advance and "market": "stays"',
  )
}

/** Id of the sandbox with the demo keys, which always exists. */
export const DEFAULT_SANDBOX_ID = 'default'

/** Throws a UserError for an invalid sandbox id. */
export function checkSandboxId(id: string): void {
  if (id.length > 63) throw new UserError(`name has ${id.length} characters, and 63 are the most`)
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(id))
    throw new UserError(`name "${id}" must be lower-case letters, digits and hyphens, at most 63`)
}
