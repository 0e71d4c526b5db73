/** The scenarios of a sandbox: which rules act now, and what scenarios change while they are on. */

import { monthOf } from '../clock/calendar.ts'
import type { SessionClock } from '../clock/session-clock.ts'
import type { Answers } from '../contract/questions.ts'
import type { Playhead } from './playhead.ts'
import { checkRules, type SandboxConfig } from './sandbox-config.ts'
import type { Fault } from './scenario/fault.ts'
import {
  type MagicFound,
  magicAmong,
  magicScenario,
  mayHoldMagicValue,
} from './scenario/magic-values.ts'
import type { Rule, Scenario } from './scenario/scenario.ts'
import type { SavedRule, SpentQuota } from './scenario/scenario-run.ts'
import {
  type ActiveRule,
  type FaultSubject,
  type RunInstant,
  ruleSpanMs,
  ScenarioRun,
} from './scenario/scenario-run.ts'
import type { TapePlayer } from './tape-player.ts'
import type { Tenancy } from './tenancy/tenancy.ts'

/** A scenario that is on, and since when. */
export interface ActiveScenario {
  scenario: Scenario
  startedAt: RunInstant
  /** What its rules have come to. */
  rules: SavedRule[]
}

export class FaultInjection {
  private runs: ScenarioRun[] = []
  private magicRun: ScenarioRun | null = null
  private cancelAlarms: (() => void)[] = []
  /** How much older every signature is just now, ms. */
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
    host.scenariosKept(0)
  }

  /** Whether a scenario is on: without one nothing else is looked at. */
  get isActive(): boolean {
    return this.runs.length > 0
  }

  /** Whether anything may be done to a request of which this is a part. */
  mayAffect(text: string): boolean {
    return this.isActive || (this.magic && mayHoldMagicValue(text))
  }

  get activeScenarios(): ActiveScenario[] {
    return this.runs.map(({ scenario, startedAt, saved: rules }) => ({
      scenario,
      startedAt,
      rules,
    }))
  }

  /**
   * Puts a scenario on top of what there is, as of now or as it was; a UserError when there are too
   * many rules.
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

  /** Puts a scenario on instead of all others; a UserError changes nothing. */
  set(scenario: Scenario): void {
    checkRules([scenario])
    this.remove()
    this.add(scenario)
  }

  /** Takes all of them off, or those of a name; whether there was one. */
  remove(name?: string): boolean {
    const remaining = this.runs.filter(
      ({ scenario }) => name !== undefined && scenario.name !== name,
    )
    const gone = this.runs.filter((run) => !remaining.includes(run))
    this.goOnWith(remaining)
    for (const { spent } of gone) for (const one of spent) this.host.giveBack(...one)
    if (gone.length > 0) this.host.rulesEnded()
    return gone.length > 0
  }

  private goOnWith(runs: ScenarioRun[]): void {
    for (const cancel of this.cancelAlarms.splice(0)) cancel()
    this.runs = runs
    this.mergeAnswers()
    for (const run of runs) this.schedule(run)
  }

  /** Whether a rule acts no more, at present or ever. */
  isOver(rule: Rule): boolean {
    const run = this.runs.find(({ scenario }) => scenario.rules.includes(rule))
    return !run?.isDue(rule, this.host.now())
  }

  /** What puts the scenarios back that are on now, with all that has come of them. */
  restorePoint(): () => void {
    const runs = [...this.runs]
    return () => {
      if (runs.length === this.runs.length && runs.every((run, at) => run === this.runs[at])) return
      this.goOnWith(runs)
    }
  }

  /** The rules that act on a subject now, in the order in which scenarios were put on. */
  activeRules(can: (fault: Fault) => boolean, subject: FaultSubject): ActiveRule[] {
    const now = this.host.now()
    const { coins, addresses } = subject
    const isNamed = coins.length + addresses.length > 0
    if (this.runs.length > 0) this.host.countersChanged()
    return this.runs
      .concat(this.magic && isNamed ? this.magicScenarioRun(now) : [])
      .flatMap((run) => run.activeRules(can, subject, now))
  }

  /** The rules that hold for a subject now; asking does not count. */
  holdingRules(can: (fault: Fault) => boolean, subject: FaultSubject): ActiveRule[] {
    const now = this.host.now()
    return this.runs.flatMap((run) => run.holdingRules(can, subject, now))
  }

  /** The magic values that a subject names, where they work. */
  magicIn({ coins, addresses }: FaultSubject): MagicFound[] {
    return this.magic ? magicAmong(coins, addresses) : []
  }

  private magicScenarioRun(now: RunInstant): ScenarioRun {
    this.magicRun ??= new ScenarioRun(magicScenario(), now)
    return this.magicRun
  }

  private mergeAnswers(): void {
    const length = this.runs.reduce((sum, { scenario }) => sum + scenario.length, 0)
    this.host.scenariosKept(length)
    const own = this.runs.map(({ scenario }) => scenario.questions ?? {})
    this.answers =
      own.length === 0 ? this.defaultAnswers : Object.assign({}, this.defaultAnswers, ...own)
  }

  private schedule(run: ScenarioRun): void {
    for (const rule of run.scenario.rules) {
      const fromMs = run.startedAt.sessionMs + ruleSpanMs(rule.from)
      if (rule.fault.closeCode) this.scheduleEach(rule, fromMs, () => this.close(run, rule))
      // What a rule has held back goes out when it is over.
      if (rule.for !== undefined)
        this.scheduleEach(rule, fromMs + ruleSpanMs(rule.for), () => this.host.rulesEnded())
    }
  }

  private close(run: ScenarioRun, rule: Rule): void {
    const now = this.host.now()
    this.host.closeConnections((subject) => run.activeRule(rule, subject, now))
  }

  /** Does something at an instant of a rule, and each time the rule begins anew. */
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

// What scenarios need of the sandbox that they are put on.

/** Closes each connection on which the rule acts. */
type ConnectionClosing = (ruleFor: (subject: FaultSubject) => ActiveRule | undefined) => void

/** What scenarios do to the sockets of a sandbox at an instant. */
export interface SocketEffects {
  /** A rule that closes connections begins. */
  closeConnections: ConnectionClosing
  /** Rules are over: what they have held back goes out. */
  rulesEnded(): void
}

interface ScenarioHost extends SocketEffects {
  now(): RunInstant
  /** Runs a task at a session time; the result cancels it. */
  at(timeMs: number, task: () => void, what: string): () => void
  /** A key has not used what a rule made it use. */
  giveBack(accessKey: string, spent: SpentQuota): void
  /** Rules have counted. */
  countersChanged(): void
  /** Scenarios of so many characters are on. */
  scenariosKept(length: number): void
  /** Moves the market. */
  seek(to: NonNullable<Scenario['playhead']>): void
}

/** What of a sandbox a scenario reads and moves. */
interface Movable {
  clock: SessionClock
  playhead: Playhead
  player: TapePlayer
  tenancy: Tenancy
  countersChanged(): void
  /** Scenarios of so many characters are on. */
  scenariosKept(length: number): void
}

/** The same of a sandbox. */
export function scenarioHostOf(
  { clock, playhead, player, tenancy, countersChanged, scenariosKept }: Movable,
  { closeConnections, rulesEnded }: SocketEffects,
): ScenarioHost {
  return {
    now: () => ({ sessionMs: clock.nowMs(), tapeMs: playhead.positionAt(clock.nowMs()).atMs }),
    at: (timeMs, task, what) => clock.at(timeMs, task, what),
    closeConnections,
    rulesEnded,
    countersChanged,
    scenariosKept,
    giveBack(accessKey, { month, requests }) {
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

/** The same for whoever listens, once the change in progress is kept. */
export const toldOf = (listeners: ReadonlySet<SocketEffects>, changes: Telling): SocketEffects => ({
  closeConnections: (rule) => changes.tell(tasksOf(listeners, 'closeConnections'), rule),
  rulesEnded: () => changes.tell(tasksOf(listeners, 'rulesEnded'), undefined as never),
})

/** Calls listeners when the change in progress is kept. */
interface Telling {
  tell<A>(listeners: Iterable<(about: A) => void>, about: A): void
}

const tasksOf = <N extends keyof SocketEffects>(listeners: ReadonlySet<SocketEffects>, name: N) =>
  [...listeners].map((listener) => listener[name])
