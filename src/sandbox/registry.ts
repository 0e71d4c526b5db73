/** All sandboxes of the process, and which one a request belongs to. */
import { type Machine, machine } from '../clock/machine.ts'
import { Complaint } from '../complaint.ts'
import { type Shelf, shelfOf } from '../scenario/shelf.ts'
import type { Kept, Storehouse } from './keeper.ts'
import { RefusalLog } from './refusal-log.ts'
import { Sandbox } from './sandbox.ts'
import { ONLY } from './saved/parts.ts'
import { wishOf } from './saved/restore.ts'
import type { SandboxState } from './saved/state.ts'
import type { Stage } from './stage.ts'
import { DEFAULT_ID, householdOf } from './tenancy/household.ts'
import { type Terms, termsOf } from './terms.ts'
import type { Wish } from './wish.ts'

/** Finds or casts the world of a tape and a seed. */
export type StageDoor = (wish: { tape?: string; seed?: number }) => Promise<Stage>

export { DEFAULT_ID }

export class Registry {
  private readonly sandboxes = new Map<string, Sandbox>()
  /** By access key and by invite token. */
  private readonly byName = new Map<string, string>()
  private made = 0
  private store: Storehouse | null = null
  /** Told why signatures were not accepted. */
  readonly log: RefusalLog

  /**
   * @param actions what level `basic` of a new sandbox grants
   * @param standing what a sandbox is when its wish does not say
   */
  constructor(
    private readonly stages: StageDoor,
    private readonly actions: readonly string[],
    private readonly standing: Wish = {},
    readonly by: Machine = machine,
    say: (line: string) => void = () => {},
    /** Scenarios by name. */
    readonly shelf: Shelf = shelfOf(''),
  ) {
    this.log = new RefusalLog(say, by)
  }

  /** Takes up what was kept, and makes the default sandbox with the demo keys if need be. */
  async open(store: Storehouse | null = null): Promise<Sandbox> {
    this.store = store
    this.made = store?.numbered ?? 0
    for (const kept of store?.sandboxes() ?? []) await this.revive(kept)
    return this.sandboxes.get(DEFAULT_ID) ?? this.make(DEFAULT_ID, this.standing)
  }

  /**
   * Makes a sandbox. Refuses a name that is taken or odd, and answers to questions that do not
   * exist.
   */
  async create(wish: Wish = {}): Promise<Sandbox> {
    return this.make(this.idFor(wish.name), { ...this.standing, ...wish })
  }

  /** Makes a sandbox from a snapshot, which says all but name, tape and seed. */
  async copy(state: SandboxState, wish: Pick<Wish, 'name' | 'tape' | 'seed'>): Promise<Sandbox> {
    return this.make(this.idFor(wish.name), { ...wishOf(state.made), ...wish }, state)
  }

  /** Puts a sandbox made from a snapshot in place of one; its connections are closed. */
  async replace(id: string, state: SandboxState): Promise<Sandbox> {
    const made = wishOf(state.made)
    const terms = termsOf(id, made, state)
    const stage = await this.stageOf(made, state)
    this.remove(id)
    return this.place(terms, stage)
  }

  get(id: string): Sandbox | undefined {
    return this.used(this.sandboxes.get(id))
  }

  list(): Sandbox[] {
    return [...this.sandboxes.values()]
  }

  /** By the id in the path, else by the access key or invite token, else the default one. */
  find(id: string | undefined, name: string | undefined): Sandbox | undefined {
    const owner = id ?? (name === undefined ? undefined : this.byName.get(name))
    return this.used(this.sandboxes.get(owner ?? DEFAULT_ID))
  }

  /** Whether some sandbox has an access key or an invite token of that name. */
  knows(name: string): boolean {
    const owner = this.sandboxes.get(this.byName.get(name) ?? '')?.tenancy
    return owner !== undefined && (owner.keys.has(name) || owner.invites.has(name))
  }

  /** Whether there was one to drop. */
  drop(id: string): boolean {
    const was = this.remove(id)
    if (was) this.store?.forget(id)
    return was
  }

  /** Keeps what a call of the control plane has changed, where it is kept at all. */
  keep(id: string): void {
    const keeper = this.sandboxes.get(id)?.keeper
    keeper?.note('place', ONLY)
    keeper?.commit()
  }

  private remove(id: string): boolean {
    const sandbox = this.sandboxes.get(id)
    if (!sandbox) return false
    this.sandboxes.delete(id)
    for (const [name, owner] of this.byName) if (owner === id) this.byName.delete(name)
    sandbox.drop()
    sandbox.keeper = null
    return true
  }

  /** What is kept stays. */
  close(): void {
    for (const sandbox of this.list()) this.remove(sandbox.id)
  }

  private used(sandbox: Sandbox | undefined): Sandbox | undefined {
    if (sandbox) sandbox.usedMs = this.by.monotonicMs()
    return sandbox
  }

  /** Drops a sandbox that nobody has asked or held for so long; looks again while it is used. */
  private watchIdle(sandbox: Sandbox, idleMs: number): void {
    const look = () => {
      const leftMs = sandbox.usedMs + idleMs - this.by.monotonicMs()
      if (leftMs <= 0 && !sandbox.isHeld) this.drop(sandbox.id)
      else cancel = this.by.timer(Math.max(leftMs, idleMs / 10), look)
    }
    let cancel = this.by.timer(idleMs, look)
    sandbox.whenGone(() => cancel())
  }

  private idFor(name: string | undefined): string {
    const id = name ?? this.freeId()
    if (id.length > 63) throw new Complaint(`name has ${id.length} characters, and 63 are the most`)
    if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(id))
      throw new Complaint(`name "${id}" must be lower-case letters, digits and hyphens, at most 63`)
    if (this.sandboxes.has(id)) throw new Complaint(`there is a sandbox "${id}" already`)
    return id
  }

  private freeId(): string {
    do this.made++
    while (this.sandboxes.has(`s${this.made}`))
    if (this.store) this.store.numbered = this.made
    return `s${this.made}`
  }

  private async make(id: string, wish: Wish, from: SandboxState | null = null): Promise<Sandbox> {
    const terms = termsOf(id, wish, from)
    const stage = await this.stageOf(wish, from)
    if (this.sandboxes.has(id)) throw new Complaint(`there is a sandbox "${id}" already`)
    return this.place(terms, stage)
  }

  private async revive({ id, state, from }: Kept): Promise<void> {
    const what = `sandbox "${id}" of the state file`
    const made = wishOf(state.made)
    const stage = await this.stageOf(made, state, what)
    this.place(termsOf(id, made, from), stage, state)
  }

  /** @param state what it goes on from, when it was kept */
  private place(terms: Terms, stage: Stage, state: SandboxState | null = null): Sandbox {
    const { id, origin, chance, wish } = terms
    const claim = (name: string) => {
      // A copy of a sandbox has the same names: they stay with the one that had them first.
      if (!this.byName.has(name)) this.byName.set(name, id)
    }
    const settle = (nowMs: number) => householdOf(origin, chance, this.actions, nowMs, claim)
    const sandbox = new Sandbox(terms, stage, settle, this.by)
    this.sandboxes.set(id, this.used(sandbox) as Sandbox)
    if (wish.idleMs !== undefined && id !== DEFAULT_ID) this.watchIdle(sandbox, wish.idleMs)
    if (state) sandbox.resume(state)
    sandbox.keeper = (state ? this.store?.resume(sandbox) : this.store?.keep(sandbox)) ?? null
    return sandbox
  }

  /** The stage of a wish; a Complaint when a state was taken on another one. */
  private async stageOf(
    wish: Wish,
    from: SandboxState | null,
    what = 'the snapshot',
  ): Promise<Stage> {
    const stage = await this.stages(wish)
    if (!from || from.world === stage.id) return stage
    throw new Complaint(
      `${what} is of world ${from.world}, and this would be world ${stage.id}: ` +
        'name the tape and seed that it was made with',
    )
  }
}
