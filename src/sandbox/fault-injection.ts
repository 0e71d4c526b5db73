/** The active scenarios of a sandbox: which rules act now, and what they have changed. */

import { monthOf } from '../clock/instant.ts'
import type { SessionClock } from '../clock/session-clock.ts'
import type { Answers } from '../contract/questions.ts'
import type { Playhead } from './playhead.ts'
import { checkRules, type SandboxConfig } from './sandbox-config.ts'
import type { Fault } from './scenario/fault.ts'
import type { Rule, Scenario } from './scenario/scenario.ts'
import { parseScenario } from './scenario/scenario-parser.ts'
import {
  type ActiveRule,
  type FaultSubject,
  type RunInstant,
  ruleSpanMs,
  type SavedRule,
  ScenarioRun,
  type SpentQuota,
} from './scenario/scenario-run.ts'
import type { TapePlayer } from './tape-player.ts'
import type { Tenancy } from './tenancy/tenancy.ts'

/** An active scenario, and since when. */
export interface ActiveScenario {
  scenario: Scenario
  startedAt: RunInstant
  /** The counts of its rules. */
  rules: SavedRule[]
}

export class FaultInjection {
  private runs: ScenarioRun[] = []
  private magicRun: ScenarioRun | null = null
  private cancelAlarms: (() => void)[] = []
  /** How much older every signature is at present, ms. */
  signatureSkewMs = 0
  answers: Answers
  private readonly defaultAnswers: Answers
  /** Whether magic values work. */
  private readonly magic: boolean

  constructor(
    private readonly host: ScenarioHost,
    { answers, options }: Pick<SandboxConfig, 'answers' | 'options'>,
  ) {
    this.answers = this.defaultAnswers = answers
    this.magic = options.magic !== 'off'
    host.scenarioLengthChanged(0)
  }

  /** Whether a scenario is on; without one the other checks are skipped. */
  get isActive(): boolean {
    return this.runs.length > 0
  }

  /** Whether a rule of the active scenarios can stall clients. */
  stallsClients = false

  /** Whether a rule may act on a request that contains these texts. */
  mayAffect(...texts: readonly string[]): boolean {
    return this.isActive || (this.magic && texts.some(mayHoldMagicValue))
  }

  get activeScenarios(): ActiveScenario[] {
    return this.runs.map(({ scenario, startedAt, saved: rules }) => ({
      scenario,
      startedAt,
      rules,
    }))
  }

  /**
   * Adds a scenario, as of now or with a saved state; a UserError when there are too many rules.
   */
  add(
    scenario: Scenario,
    since: { startedAt: RunInstant; rules: SavedRule[] } | null = null,
  ): void {
    checkRules([...this.runs.map((run) => run.scenario), scenario])
    const run = new ScenarioRun(scenario, since?.startedAt ?? this.host.now(), since?.rules)
    this.runs.push(run)
    this.mergeAnswers()
    if (since === null && scenario.playhead) this.host.seek(scenario.playhead)
    this.schedule(run)
  }

  /** Replaces all scenarios by one; a UserError changes nothing. */
  set(scenario: Scenario): void {
    checkRules([scenario])
    this.remove()
    this.add(scenario)
  }

  /** Replaces active scenarios in their places, as of now; a UserError changes nothing. */
  replace(isMeant: (scenario: Scenario) => boolean, scenario: Scenario): void {
    const gone = this.runs.filter((run) => isMeant(run.scenario))
    checkRules(this.runs.map((run) => (gone.includes(run) ? scenario : run.scenario)))
    const fresh = () => new ScenarioRun(scenario, this.host.now())
    this.continueWith(this.runs.map((run) => (gone.includes(run) ? fresh() : run)))
    this.endOf(gone)
  }

  /** Removes all scenarios, or those of a name; whether there was one. */
  remove(name?: string): boolean {
    const remaining = this.runs.filter(
      ({ scenario }) => name !== undefined && scenario.name !== name,
    )
    const gone = this.runs.filter((run) => !remaining.includes(run))
    this.continueWith(remaining)
    this.endOf(gone)
    return gone.length > 0
  }

  /** Continues with the scenarios and counts of another replica. */
  follow(active: readonly ActiveScenario[]): void {
    const known = (one: ActiveScenario | ScenarioRun) =>
      JSON.stringify([one.scenario.name, one.scenario.source, one.startedAt])
    const after = new Set(active.map(known))
    const isOver = this.runs.some((run) => !after.has(known(run)))
    this.continueWith(
      active.map(({ scenario, startedAt, rules }) => new ScenarioRun(scenario, startedAt, rules)),
    )
    if (isOver) this.host.rulesEnded()
  }

  private endOf(gone: readonly ScenarioRun[]): void {
    for (const { spent } of gone) for (const one of spent) this.host.restoreQuota(...one)
    if (gone.length > 0) this.host.rulesEnded()
  }

  private continueWith(runs: ScenarioRun[]): void {
    for (const cancel of this.cancelAlarms.splice(0)) cancel()
    this.runs = runs
    this.mergeAnswers()
    for (const run of runs) this.schedule(run)
  }

  /** Whether a rule has ended, for now or for good. */
  isOver(rule: Rule): boolean {
    const run = this.runs.find(({ scenario }) => scenario.rules.includes(rule))
    return !run?.isDue(rule, this.host.now())
  }

  /** Returns a function that restores the present scenarios with their counts. */
  restorePoint(): () => void {
    const runs = [...this.runs]
    return () => {
      if (runs.length === this.runs.length && runs.every((run, at) => run === this.runs[at])) return
      this.continueWith(runs)
    }
  }

  /** The rules that act on a subject now, in the order of their scenarios. */
  activeRules(can: (fault: Fault) => boolean, subject: FaultSubject): ActiveRule[] {
    const now = this.host.now()
    const { coins, addresses } = subject
    const isNamed = coins.length + addresses.length > 0
    if (this.runs.length > 0) this.host.countersChanged()
    return this.runs
      .concat(this.magic && isNamed ? this.magicScenarioRun(now) : [])
      .flatMap((run) => run.activeRules(can, subject, now))
  }

  /** The rules that hold for a subject now, without counting a match. */
  holdingRules(can: (fault: Fault) => boolean, subject: FaultSubject): ActiveRule[] {
    const now = this.host.now()
    return this.runs.flatMap((run) => run.holdingRules(can, subject, now))
  }

  /** The magic values that a subject names, where they work. */
  magicIn({ coins, addresses }: FaultSubject): MagicFound[] {
    return this.magic ? magicAmong(coins, addresses) : []
  }

  /** The name of the active scenario that a rule belongs to; null for none. */
  scenarioOf(rule: string): string | null {
    const run = this.runs.find(({ scenario }) => scenario.rules.some(({ name }) => name === rule))
    return run?.scenario.name ?? null
  }

  /** `TRY-429 is magic: too many requests`, by the name of its rule. */
  magicMeaning(rule: string): string {
    const [value, known] = [...BY_VALUE].find(([, one]) => one.rule === rule) ?? []
    return `${value?.startsWith(PREFIX) ? value : value?.toUpperCase()} is magic: ${known?.means}`
  }

  private magicScenarioRun(now: RunInstant): ScenarioRun {
    this.magicRun ??= new ScenarioRun(magicScenario(), now)
    return this.magicRun
  }

  private mergeAnswers(): void {
    const length = this.runs.reduce((sum, { scenario }) => sum + scenario.length, 0)
    this.host.scenarioLengthChanged(length)
    this.stallsClients = this.runs.some(({ scenario }) =>
      scenario.rules.some(({ fault }) => fault.stalledFrames !== undefined),
    )
    const own = this.runs.map(({ scenario }) => scenario.questions ?? {})
    this.answers =
      own.length === 0 ? this.defaultAnswers : Object.assign({}, this.defaultAnswers, ...own)
  }

  private schedule(run: ScenarioRun): void {
    for (const rule of run.scenario.rules) {
      const fromMs = run.startedAt.sessionMs + ruleSpanMs(rule.from)
      if (rule.fault.closeCode) this.scheduleEach(rule, fromMs, () => this.close(run, rule))
      // Pushes that a rule holds back are released when it ends.
      if (rule.for !== undefined)
        this.scheduleEach(rule, fromMs + ruleSpanMs(rule.for), () => this.host.rulesEnded())
    }
  }

  private close(run: ScenarioRun, rule: Rule): void {
    const now = this.host.now()
    this.host.closeConnections((subject) => run.activeRule(rule, subject, now))
  }

  /** Runs a task at an instant of a rule, each time the rule begins again. */
  private scheduleEach(rule: Rule, atMs: number, task: () => void): void {
    const everyMs = ruleSpanMs(rule.every)
    const nowMs = this.host.now().sessionMs
    const missed = everyMs > 0 ? Math.max(0, Math.ceil((nowMs - atMs) / everyMs)) : 0
    const nextMs = atMs + missed * everyMs
    if (nextMs < nowMs) return
    const act = () => {
      task()
      if (everyMs > 0) this.scheduleEach(rule, nextMs + everyMs, task)
    }
    if (nextMs === nowMs) act()
    else this.cancelAlarms.push(this.host.at(nextMs, act, `rule ${rule.name}`))
  }
}

// The interface of scenarios to their sandbox.

/** Closes each connection on which the rule acts. */
type ConnectionClosing = (ruleFor: (subject: FaultSubject) => ActiveRule | undefined) => void

/** The effects of scenarios on the sockets of a sandbox. */
export interface SocketEffects {
  /** A rule that closes connections begins. */
  closeConnections: ConnectionClosing
  /** Rules have ended: their held-back pushes are released. */
  rulesEnded(): void
}

interface ScenarioHost extends SocketEffects {
  now(): RunInstant
  /** Runs a task at a session time; the result cancels it. */
  at(timeMs: number, task: () => void, what: string): () => void
  /** Restores a quota that a rule has used up. */
  restoreQuota(accessKey: string, spent: SpentQuota): void
  /** The counters of rules have changed. */
  countersChanged(): void
  /** The active scenarios have this total length. */
  scenarioLengthChanged(length: number): void
  /** Moves the market. */
  seek(to: NonNullable<Scenario['playhead']>): void
}

/** The parts of a sandbox that a scenario reads and moves. */
interface Movable {
  clock: SessionClock
  playhead: Playhead
  player: TapePlayer
  tenancy: Tenancy
  countersChanged(): void
  /** The active scenarios have this total length. */
  scenarioLengthChanged(length: number): void
}

/** The scenario host of a sandbox. */
export function scenarioHostOf(
  { clock, playhead, player, tenancy, countersChanged, scenarioLengthChanged }: Movable,
  { closeConnections, rulesEnded }: SocketEffects,
): ScenarioHost {
  return {
    now: () => ({ sessionMs: clock.nowMs(), tapeMs: playhead.positionAt(clock.nowMs()).atMs }),
    at: (timeMs, task, what) => clock.at(timeMs, task, what),
    closeConnections,
    rulesEnded,
    countersChanged,
    scenarioLengthChanged,
    restoreQuota(accessKey, { month, requests }) {
      const [key, nowMs] = [tenancy.keys.get(accessKey), clock.nowMs()]
      if (!key || monthOf(nowMs) !== month) return
      const used = tenancy.usage.inMonth(accessKey, nowMs)
      tenancy.setUsed(key, nowMs, Math.max(0, used - requests))
    },
    seek: ({ at, speed }) => {
      const position = at === undefined ? {} : { atMs: at }
      playhead.set(clock.nowMs(), { ...position, ...(speed === undefined ? {} : { speed }) })
      player.reposition()
    },
  }
}

/** Notifies listeners once the change in progress is stored. */
export const scheduledOf = (
  listeners: ReadonlySet<SocketEffects>,
  changes: Notifier,
): SocketEffects => ({
  closeConnections: (rule) => changes.notify(tasksOf(listeners, 'closeConnections'), rule),
  rulesEnded: () => changes.notify(tasksOf(listeners, 'rulesEnded'), undefined as never),
})

/** Notifies listeners once the change in progress is stored. */
interface Notifier {
  notify<A>(listeners: Iterable<(about: A) => void>, about: A): void
}

const tasksOf = <N extends keyof SocketEffects>(listeners: ReadonlySet<SocketEffects>, name: N) =>
  [...listeners].map((listener) => listener[name])

/**
 * Magic values: coins and addresses with a fixed outcome, for clients that can change nothing but a
 * parameter. No coin and no account of a market has such a name.
 */
interface MagicValue {
  code: string
  /** The outcome of a request that names it. */
  means: string
  do: unknown
}

export const MAGIC_VALUES: readonly MagicValue[] = [
  { code: '401', means: 'the signature is refused', do: { refuse: { as: 'signature' } } },
  { code: '403', means: 'the permission is missing', do: { refuse: { as: 'permission' } } },
  { code: '429', means: 'too many requests', do: { refuse: { as: 'rate' } } },
  { code: '4290', means: 'the quota is used up', do: { refuse: { as: 'quota' } } },
  { code: '500', means: 'an internal error of the service', do: { refuse: { as: 'fault' } } },
  { code: '502', means: 'an HTML page of a gateway', do: { corrupt: { as: 'html' } } },
  { code: '504', means: 'the answer takes five seconds', do: { delay: { ms: 5_000 } } },
  { code: '600', means: 'half a body', do: 'truncate' },
  { code: '601', means: 'broken JSON', do: { corrupt: { as: 'json' } } },
  { code: '602', means: 'the body is null', do: { corrupt: { as: 'null' } } },
  { code: '700', means: 'the connection is lost', do: { drop: { where: 'before' } } },
  {
    code: '701',
    means: 'the connection is lost during the answer',
    do: { drop: { where: 'middle' } },
  },
  { code: '204', means: 'the answer is empty', do: 'empty' },
]

/** `TRY-429`. */
export const magicCoin = (code: string): string => `TRY-${code}`

/**
 * `0x7472790000000000000000000000000000000429`: begins with "try" in hexadecimal, so that addresses
 * counted up by a test never match.
 */
export const magicAddress = (code: string): string => `${PREFIX}${code.padStart(34, '0')}`

const PREFIX = '0x747279'

/** The magic values as a scenario. */
const magicScenario = (): Scenario =>
  parseScenario(
    {
      title: 'Magic values',
      rules: MAGIC_VALUES.flatMap(({ code, do: fault }) => [
        { name: coinRule(code), on: { coin: magicCoin(code) }, do: fault },
        { name: addressRule(code), on: { address: magicAddress(code) }, do: fault },
      ]),
    },
    'magic',
  )

const coinRule = (code: string) => `${MAGIC_RULE}${magicCoin(code)}`
const addressRule = (code: string) => `${MAGIC_RULE}${code}`

const MAGIC_RULE = 'magic '

/** Whether a rule is that of a magic value, by its name. */
export const isMagicRule = (rule: string): boolean => BY_RULE.has(rule)

const BY_VALUE = new Map(
  MAGIC_VALUES.flatMap(({ code, means }) => [
    [magicCoin(code).toLowerCase(), { rule: coinRule(code), means }] as const,
    [magicAddress(code), { rule: addressRule(code), means }] as const,
  ]),
)

const BY_RULE = new Set([...BY_VALUE.values()].map(({ rule }) => rule))

/** Whether a text may contain one; a cheap check. */
const mayHoldMagicValue = (text: string): boolean => text.includes('TRY-') || text.includes(PREFIX)

/** A magic value among the names of a request. */
interface MagicFound {
  /** Name of its rule. */
  rule: string
  value: string
  means: string
  /** Number of names of its kind: with more than one it decides for all of them. */
  among: number
}

/** The magic values among coins and addresses, in the given order. */
const magicAmong = (coins: readonly string[], addresses: readonly string[]): MagicFound[] =>
  [coins, addresses].flatMap((names) =>
    names.flatMap((value) => {
      const known = BY_VALUE.get(value.toLowerCase())
      return known ? [{ ...known, value, among: names.length }] : []
    }),
  )

/** `0x747279…0429 is one of 3 in the request, and decides for all of it`; null when it is alone. */
export const amongOthers = ({ value, among }: MagicFound): string | null =>
  among > 1 ? `${value} is one of ${among} in the request, and decides for all of it` : null

/** All magic values with their meanings. */
export const magicCatalogue = (): { coins: Descriptions; addresses: Descriptions } => ({
  coins: describedBy(magicCoin),
  addresses: describedBy(magicAddress),
})

type Descriptions = Record<string, string>

const describedBy = (name: (code: string) => string): Descriptions =>
  Object.fromEntries(MAGIC_VALUES.map(({ code, means }) => [name(code), means]))
