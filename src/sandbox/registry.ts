/** All sandboxes of the process, and which one a request belongs to. */
import { hostClock, type SystemClock } from '../clock/system-clock.ts'
import { Turns } from '../clock/turns.ts'
import { UserError } from '../platform/user-error.ts'
import { DEFAULT_JOURNAL_SETTINGS } from './journal/journal.ts'
import { type LoadedWorld, type WorldProvider, worldOf } from './loaded-world.ts'
import { optionsFor, scheduleInitialEvents } from './market-events/scenario-coins.ts'
import { ProcessMemory } from './memory.ts'
import { ServerMetrics } from './metrics/server-metrics.ts'
import { type NumberedEntries, NumberedMap } from './numbered-map.ts'
import { Sandbox } from './sandbox.ts'
import type { SandboxOptions } from './sandbox-config.ts'
import {
  checkSandboxId,
  DEFAULT_SANDBOX_ID,
  type SandboxConfig,
  sandboxConfigOf,
} from './sandbox-config.ts'
import {
  type SandboxHost,
  type SandboxStore,
  type SharedSandboxes,
  StorageError,
  type StorageStatus,
  type StoredSandbox,
  storeSandbox,
} from './sandbox-store.ts'
import { NO_SCENARIOS, type ScenarioLibrary } from './scenario/scenario-list.ts'
import { SignatureRefusalLog } from './signature-diagnosis.ts'
import { optionsOf } from './snapshot/restoration.ts'
import type { SandboxState } from './snapshot/sandbox-state.ts'
import { sandboxStateOf } from './snapshot/state-parts.ts'
import { NO_STORIES, type StoryLibrary } from './story/story-list.ts'
import { initialTenancyOf } from './tenancy/initial-tenancy.ts'
import type { ClaimName } from './tenancy/tenancy.ts'

export class Registry {
  private readonly sandboxes: SandboxMap
  private readonly nameOwners = new NameOwners()
  private numberedCount = 0
  private store: SandboxStore | null = null
  /** Turns of the thread for the work of all sandboxes. */
  readonly turns: Turns
  stories: StoryLibrary = NO_STORIES
  /** Memory of the process; unbounded until a server sets a limit. */
  memory: ProcessMemory
  /** Logs why signatures were refused. */
  readonly log: SignatureRefusalLog

  /**
   * @param actions permissions of level `basic` in a new sandbox
   * @param defaults options of a sandbox that does not set them
   */
  constructor(
    readonly worlds: WorldProvider,
    private readonly actions: readonly string[],
    private readonly defaults: SandboxOptions = {},
    readonly systemClock: SystemClock = hostClock,
    private readonly writeLog: (line: string) => void = () => {},
    readonly library: ScenarioLibrary = NO_SCENARIOS,
    maxSandboxes = SANDBOXES_MAX,
    readonly metrics = new ServerMetrics(systemClock),
  ) {
    this.sandboxes = new SandboxMap(maxSandboxes)
    this.turns = new Turns(systemClock)
    this.memory = new ProcessMemory(systemClock)
    this.log = new SignatureRefusalLog(writeLog, systemClock)
  }

  /** Restores stored sandboxes, and creates the default one with the demo keys if necessary. */
  async open(store: SandboxStore | null = null): Promise<Sandbox> {
    this.store = store
    store?.reportTo({ systemClock: this.systemClock, log: this.writeLog })
    this.numberedCount = store?.numberedCount ?? 0
    await store?.shared?.join(this.sharedHost())
    for (const stored of store?.sandboxes() ?? []) await this.restoreStored(stored)
    return this.sandboxes.get(DEFAULT_SANDBOX_ID) ?? this.build(DEFAULT_SANDBOX_ID, this.defaults)
  }

  /** Creates a sandbox. A UserError for an invalid or taken name, and for unknown answers. */
  async create(options: SandboxOptions = {}): Promise<Sandbox> {
    const id = await this.idFor(options.name)
    return this.build(id, { ...this.defaults, ...options })
  }

  /** Creates a sandbox from a snapshot, which contains all but name, tape and seed. */
  async copy(
    state: SandboxState,
    own: Pick<SandboxOptions, 'name' | 'tape' | 'seed'>,
  ): Promise<Sandbox> {
    const id = await this.idFor(own.name)
    return this.build(id, { ...optionsOf(state.options), ...own }, state)
  }

  /** Replaces a sandbox by one made from a snapshot; its connections are closed. */
  async replace(id: string, state: SandboxState): Promise<Sandbox> {
    const options = optionsOf(state.options)
    const config = sandboxConfigOf(id, options, state)
    const world = await worldOf(this.worlds, options, state)
    if (!this.sandboxes.get(id)) throw new UserError(`sandbox "${id}" was dropped meanwhile`)
    return this.install(config, world)
  }

  /** The sandboxes of all replicas; null where this process has them alone. */
  get shared(): SharedSandboxes | null {
    return this.store?.shared ?? null
  }

  /** What the store of all replicas does to the sandboxes of this one. */
  private sharedHost(): SandboxHost {
    return {
      byId: this.sandboxes,
      ownsName: (name) => this.ownsName(name),
      restore: (stored) => this.restoreStored(stored),
      remove: (id) => void this.remove(id),
      createDefault: async () => void (await this.build(DEFAULT_SANDBOX_ID, this.defaults)),
      run: async (id, work) => {
        const { shared } = this.sandboxes.get(id) ?? {}
        if (shared) await this.turns.run(this.sandboxes.get(id) as Sandbox, work(shared))
      },
    }
  }

  /**
   * A copy of a sandbox as it is now, found and stored nowhere, on the same market: what is done
   * with it changes nothing else. Its journal is on, and it asks no upstream service. The caller
   * drops it.
   */
  rehearsalOf(sandbox: Sandbox): Sandbox {
    const { id, world, config } = sandbox
    const state = sandboxStateOf(sandbox)
    const { progress } = state
    const snapshot = { ...state, progress: { ...progress, journal: DEFAULT_JOURNAL_SETTINGS } }
    const { origin, identitySeed, miss } = config
    const copied = { ...config, miss: miss === 'upstream' ? 'refuse' : miss, snapshot } as const
    const createTenancy = (nowMs: number) =>
      initialTenancyOf(origin, identitySeed, this.actions, nowMs, () => {})
    const { turns, systemClock, memory } = this
    return new Sandbox(
      { ...copied, id },
      world,
      createTenancy,
      turns,
      systemClock,
      () => {},
      memory,
    )
  }

  get(id: string): Sandbox | undefined {
    return this.touch(this.sandboxes.get(id))
  }

  list(): Sandbox[] {
    return [...this.sandboxes.values()]
  }

  /** All sandboxes by id, in order of creation. */
  get byId(): NumberedEntries<Sandbox> {
    return this.sandboxes
  }

  /** Finds a sandbox by the path's id, else by access key or invite token, else the default. */
  find(id: string | undefined, name: string | undefined): Sandbox | undefined {
    const owner = id ?? (name === undefined ? undefined : this.nameOwners.ownerOf(name))
    return this.touch(this.sandboxes.get(owner ?? DEFAULT_SANDBOX_ID))
  }

  /** Whether a sandbox has an access key or an invite token of that name. */
  ownsName(name: string): boolean {
    const owner = this.sandboxes.get(this.nameOwners.ownerOf(name) ?? '')?.tenancy
    return owner !== undefined && (owner.keys.has(name) || owner.invites.has(name))
  }

  /** Drops a sandbox; whether it existed. A promise where the store is another process. */
  drop(id: string): boolean | Promise<boolean> {
    const removed = this.sandboxes.has(id) ? this.store?.remove(id) : undefined
    return removed instanceof Promise ? removed.then(() => this.remove(id)) : this.remove(id)
  }

  /** The state file's status; null without one. */
  get storage(): StorageStatus | null {
    return this.store?.status ?? null
  }

  private remove(id: string): boolean {
    const sandbox = this.sandboxes.get(id)
    if (!sandbox) return false
    this.sandboxes.delete(id)
    this.release(sandbox)
    return true
  }

  private release(sandbox: Sandbox): void {
    this.nameOwners.release(sandbox.id)
    sandbox.drop()
    sandbox.changeLog = null
  }

  /** Closes the store, with the present state where that can be stored. */
  close(): void {
    for (const sandbox of this.list()) sandbox.changes.flushProgress()
    for (const { id } of this.list()) this.remove(id)
  }

  private touch(sandbox: Sandbox | undefined): Sandbox | undefined {
    if (sandbox) sandbox.lastUsedMs = this.systemClock.monotonicMs()
    return sandbox
  }

  private async idFor(name: string | undefined): Promise<string> {
    const { shared } = this
    if (shared && name === undefined) return `s${await shared.nextNumber()}`
    await shared?.prepare(name, undefined)
    while (name === undefined && this.sandboxes.has(`s${++this.numberedCount}`));
    const id = name ?? `s${this.numberedCount}`
    checkSandboxId(id)
    this.sandboxes.checkFree(id)
    return id
  }

  private async build(
    id: string,
    options: SandboxOptions,
    snapshot: SandboxState | null = null,
  ): Promise<Sandbox> {
    // Flawed options are refused before a world is cast.
    sandboxConfigOf(id, options, snapshot)
    this.memory.checkRoom()
    const world = await worldOf(this.worlds, options, snapshot)
    const settled = await this.turns.run(this, optionsFor(world, options))
    // Others may have been created while the world was awaited.
    this.sandboxes.checkFree(id)
    const sandbox = await this.install(sandboxConfigOf(id, settled, snapshot), world)
    const undo = () => this.drop(id)
    const scheduling = () => scheduleInitialEvents(sandbox, undo, this.defaults.scenarios ?? [])
    return this.turns.run(sandbox, sandbox.shared?.exclusive(scheduling) ?? scheduling())
  }

  private async restoreStored({ id, state, snapshot }: StoredSandbox): Promise<void> {
    const options = optionsOf(state.options)
    const world = await worldOf(this.worlds, options, state, `sandbox "${id}" of the state file`)
    await this.install(sandboxConfigOf(id, options, snapshot), world, state)
  }

  /** @param state the stored state that it continues from */
  private async install(
    config: SandboxConfig,
    world: LoadedWorld,
    state: SandboxState | null = null,
  ): Promise<Sandbox> {
    const { id, origin, identitySeed, options } = config
    const names = this.nameOwners.claimLater(id)
    const createTenancy = (nowMs: number) =>
      initialTenancyOf(origin, identitySeed, this.actions, nowMs, names.claim)
    const { turns, systemClock, writeLog, memory } = this
    const sandbox = new Sandbox(config, world, createTenancy, turns, systemClock, writeLog, memory)
    if (state) sandbox.resume(state)
    const stored = storeSandbox(this.store, sandbox, state ? null : this.numberedCount)
    if (stored) await stored
    const replaced = this.sandboxes.get(id)
    if (replaced) this.release(replaced)
    names.settle()
    this.sandboxes.set(id, this.touch(sandbox) as Sandbox)
    if (options.idleMs !== undefined && id !== DEFAULT_SANDBOX_ID)
      // The store of all replicas forgets an idle sandbox by itself.
      watchIdle(sandbox, options.idleMs, this.systemClock, () => {
        if (this.shared) this.remove(id)
        else this.drop(id)
      })
    return sandbox
  }
}

/** Maximum number of sandboxes of a process by default. */
const SANDBOXES_MAX = 10_000

/** The sandboxes of a process by id, in order of creation, up to a maximum. */
class SandboxMap extends NumberedMap<Sandbox> {
  constructor(private readonly max: number) {
    super()
  }

  /** Throws a UserError when no sandbox of that id can be added. */
  checkFree(id: string): void {
    if (this.has(id)) throw new UserError(`there is a sandbox "${id}" already`)
    if (this.size < this.max) return
    throw new UserError(
      `there are ${this.size} sandboxes, at most ${this.max} (serve --max-sandboxes): ` +
        'drop some before another one is made',
    )
  }
}

/**
 * Calls `drop` when a sandbox was idle for so long; checks again while it is in use, or when its
 * stored state could not be removed.
 */
function watchIdle(
  sandbox: Sandbox,
  idleMs: number,
  systemClock: SystemClock,
  drop: () => void,
): void {
  const dropped = () => {
    try {
      drop()
      return true
    } catch (error) {
      if (error instanceof StorageError) return false
      throw error
    }
  }
  const check = () => {
    const leftMs = sandbox.lastUsedMs + idleMs - systemClock.monotonicMs()
    if (leftMs <= 0 && sandbox.stopListeners.size === 0 && dropped()) return
    cancel = systemClock.startTimer(Math.max(leftMs, idleMs / 10), check)
  }
  let cancel = systemClock.startTimer(idleMs, check)
  sandbox.onRemoved(() => cancel())
}

/** The sandbox of each access key and invite token. */
class NameOwners {
  private readonly idByName = new Map<string, string>()
  private readonly namesById = new Map<string, Set<string>>()

  /** Claims names for a sandbox under construction: they belong to it after `settle`. */
  claimLater(id: string): { claim: ClaimName; settle: () => void } {
    const early: string[] = []
    let isSettled = false
    return {
      claim: (name) => {
        if (isSettled) this.claim(name, id)
        else early.push(name)
      },
      settle: () => {
        isSettled = true
        for (const name of early) this.claim(name, id)
      },
    }
  }

  /** Id of the sandbox that owns a name; undefined for none. */
  ownerOf(name: string): string | undefined {
    return this.idByName.get(name)
  }

  /** Releases the names of a sandbox. */
  release(id: string): void {
    for (const name of this.namesById.get(id) ?? []) this.idByName.delete(name)
    this.namesById.delete(id)
  }

  /** A copy of a sandbox has the same names: they stay with the first owner. */
  private claim(name: string, id: string): void {
    if (this.idByName.has(name)) return
    this.idByName.set(name, id)
    const names = this.namesById.get(id)
    if (names) names.add(name)
    else this.namesById.set(id, new Set([name]))
  }
}
