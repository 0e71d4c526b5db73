/** The scenarios of a sandbox: which rules act now, and what scenarios change while they are on. */
import type { Answers } from '../contract/questions.ts'
import type { Fault } from '../scenario/fault.ts'
import {
  type MagicFound,
  magicAmong,
  magicScenario,
  mayHoldMagicValue,
} from '../scenario/magic-values.ts'
import type { Scenario } from '../scenario/scenario.ts'
import {
  type ActiveRule,
  type FaultSubject,
  type RunInstant,
  ruleSpanMs,
  ScenarioRun,
} from '../scenario/scenario-run.ts'
import { checkRules } from './sandbox-bounds.ts'
import type { SandboxConfig } from './sandbox-config.ts'
import type { ScenarioHost } from './scenario-host.ts'

/** A scenario that is on, and since when. */
export interface ActiveScenario {
  scenario: Scenario
  startedAt: RunInstant
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
    return this.runs.map(({ scenario, startedAt }) => ({ scenario, startedAt }))
  }

  /**
   * Puts a scenario on top of what there is, as of now or as it was; a UserError when there are too
   * many rules.
   */
  add(scenario: Scenario, startedAt: RunInstant | null = null): void {
    checkRules([...this.runs.map((run) => run.scenario), scenario])
    const run = new ScenarioRun(scenario, startedAt ?? this.host.now())
    this.runs.push(run)
    this.mergeAnswers()
    if (startedAt === null && scenario.playhead) this.host.seek(scenario.playhead)
    for (const rule of scenario.rules)
      if (rule.fault.closeCode)
        this.scheduleClosing(run, rule, run.startedAt.sessionMs + ruleSpanMs(rule.from))
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
    const had = remaining.length < this.runs.length
    const again = remaining.map(({ scenario, startedAt }) => ({ scenario, startedAt }))
    for (const cancel of this.cancelAlarms.splice(0)) cancel()
    this.runs = []
    for (const { scenario, startedAt } of again) this.add(scenario, startedAt)
    this.mergeAnswers()
    return had
  }

  /** The rules that act on a subject now, in the order in which scenarios were put on. */
  activeRules(can: (fault: Fault) => boolean, subject: FaultSubject): ActiveRule[] {
    const now = this.host.now()
    const { coins, addresses } = subject
    const isNamed = coins.length + addresses.length > 0
    return this.runs
      .concat(this.magic && isNamed ? this.magicScenarioRun(now) : [])
      .flatMap((run) => run.activeRules(can, subject, now))
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
    const own = this.runs.map(({ scenario }) => scenario.questions ?? {})
    this.answers =
      own.length === 0 ? this.defaultAnswers : Object.assign({}, this.defaultAnswers, ...own)
  }

  /** Closes connections as a rule begins, and each time it begins anew. */
  private scheduleClosing(run: ScenarioRun, rule: Scenario['rules'][number], atMs: number): void {
    const everyMs = ruleSpanMs(rule.every)
    const nowMs = this.host.now().sessionMs
    const missed = everyMs > 0 ? Math.max(0, Math.ceil((nowMs - atMs) / everyMs)) : 0
    const nextMs = atMs + missed * everyMs
    if (nextMs < nowMs) return
    const close = () => {
      const now = this.host.now()
      this.host.closeConnections((subject) => run.activeRule(rule, subject, now))
      if (everyMs > 0) this.scheduleClosing(run, rule, nextMs + everyMs)
    }
    if (nextMs === nowMs) close()
    else this.cancelAlarms.push(this.host.at(nextMs, close, `rule ${rule.name}`))
  }
}
