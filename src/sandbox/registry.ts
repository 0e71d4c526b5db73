/** All sandboxes of the process, and which one a request belongs to. */
import { hostClock, type SystemClock } from '../clock/system-clock.ts'
import { type ScenarioLibrary, scenarioLibrary } from '../scenario/scenario-library.ts'
import { UserError } from '../user-error.ts'
import type { LoadedWorld } from './loaded-world.ts'
import { Sandbox } from './sandbox.ts'
import { type SandboxConfig, sandboxConfigOf } from './sandbox-config.ts'
import type { SandboxOptions } from './sandbox-options.ts'
import type { SandboxStore, StoredSandbox } from './sandbox-store.ts'
import { SignatureRefusalLog } from './signature-refusal-log.ts'
import { optionsOf } from './snapshot/restoration.ts'
import type { SandboxState } from './snapshot/sandbox-state.ts'
import { SINGLE_ID } from './snapshot/state-parts.ts'
import { DEFAULT_ID, initialTenancyOf } from './tenancy/initial-tenancy.ts'

/** Finds or casts the world of a tape and a seed. */
export type WorldProvider = (wish: { tape?: string; seed?: number }) => Promise<LoadedWorld>

export { DEFAULT_ID }

export class Registry {
  private readonly sandboxes = new Map<string, Sandbox>()
  /** By access key and by invite token. */
  private readonly ownerByName = new Map<string, string>()
  private numberedCount = 0
  private store: SandboxStore | null = null
  /** Told why signatures were not accepted. */
  readonly log: SignatureRefusalLog

  /**
   * @param actions what level `basic` of a new sandbox grants
   * @param standing what a sandbox is when its wish does not say
   */
  constructor(
    private readonly worlds: WorldProvider,
    private readonly actions: readonly string[],
    private readonly defaults: SandboxOptions = {},
    readonly systemClock: SystemClock = hostClock,
    say: (line: string) => void = () => {},
    /** Scenarios by name. */
    readonly library: ScenarioLibrary = scenarioLibrary(''),
  ) {
    this.log = new SignatureRefusalLog(say, systemClock)
  }

  /** Takes up what was kept, and makes the default sandbox with the demo keys if need be. */
  async open(store: SandboxStore | null = null): Promise<Sandbox> {
    this.store = store
    this.numberedCount = store?.numberedCount ?? 0
    for (const kept of store?.sandboxes() ?? []) await this.restoreStored(kept)
    return this.sandboxes.get(DEFAULT_ID) ?? this.build(DEFAULT_ID, this.defaults)
  }

  /**
   * Makes a sandbox. Refuses a name that is taken or odd, and answers to questions that do not
   * exist.
   */
  async create(wish: SandboxOptions = {}): Promise<Sandbox> {
    return this.build(this.idFor(wish.name), { ...this.defaults, ...wish })
  }

  /** Makes a sandbox from a snapshot, which says all but name, tape and seed. */
  async copy(
    state: SandboxState,
    wish: Pick<SandboxOptions, 'name' | 'tape' | 'seed'>,
  ): Promise<Sandbox> {
    return this.build(this.idFor(wish.name), { ...optionsOf(state.options), ...wish }, state)
  }

  /** Puts a sandbox made from a snapshot in place of one; its connections are closed. */
  async replace(id: string, state: SandboxState): Promise<Sandbox> {
    const made = optionsOf(state.options)
    const terms = sandboxConfigOf(id, made, state)
    const stage = await this.worldOf(made, state)
    this.remove(id)
    return this.install(terms, stage)
  }

  get(id: string): Sandbox | undefined {
    return this.touch(this.sandboxes.get(id))
  }

  list(): Sandbox[] {
    return [...this.sandboxes.values()]
  }

  /** By the id in the path, else by the access key or invite token, else the default one. */
  find(id: string | undefined, name: string | undefined): Sandbox | undefined {
    const owner = id ?? (name === undefined ? undefined : this.ownerByName.get(name))
    return this.touch(this.sandboxes.get(owner ?? DEFAULT_ID))
  }

  /** Whether some sandbox has an access key or an invite token of that name. */
  ownsName(name: string): boolean {
    const owner = this.sandboxes.get(this.ownerByName.get(name) ?? '')?.tenancy
    return owner !== undefined && (owner.keys.has(name) || owner.invites.has(name))
  }

  /** Whether there was one to drop. */
  drop(id: string): boolean {
    const was = this.remove(id)
    if (was) this.store?.remove(id)
    return was
  }

  /** Keeps what a call of the control plane has changed, where it is kept at all. */
  commitChanges(id: string): void {
    const keeper = this.sandboxes.get(id)?.changeLog
    keeper?.markChanged('progress', SINGLE_ID)
    keeper?.commit()
  }

  private remove(id: string): boolean {
    const sandbox = this.sandboxes.get(id)
    if (!sandbox) return false
    this.sandboxes.delete(id)
    for (const [name, owner] of this.ownerByName) if (owner === id) this.ownerByName.delete(name)
    sandbox.drop()
    sandbox.changeLog = null
    return true
  }

  /** What is kept stays. */
  close(): void {
    for (const sandbox of this.list()) this.remove(sandbox.id)
  }

  private touch(sandbox: Sandbox | undefined): Sandbox | undefined {
    if (sandbox) sandbox.lastUsedMs = this.systemClock.monotonicMs()
    return sandbox
  }

  /** Drops a sandbox that nobody has asked or held for so long; looks again while it is used. */
  private watchIdle(sandbox: Sandbox, idleMs: number): void {
    const look = () => {
      const leftMs = sandbox.lastUsedMs + idleMs - this.systemClock.monotonicMs()
      if (leftMs <= 0 && !sandbox.hasConnections) this.drop(sandbox.id)
      else cancel = this.systemClock.startTimer(Math.max(leftMs, idleMs / 10), look)
    }
    let cancel = this.systemClock.startTimer(idleMs, look)
    sandbox.onRemoved(() => cancel())
  }

  private idFor(name: string | undefined): string {
    const id = name ?? this.freeId()
    if (id.length > 63) throw new UserError(`name has ${id.length} characters, and 63 are the most`)
    if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(id))
      throw new UserError(`name "${id}" must be lower-case letters, digits and hyphens, at most 63`)
    if (this.sandboxes.has(id)) throw new UserError(`there is a sandbox "${id}" already`)
    return id
  }

  private freeId(): string {
    do this.numberedCount++
    while (this.sandboxes.has(`s${this.numberedCount}`))
    if (this.store) this.store.numberedCount = this.numberedCount
    return `s${this.numberedCount}`
  }

  private async build(
    id: string,
    wish: SandboxOptions,
    from: SandboxState | null = null,
  ): Promise<Sandbox> {
    const terms = sandboxConfigOf(id, wish, from)
    const stage = await this.worldOf(wish, from)
    if (this.sandboxes.has(id)) throw new UserError(`there is a sandbox "${id}" already`)
    return this.install(terms, stage)
  }

  private async restoreStored({ id, state, snapshot }: StoredSandbox): Promise<void> {
    const what = `sandbox "${id}" of the state file`
    const made = optionsOf(state.options)
    const stage = await this.worldOf(made, state, what)
    this.install(sandboxConfigOf(id, made, snapshot), stage, state)
  }

  /** @param state what it goes on from, when it was kept */
  private install(
    terms: SandboxConfig,
    stage: LoadedWorld,
    state: SandboxState | null = null,
  ): Sandbox {
    const { id, origin, identitySeed, options } = terms
    const claim = (name: string) => {
      // A copy of a sandbox has the same names: they stay with the one that had them first.
      if (!this.ownerByName.has(name)) this.ownerByName.set(name, id)
    }
    const settle = (nowMs: number) =>
      initialTenancyOf(origin, identitySeed, this.actions, nowMs, claim)
    const sandbox = new Sandbox(terms, stage, settle, this.systemClock)
    this.sandboxes.set(id, this.touch(sandbox) as Sandbox)
    if (options.idleMs !== undefined && id !== DEFAULT_ID) this.watchIdle(sandbox, options.idleMs)
    if (state) sandbox.resume(state)
    sandbox.changeLog = (state ? this.store?.reopen(sandbox) : this.store?.add(sandbox)) ?? null
    return sandbox
  }

  /** The stage of a wish; a UserError when a state was taken on another one. */
  private async worldOf(
    wish: SandboxOptions,
    from: SandboxState | null,
    what = 'the snapshot',
  ): Promise<LoadedWorld> {
    const stage = await this.worlds(wish)
    if (!from || from.world === stage.id) return stage
    throw new UserError(
      `${what} is of world ${from.world}, and this would be world ${stage.id}: ` +
        'name the tape and seed that it was made with',
    )
  }
}
