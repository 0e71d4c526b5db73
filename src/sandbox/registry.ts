/** All sandboxes of the process, and which one a request belongs to. */
import { type Machine, machine } from '../clock/machine.ts'
import type { ClockState } from '../clock/session-clock.ts'
import { Complaint } from '../complaint.ts'
import { type CHOSEN, choose } from '../contract/questions.ts'
import { dice } from '../random/dice.ts'
import { type JournalSettings, STANDING } from './journal/journal.ts'
import type { EndBehaviour, Epoch, Speed } from './playhead.ts'
import { RefusalLog } from './refusal-log.ts'
import { type Household, Sandbox, type Stage } from './sandbox.ts'
import { demoNames, furnish } from './tenancy/first-keys.ts'
import { Tenancy } from './tenancy/tenancy.ts'
import type { Profile, Terms } from './terms.ts'

/** What a new sandbox can be asked to be; everything else is as the server was started. */
export interface Wish {
  name?: string
  tape?: string
  seed?: number
  at?: number
  speed?: Speed
  end?: EndBehaviour
  epoch?: Epoch
  clock?: ClockState
  now?: number
  questions?: Record<string, string>
  signatureTime?: 'machine' | 'session'
  profile?: Profile
  metering?: 'on' | 'off'
  journal?: Partial<JournalSettings>
  /** Dropped when nobody has asked or held it for so long, ms of the machine. */
  idleMs?: number
}

/** Finds or casts the world of a tape and a seed. */
export type StageDoor = (wish: { tape?: string; seed?: number }) => Promise<Stage>

export const DEFAULT_ID = 'default'

export class Registry {
  private readonly sandboxes = new Map<string, Sandbox>()
  /** By access key and by invite token. */
  private readonly byName = new Map<string, string>()
  private made = 0
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
  ) {
    this.log = new RefusalLog(say, by)
  }

  /** Makes the default sandbox, with the demo keys. */
  async open(): Promise<Sandbox> {
    return this.make(DEFAULT_ID, this.standing)
  }

  /**
   * Makes a sandbox. Refuses a name that is taken or odd, and answers to questions that do not
   * exist.
   */
  async create(wish: Wish = {}): Promise<Sandbox> {
    const id = wish.name ?? this.freeId()
    if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(id))
      throw new Complaint(`name "${id}" must be lower-case letters, digits and hyphens, at most 63`)
    if (this.sandboxes.has(id)) throw new Complaint(`there is a sandbox "${id}" already`)
    return this.make(id, { ...this.standing, ...wish })
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
    return this.byName.has(name)
  }

  /** Whether there was one to drop. */
  drop(id: string): boolean {
    const sandbox = this.sandboxes.get(id)
    if (!sandbox) return false
    this.sandboxes.delete(id)
    for (const [name, owner] of this.byName) if (owner === id) this.byName.delete(name)
    sandbox.drop()
    return true
  }

  close(): void {
    for (const sandbox of this.list()) this.drop(sandbox.id)
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

  private freeId(): string {
    do this.made++
    while (this.sandboxes.has(`s${this.made}`))
    return `s${this.made}`
  }

  private async make(id: string, wish: Wish): Promise<Sandbox> {
    const answers = choose(wish.questions ?? {})
    if (typeof answers === 'string') throw new Complaint(answers)
    const stage = await this.stages(wish)
    if (this.sandboxes.has(id)) throw new Complaint(`there is a sandbox "${id}" already`)
    const household = (nowMs: number) => this.household(id, wish.seed ?? 0, nowMs)
    const sandbox = new Sandbox(termsOf(id, wish, answers), stage, household, this.by)
    this.sandboxes.set(id, this.used(sandbox) as Sandbox)
    if (wish.idleMs !== undefined && id !== DEFAULT_ID) this.watchIdle(sandbox, wish.idleMs)
    return sandbox
  }

  /** The same each time: a sandbox that is reset has the keys it was made with. */
  private household(id: string, seed: number, nowMs: number): Household {
    const chance = dice(seed, `sandbox/${id}`)
    const tenancy = new Tenancy(chance.fork('later keys'), id, (name) => this.byName.set(name, id))
    const isDefault = id === DEFAULT_ID
    const keyDice = chance.fork('keys')
    const naming = (who: string) => ({
      accessKey: `${id}-${who}-${keyDice.hex(8)}`,
      secretKey: keyDice.hex(40),
    })
    const inviteToken = isDefault ? 'demo-invite' : `${id}-invite-${chance.fork('invite').hex(8)}`
    const names = isDefault ? demoNames : naming
    const keys = furnish(tenancy, names, inviteToken, this.actions, nowMs)
    return { tenancy, keys, inviteToken }
  }
}

function termsOf(id: string, wish: Wish, answers: typeof CHOSEN): Terms {
  return {
    id,
    clock: wish.clock ?? 'running',
    epoch: wish.epoch ?? 'live',
    profile: wish.profile ?? 'contract',
    metering: wish.metering ?? 'on',
    journal: { ...STANDING, ...wish.journal },
    signatureTime: wish.signatureTime ?? 'machine',
    answers,
    ...(wish.now === undefined ? {} : { nowMs: wish.now }),
    ...(wish.at === undefined ? {} : { atMs: wish.at }),
    ...(wish.speed === undefined ? {} : { speed: wish.speed }),
    ...(wish.end === undefined ? {} : { end: wish.end }),
  }
}
