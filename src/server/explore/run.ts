/** One run: a plan is carried out in a sandbox of its own while a client uses it. */

import type { JournalEntry } from '../../clients/control/records.ts'
import type { SystemClock } from '../../clock/system-clock.ts'
import { fieldSpanMs } from '../../contract/fields/field-check.ts'
import type { GivenEvent } from '../../market/events/market-event.ts'
import type { CreateSandboxOptions, SandboxHandle } from '../embedding/create-sandbox.ts'
import { type Baseline, type CarriedOut, type Failure, judgeRun, type RunRecord } from './judges.ts'
import {
  type Action,
  actionText,
  beginMs,
  checkFit,
  endMs,
  kindOfAction,
  type Plan,
  ruleOf,
} from './plan.ts'

/** How a client has ended: why it has failed, or null; and the last part of its output. */
export interface Ending {
  failed: string | null
  output: string
}

/** A client that is running. */
export interface RunningClient {
  /** Resolves when it has ended, however that was. */
  readonly ended: Promise<Ending>
  /** Requests its end. */
  stop(): void
  /** Ends it, whatever it does. */
  kill(): void
}

/** The client that is explored: a program, or a function of a test. */
export interface ExploredClient {
  /** Its name in messages. */
  name: string
  start(sandbox: SandboxHandle): RunningClient
}

/** The settings of all runs of an exploration. */
export interface RunSettings {
  clock: 'held' | 'running'
  /** Speed of the market with a running clock. */
  speed: number
  /** Machine time without anything new in the journal after which the client has kept up, ms. */
  quietMs: number
  /** Longest wait for sockets that the client opens again, machine time, ms. */
  patienceMs: number
  /** Longest duration of a run after its plan, machine time, ms. */
  timeLimitMs: number
  /** Judges that are switched off, by id. */
  without: ReadonlySet<string>
  /** Further options of the sandboxes. */
  sandbox: CreateSandboxOptions
  createSandbox: (options: CreateSandboxOptions) => Promise<SandboxHandle>
  systemClock: SystemClock
  signal?: AbortSignal | undefined
}

/** A carried-out plan and what came of it. */
export interface Run extends RunRecord {
  failures: readonly Failure[]
  ending: Ending
  baseline: Baseline
  /** Machine time, ms. */
  tookMs: number
}

/** Session time after a plan in which the client may recover, and the longest step of the clock. */
const TAIL_MS = 8_000
const STEP_MS = 5_000
/** Longest machine time that one settling takes. */
const SETTLE_MAX_MS = 120
const JOURNAL_BYTES = 32 << 20

/** Carries out a plan; a UserError for one that does not fit the market. */
export async function runPlan(
  plan: Plan,
  client: ExploredClient,
  settings: RunSettings,
  baseline: Baseline | null,
): Promise<Run> {
  const { systemClock, clock, speed } = settings
  const startedMs = systemClock.monotonicMs()
  const sandbox = await settings.createSandbox({
    journal: { on: true, bytes: JOURNAL_BYTES },
    ...settings.sandbox,
    clock,
    ...(clock === 'running' ? { speed } : {}),
  })
  let running: RunningClient | null = null
  try {
    const { world, clock: session } = await sandbox.control.get()
    if (plan.actions.length > 0)
      checkFit(plan, { id: world, coins: (await sandbox.control.cast()).coins })
    running = client.start(sandbox)
    let ending: Ending | null = null
    void running.ended.then((how) => {
      ending = how
    })
    const hasEnded = () => ending !== null
    const driver = new Driver(sandbox, plan, settings, baseline, session.now, hasEnded)
    await driver.play()
    const own = await driver.endOf(running)
    const how = ending ?? (await running.ended)
    const record: RunRecord = { ...own, plan, startMs: session.now, failed: how.failed, clock }
    const failures = judgeRun(record, baseline, settings.without)
    const tookMs = systemClock.monotonicMs() - startedMs
    return { ...record, failures, ending: how, baseline: own.seen, tookMs }
  } finally {
    running?.kill()
    await sandbox.close()
  }
}

/** A moment of a plan: an action begins or ends. */
interface Moment {
  atMs: number
  order: number
  isBegin: boolean
  action: Action
  number: number
}

/** Moves time, carries out the actions, and waits for the client. */
class Driver {
  private readonly carriedOut: CarriedOut[] = []
  private readonly ends = new Map<number, () => Promise<unknown>>()
  private peak = 0
  private canWait = true
  /** Connections and subscriptions when all trouble was over. */
  private connections = 0
  private streams: string[] = []

  constructor(
    private readonly sandbox: SandboxHandle,
    private readonly plan: Plan,
    private readonly settings: RunSettings,
    private readonly known: Baseline | null,
    private readonly startMs: number,
    private readonly hasEnded: () => boolean,
  ) {}

  /** Carries out the plan, ends all trouble, and lets the client recover. */
  async play(): Promise<void> {
    await this.awaitFirst()
    let nowMs = 0
    for (const moment of this.moments()) {
      nowMs = await this.moveTo(moment.atMs, nowMs)
      if (this.isOver) break
      await this.act(moment)
      await this.settle()
    }
    await this.moveTo(this.plan.lengthMs, nowMs)
    for (const number of [...this.ends.keys()]) await this.end(number)
    await this.recover()
    const connections = await this.sandbox.control.connections.list()
    this.connections = connections.length
    this.streams = connections
      .flatMap(({ streams }) => streams)
      .map(({ channel, subscription }) => `${channel} ${JSON.stringify(subscription)}`)
      .sort()
  }

  /** Waits for the client's end, stops it where it does not end itself, and reads the journal. */
  async endOf(
    running: RunningClient,
  ): Promise<Pick<RunRecord, 'carriedOut' | 'journal' | 'seen' | 'isLate' | 'claims'>> {
    const { systemClock, timeLimitMs } = this.settings
    const endsMs = systemClock.monotonicMs() + timeLimitMs
    const journal = await this.journal()
    const stopsMs = systemClock.monotonicMs() + GRACE_MS
    // A program that goes on by itself is stopped; one that ends by itself is waited for.
    let isStopped = false
    const stop = () => {
      isStopped = true
      running.stop()
    }
    if (this.known !== null && !this.known.endsItself) stop()
    while (!this.isOver && systemClock.monotonicMs() < endsMs) {
      const isKnown = this.known !== null || isStopped
      // Idle sockets would be closed, which is trouble: at first the clock stands.
      if (isKnown) await this.move(1_000)
      else await this.pause(20)
      await this.settle()
      if (!isKnown && systemClock.monotonicMs() >= stopsMs) stop()
    }
    const endsItself = !isStopped && this.hasEnded()
    const isLate = !this.hasEnded()
    if (isLate) running.kill()
    const { claims } = await this.sandbox.control.claims.list({ verdict: 'wrong' })
    const seen: Baseline = {
      endsItself,
      requests: journal.filter(({ kind }) => kind === 'request').length,
      connections: this.connections,
      subscriptions: this.streams,
    }
    return { carriedOut: this.carriedOut, journal, seen, isLate, claims }
  }

  private get isOver(): boolean {
    return this.hasEnded() || this.settings.signal?.aborted === true
  }

  /** Begins and ends of all actions by time; ends come first, as what they free may begin. */
  private moments(): Moment[] {
    const { plan } = this
    const moments = plan.actions.flatMap((action, number): Moment[] => {
      const begins = { atMs: beginMs(action), order: 1, isBegin: true, action, number }
      const kind = kindOfAction(action)
      if (kind === 'market' || kind === 'jump' || kind === 'seek') return [begins]
      return [begins, { ...begins, atMs: endMs(action, plan), order: 0, isBegin: false }]
    })
    return moments.toSorted((a, b) => a.atMs - b.atMs || a.order - b.order || a.number - b.number)
  }

  /** Moves the session clock to an instant of the plan. */
  private async moveTo(atMs: number, fromMs: number): Promise<number> {
    for (let nowMs = fromMs; nowMs < atMs && !this.isOver; ) {
      const byMs = Math.min(STEP_MS, atMs - nowMs)
      await this.move(byMs)
      nowMs += byMs
      await this.settle()
    }
    return atMs
  }

  private async move(byMs: number): Promise<void> {
    const { clock, systemClock } = this.settings
    if (clock === 'held') await this.sandbox.clock.advance(byMs)
    else await new Promise<void>((resume) => void systemClock.startTimer(byMs, resume))
  }

  private async act({ isBegin, action, number }: Moment): Promise<void> {
    if (!isBegin) return this.end(number)
    const atMs = (await this.sandbox.clock.now()) - this.startMs
    let refused: string | null = null
    try {
      const end = await this.begin(action, `${number + 1} ${actionText(action)}`.slice(0, 200))
      if (end) this.ends.set(number, end)
    } catch (error) {
      // The market at this instant may not allow it: that is no fault of the client.
      refused = (error as Error).message
    }
    this.carriedOut.push({ number, action, atMs, untilMs: atMs, refused })
  }

  /** Ends an action, if it is on. */
  private async end(number: number): Promise<void> {
    const end = this.ends.get(number)
    if (!end) return
    this.ends.delete(number)
    await end()
    const done = this.carriedOut.find((one) => one.number === number)
    if (done) done.untilMs = (await this.sandbox.clock.now()) - this.startMs
  }

  /** Begins an action; the result ends it. */
  private async begin(action: Action, name: string): Promise<(() => Promise<unknown>) | null> {
    const { control, keys } = this.sandbox
    const { accessKey } = keys.full
    switch (kindOfAction(action)) {
      case 'fault':
        await control.scenario.add({ name, title: name, rules: [ruleOf(action, name)] } as never)
        return () => control.scenario.clear({ name })
      case 'questions':
        await control.scenario.add({ name, title: name, questions: action.questions, rules: [] })
        return () => control.scenario.clear({ name })
      case 'market':
        await control.market.trigger(action.market as GivenEvent)
        return null
      case 'key': {
        const { status, permissions, limits } = await control.keys.get(accessKey)
        await control.keys.change(accessKey, action.key as object)
        return () => control.keys.change(accessKey, { status, permissions, limits })
      }
      case 'jump':
        await this.move(fieldSpanMs(action.jump as string))
        return null
      case 'seek': {
        const { playhead } = await control.get()
        await control.playhead.set({ at: playhead.at + fieldSpanMs(action.seek as string) })
        return null
      }
      case 'speed': {
        const { playhead } = await control.get()
        await control.playhead.set({ speed: action.speed as number })
        return () => control.playhead.set({ speed: playhead.speed })
      }
    }
  }

  /** Waits for the first request or socket of the client. */
  private async awaitFirst(): Promise<void> {
    const { systemClock, timeLimitMs } = this.settings
    const endsMs = systemClock.monotonicMs() + timeLimitMs
    while (!this.isOver && systemClock.monotonicMs() < endsMs) {
      const { newest } = await this.sandbox.control.journal.read({ limit: 1 })
      if (newest > 0) break
      await this.pause(5)
    }
    await this.settle()
  }

  /** Waits until the client has taken all frames, opened its sockets again, and become quiet. */
  private async settle(): Promise<void> {
    const { systemClock, quietMs, patienceMs, clock } = this.settings
    if (clock === 'running') return
    const { control } = this.sandbox
    const beganMs = systemClock.monotonicMs()
    let seen = -1
    let quietSinceMs = beganMs
    for (;;) {
      const { newest } = await control.journal.read({ limit: 1 })
      const { counts } = await control.get()
      const nowMs = systemClock.monotonicMs()
      if (newest !== seen || counts.queued > 0) quietSinceMs = nowMs
      seen = newest
      const isThere = counts.connections >= this.expected(counts.connections)
      const limitMs = isThere ? SETTLE_MAX_MS : SETTLE_MAX_MS + patienceMs
      const isQuiet = nowMs - quietSinceMs >= quietMs && (isThere || !this.canWait)
      if (isThere) this.canWait = true
      if (this.isOver || isQuiet) return
      if (nowMs - beganMs >= limitMs) {
        // A client that does not come back is not waited for again until it has.
        if (!isThere) this.canWait = false
        return
      }
      await this.pause(3)
    }
  }

  /** The number of sockets that the client usually has. */
  private expected(present: number): number {
    this.peak = Math.max(this.peak, present)
    return this.known?.connections ?? this.peak
  }

  /** After the plan: moves on until the client has what it had, or has had time enough. */
  private async recover(): Promise<void> {
    const { systemClock, patienceMs } = this.settings
    const endsMs = systemClock.monotonicMs() + RECOVERY_PATIENCES * patienceMs
    this.canWait = true
    const stepMs = TAIL_MS / 4
    for (let passedMs = 0; !this.isOver; passedMs += stepMs) {
      const isBack = passedMs >= TAIL_MS && this.isBack(await this.sandbox.control.get())
      if (isBack || (passedMs >= TAIL_MS && systemClock.monotonicMs() >= endsMs)) return
      // Later the clock stands: the client's own timers are those of the machine.
      if (passedMs < TAIL_MS) await this.move(stepMs)
      else await this.pause(20)
      await this.settle()
    }
  }

  private isBack({ counts }: { counts: { subscriptions: number; connections: number } }): boolean {
    const { known } = this
    if (known === null) return true
    return (
      counts.subscriptions >= known.subscriptions.length && counts.connections >= known.connections
    )
  }

  private async journal(): Promise<JournalEntry[]> {
    const pages: JournalEntry[][] = []
    const { journal } = this.sandbox.control
    for (let cursor: string | undefined; ; ) {
      const page = await journal.read({ limit: 10_000, ...(cursor ? { cursor } : {}) })
      pages.unshift(page.entries)
      if (!page.nextCursor) return pages.flat()
      cursor = page.nextCursor
    }
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resume) => void this.settings.systemClock.startTimer(ms, resume))
  }
}

/** Machine time in which a client of unknown kind may end by itself, ms. */
const GRACE_MS = 2_000
/** A client's own pause between attempts may be longer than the patience of one step. */
const RECOVERY_PATIENCES = 8

/** The plan that has no action: the run that comes first. */
export const calmPlan = (lengthMs: number): Plan => ({ world: null, lengthMs, actions: [] })
