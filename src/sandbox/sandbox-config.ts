/** The options of a sandbox with everything decided that they leave out. */

import { HOUR_MS } from '../clock/durations.ts'
import type { ClockState } from '../clock/session-clock.ts'
import { type Answers, DEFAULT_ANSWERS, readAnswers } from '../contract/questions.ts'
import type { Timeline } from '../contract/timeline.ts'
import type { MoodName } from '../market/synth/mood.ts'
import { UserError } from '../platform/user-error.ts'
import { DEFAULT_JOURNAL_SETTINGS, type JournalSettings } from './journal/journal.ts'
import type { Delivery, EndBehaviour, Epoch, Speed } from './playhead.ts'
import { RULES_MAX, type Scenario } from './scenario/scenario.ts'
import type { SandboxState } from './snapshot/sandbox-state.ts'

/** What a sandbox is made from; `reset` makes it so again. */
export interface SandboxConfig {
  id: string
  /** The id under which it was first made: its names and secrets follow from it. */
  origin: string
  identitySeed: number
  /** The options as they were given. */
  options: SandboxOptions
  /** What it was made from, when it was not made anew. */
  snapshot: SandboxState | null
  clock: ClockState
  /** What a held clock shows first; the tape's start unless given. */
  nowMs?: number
  atMs?: number
  speed?: Speed
  end?: EndBehaviour
  epoch: Epoch
  delivery: Delivery
  /** `raw` is the perpetual venue itself. */
  profile: Profile
  answers: Answers
  /** What becomes of what a recording does not have. */
  miss: Miss
  /** Whether limits are enforced; usage is counted either way. */
  metering: 'on' | 'off'
  journal: JournalSettings
  /** Whose time a `Timestamp` names. */
  signatureTime: 'machine' | 'session'
}

/** The config of the options; a UserError for answers to questions that do not exist. */
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
    // They may have come as JSON: all options pass here.
    answers: { ...DEFAULT_ANSWERS, ...readAnswers(options.questions ?? {}) },
    ...(options.now === undefined ? {} : { nowMs: options.now }),
    ...(options.at === undefined ? {} : { atMs: options.at }),
    ...(options.speed === undefined ? {} : { speed: options.speed }),
    ...(options.end === undefined ? {} : { end: options.end }),
  }
}

/** What it imitates: the service, or the perpetual venue itself. */
type Profile = 'contract' | 'raw'

/** What becomes of a request or a subscription that a recording does not have. */
type Miss = 'world' | 'refuse' | 'upstream'

/** The options of a new sandbox; what is left out is as the server was started. */
export interface SandboxOptions {
  name?: string
  tape?: string
  seed?: number
  /** The recording that is served back. */
  replay?: string
  /** Where comes from what it does not have; from the world unless it says so. */
  miss?: Miss
  at?: number
  speed?: Speed
  end?: EndBehaviour
  epoch?: Epoch
  delivery?: Delivery
  /** How its market goes on after the tape; as usual when it is left out. */
  mood?: MoodName
  clock?: ClockState
  now?: number
  questions?: Partial<Answers>
  signatureTime?: 'machine' | 'session'
  profile?: Profile
  metering?: 'on' | 'off'
  journal?: Partial<JournalSettings>
  /** Whether magic values work; they do unless it is off. */
  magic?: 'on' | 'off'
  /** The scenarios that are on from the start. */
  scenarios?: readonly Scenario[]
  /** Dropped after so long without a request or a connection, ms of the machine. */
  idleMs?: number
}

/** How much of what a client or a test adds a sandbox keeps; more is refused by name. */
export const KEYS_MAX = 5_000
/** Of each distributor. */
export const LEVELS_MAX = 500
export const INVITES_MAX = 1_000
export const BOOKMARKS_MAX = 1_000
/** Each is a line of its own to be grown, or part of one. */
export const MARKET_EVENTS_MAX = 100
/** Nonces are not refused: the newest are remembered. */
export const NONCES_MAX = 10_000

/** Why there cannot be one more; null when there can. */
export function boundFlaw(what: string, count: number, max: number): string | null {
  return count < max ? null : `there are ${count} ${what}, at most ${max}`
}

/** UTF-16 units of all scenarios that are on, as JSON. */
const SCENARIOS_LENGTH_MAX = 4 << 20

/**
 * A UserError when scenarios have too many rules together, of which one without rules counts as
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

// How much market time may be grown for one call.

/** Without being asked again: about a minute's work. */
const AT_ONCE_MS = 48 * HOUR_MS
/** Ever for one call: it would take half an hour and more. */
const FORCED_MS = 31 * 24 * HOUR_MS

/**
 * A UserError when it would take too long until the market is there: minutes, unless that is asked
 * for once more, or hours.
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

/** Of the sandbox with the demo keys, which is always there. */
export const DEFAULT_SANDBOX_ID = 'default'

/** Refuses what cannot be the id of a sandbox. */
export function checkSandboxId(id: string): void {
  if (id.length > 63) throw new UserError(`name has ${id.length} characters, and 63 are the most`)
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(id))
    throw new UserError(`name "${id}" must be lower-case letters, digits and hyphens, at most 63`)
}
