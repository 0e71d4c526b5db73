/**
 * Everything one tenant owns: its clock, its place in the tape, its keys and its answers to the
 * open questions. The world is shared and never changes.
 */
import type { Machine } from '../clock/machine.ts'
import { SessionClock } from '../clock/session-clock.ts'
import type { Facts } from '../contract/facts.ts'
import type { Answers } from '../contract/questions.ts'
import type { Tenant } from '../contract/tenant.ts'
import { Alerts } from './alerts.ts'
import { DateHeader } from './date-header.ts'
import { Journal } from './journal/journal.ts'
import type { Keeper } from './keeper.ts'
import { Player } from './player.ts'
import { Playhead, type Position } from './playhead.ts'
import { ONLY } from './saved/parts.ts'
import { restore } from './saved/restore.ts'
import type { Stage } from './stage.ts'
import { type Closing, standOf } from './stand.ts'
import { DistributorDesk } from './tenancy/distributor-desk.ts'
import type { FirstKeys } from './tenancy/first-keys.ts'
import { withHouseRules } from './tenancy/house-rules.ts'
import type { Key, Limits } from './tenancy/key.ts'
import type { Tenancy, TenancyChange } from './tenancy/tenancy.ts'
import { Weights } from './tenancy/weights.ts'
import type { Terms } from './terms.ts'
import { Trouble } from './trouble.ts'

/** Who lives in a sandbox when it is made. */
export interface Household {
  tenancy: Tenancy
  keys: FirstKeys
  inviteToken: string
}

export class Sandbox {
  clock!: SessionClock
  playhead!: Playhead
  player!: Player
  alerts!: Alerts
  /** Places of the tape by name, tape time. */
  readonly marks = new Map<string, number>()
  readonly journal: Journal
  tenancy!: Tenancy
  weights!: Weights
  /** What goes wrong here. */
  trouble!: Trouble
  private readonly dates = new DateHeader()
  /** The keys and the token it was handed out with. */
  keys!: FirstKeys
  inviteToken!: string
  /** Nonces seen, with the session time at which they may be forgotten. */
  readonly nonces = new Map<string, number>()
  private readonly onDrop = new Set<() => void>()
  private readonly onGone = new Set<() => void>()
  /** Keeps what changes here beyond the process; null in memory. */
  keeper: Keeper | null = null
  /** When it was last asked, monotonic time of the machine. */
  usedMs = 0
  private readonly onKeys = new Set<(change: TenancyChange) => void>()
  private readonly onClosing = new Set<Closing>()

  constructor(
    readonly terms: Terms,
    readonly stage: Stage,
    private readonly settle: (nowMs: number) => Household,
    readonly machine: Machine,
  ) {
    this.journal = new Journal(terms.journal)
    this.begin()
  }

  get id(): string {
    return this.terms.id
  }

  /** Its answers to the open questions; scenarios may give others. */
  get answers(): Answers {
    return this.trouble.answers
  }

  /** Everything that limits a key here; null is no limit. */
  limitsOf(key: Key): Limits {
    return withHouseRules(this.tenancy.limitsOf(key), this.answers)
  }

  keyOf(accessKey: string): Key | undefined {
    return this.tenancy.keys.get(accessKey)
  }

  /** Where the market stands now. */
  here(): Position {
    return this.playhead.at(this.clock.nowMs())
  }

  /** The facts at a place, or as of now. */
  facts(here: Position = this.here()): Facts {
    return this.stage.facts({ atMs: here.atMs, shiftMs: here.shiftMs, answers: this.answers })
  }

  /** What the caller owns here; null for somebody who did not sign. */
  tenant(key: Key | null): Tenant {
    const desk = () => new DistributorDesk(this.tenancy, key, this.clock.nowMs())
    return {
      alerts: this.alerts.of(key?.accessKey ?? ''),
      venue: { spend: (weight) => this.spend(weight) || this.isFree },
      get distributor() {
        return desk()
      },
    }
  }

  private spend(weight: number): boolean {
    this.keeper?.note('spending', ONLY)
    return this.weights.spend(weight, this.clock.nowMs())
  }

  private get isFree(): boolean {
    return this.answers['venue-rate-limit'] === 'off'
  }

  /** The `Date` header of its answers: the session clock's time. */
  get date(): string {
    return this.dates.at(this.clock.nowMs())
  }

  /** Called when the sandbox is dropped or reset; the answer takes it back. */
  whenDropped(task: () => void): () => void {
    this.onDrop.add(task)
    return () => this.onDrop.delete(task)
  }

  /** Called after each change of keys, levels and invites; the answer takes it back. */
  whenKeysChange(listener: (change: TenancyChange) => void): () => void {
    this.onKeys.add(listener)
    return () => this.onKeys.delete(listener)
  }

  /** Called when a scenario closes connections, to ask about each. */
  whenClosing(listener: Closing): void {
    this.onClosing.add(listener)
  }

  /** Whether somebody is connected. */
  get isHeld(): boolean {
    return this.onDrop.size > 0
  }

  /** Called once, when the sandbox is dropped for good. */
  whenGone(task: () => void): void {
    this.onGone.add(task)
  }

  /** As it was when made. Connections are closed. */
  reset(): void {
    this.rest()
    this.nonces.clear()
    this.marks.clear()
    this.journal.clear()
    this.journal.set(this.terms.journal)
    this.begin()
    this.keeper?.noteAll()
  }

  /** Closes every connection and rings no more. */
  drop(): void {
    for (const task of this.onGone) task()
    this.onGone.clear()
    this.rest()
  }

  private rest(): void {
    for (const task of [...this.onDrop]) task()
    this.onDrop.clear()
    this.player.stop()
    this.clock.stop()
  }

  private begin(): void {
    const { terms, stage, machine } = this
    const held = terms.clock === 'held' ? (terms.nowMs ?? stage.story.startMs) : terms.nowMs
    this.clock = new SessionClock(terms.clock, held, machine)
    this.playhead = new Playhead(stage.story, terms.epoch, this.clock.nowMs(), terms)
    this.alerts = new Alerts((id) => this.keeper?.note('alert', String(id)))
    this.weights = new Weights()
    Object.assign(this, this.settle(this.clock.nowMs()))
    this.tenancy.usage.watch((name) => this.keeper?.note('count', name))
    this.tenancy.watch((change) => {
      this.keeper?.note(change.kind, change.id)
      for (const listener of this.onKeys) listener(change)
    })
    this.player = new Player(stage.story, this.clock, this.playhead)
    this.trouble = new Trouble(standOf(this, this.onClosing), terms)
    for (const scenario of terms.wish.scenarios ?? []) this.trouble.put(scenario)
    if (terms.from) restore(this, terms.from)
  }
}
