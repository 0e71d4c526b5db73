/**
 * Everything one tenant owns: its clock, its place in the tape, its keys and its answers to the
 * open questions. The world is shared and never changes.
 */
import type { Machine } from '../clock/machine.ts'
import type { Facts } from '../contract/facts.ts'
import type { Answers } from '../contract/questions.ts'
import { DateHeader } from './date-header.ts'
import { Journal } from './journal/journal.ts'
import type { Keeper } from './keeper.ts'
import type { Position } from './playhead.ts'
import { type Run, runOf } from './run.ts'
import { restored } from './saved/restore.ts'
import type { SandboxState } from './saved/state.ts'
import type { Stage } from './stage.ts'
import type { Closing } from './stand.ts'
import { withHouseRules } from './tenancy/house-rules.ts'
import type { Household } from './tenancy/household.ts'
import type { Key, Limits } from './tenancy/key.ts'
import type { TenancyChange } from './tenancy/tenancy.ts'
import type { Terms } from './terms.ts'

export class Sandbox {
  private run: Run
  readonly journal: Journal
  private readonly dates = new DateHeader()
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
    this.run = this.begin()
  }

  get id(): string {
    return this.terms.id
  }

  get clock(): Run['clock'] {
    return this.run.clock
  }

  get playhead(): Run['playhead'] {
    return this.run.playhead
  }

  get player(): Run['player'] {
    return this.run.player
  }

  get alerts(): Run['alerts'] {
    return this.run.alerts
  }

  get marks(): Run['marks'] {
    return this.run.marks
  }

  get nonces(): Run['nonces'] {
    return this.run.nonces
  }

  get tenancy(): Run['tenancy'] {
    return this.run.tenancy
  }

  get weights(): Run['weights'] {
    return this.run.weights
  }

  get trouble(): Run['trouble'] {
    return this.run.trouble
  }

  get keys(): Run['keys'] {
    return this.run.keys
  }

  get inviteToken(): Run['inviteToken'] {
    return this.run.inviteToken
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
    this.journal.clear()
    this.journal.set(this.terms.journal)
    this.run = this.begin()
    this.keeper?.noteAll()
  }

  /** Goes on from a state; nobody may be connected yet. */
  resume(state: SandboxState): void {
    this.journal.set(state.place.journal)
    this.run = restored(this.run, state)
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

  private begin(): Run {
    const { terms, stage, settle, machine, onClosing: closing } = this
    const alertChanged = (id: number) => this.keeper?.note('alert', String(id))
    const run = runOf({ terms, stage, machine, settle, closing, alertChanged })
    run.tenancy.usage.watch((name) => this.keeper?.note('count', name))
    run.tenancy.watch((change) => {
      this.keeper?.note(change.kind, change.id)
      for (const listener of this.onKeys) listener(change)
    })
    if (!terms.from) return run
    this.journal.set(terms.from.place.journal)
    return restored(run, terms.from)
  }
}
