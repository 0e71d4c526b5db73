/**
 * Plays the timeline of a sandbox: emits each event when the playhead reaches it, in order.
 *
 * It costs nothing without a listener. The emitted events never depend on the clock's steps. On a
 * running clock it plays a millisecond at a time; when it or a subscriber is too slow, the playhead
 * waits and it continues in turns. A moved clock plays everything. After the tape it plays the
 * grown market.
 */

import type { SessionClock } from '../clock/session-clock.ts'
import type { SystemClock } from '../clock/system-clock.ts'
import type { Slices } from '../clock/turns.ts'
import type { Timeline, TimelineEvent } from '../contract/timeline.ts'
import type { Journal } from './journal/journal.ts'
import type { DeliverySetting, Playhead, TapePosition } from './playhead.ts'
import { TimelineRun } from './timeline-run.ts'

export class TapePlayer {
  private listener: PlaybackListener | null = null
  private readonly run: TimelineRun
  private cancel: (() => void) | null = null
  /** Changes with each restart, which ends the work of earlier ones. */
  private startCount = 0
  /** On-demand accounts that are played. */
  readonly accounts = new FollowedAccounts((one) => this.run.lacks(one) && this.grew())

  constructor(
    timeline: Timeline,
    private readonly host: PlayerHost,
  ) {
    this.run = new TimelineRun(timeline, host, this.accounts.addresses)
  }

  listen(listener: PlaybackListener | null): void {
    this.listener = listener
    this.reposition()
  }

  /** Continues from the playhead's position, after it was set. */
  reposition(): void {
    const { playhead, clock } = this.host
    this.halt()
    playhead.giveUp()
    this.run.begin(playhead.travelledAt(clock.nowMs()), this.listener)
    this.schedule()
    this.host.onRepositioned()
  }

  /** Reads the data of an instant before a seek, so that the seek itself is short. */
  prepare = (atMs: number): Slices<void> => this.run.prepare(atMs)

  /** Continues after a seek: subscribers get snapshots, the last ones in the returned slices. */
  seek(): Slices<void> | null {
    this.reposition()
    this.listener?.onMoved(this.position, 'seek')
    this.listener?.onCaughtUp()
    return this.listener?.settling() ?? null
  }

  /** Stops, whatever the clock does. */
  pause(): void {
    const { playhead, clock } = this.host
    this.catchUp()
    this.halt()
    const nowMs = clock.nowMs()
    if (playhead.speed !== 'max') playhead.waitAt(nowMs, playhead.travelledAt(nowMs))
  }

  /** Continues after a stop: events that became due meanwhile are played. */
  resume(): void {
    const { playhead } = this.host
    if (this.listener && playhead.isWaiting) return this.playInTurns()
    playhead.resume()
    this.reposition()
  }

  /** The market has grown: the new events are played in time. */
  grew(): void {
    if (!this.listener) return
    this.run.seek()
    if (this.host.playhead.isWaiting) return
    // Work at speed `max` has ended with the old events: it is restarted.
    if (this.host.playhead.speed === 'max') this.startCount++
    this.schedule()
  }

  /** Continues with another market, which is identical so far. */
  follow(timeline: Timeline): void {
    this.run.follow(timeline)
    if (!this.host.playhead.isWaiting) return this.reposition()
    if (this.listener) this.run.seek()
    this.host.onRepositioned()
  }

  /** The position up to which everything was emitted. */
  get position(): TapePosition {
    return this.run.position
  }

  /**
   * Emits all events due now, so that a response given now comes after them. Long work is deferred,
   * and the playhead waits.
   */
  catchUp(): void {
    const { playhead, clock } = this.host
    if (!this.listener || playhead.speed === 'max' || playhead.isWaiting) return
    const nowMs = clock.nowMs()
    const targetMs = playhead.dueAt(nowMs)
    if (targetMs <= this.run.playedMs) return
    const isTimed = clock.isRunning
    if ((!isTimed || this.mayPlay) && this.playUntil(targetMs, isTimed)) return
    if (playhead.waitAt(nowMs, this.run.playedMs)) this.host.onLag(true)
    this.playInTurns()
  }

  /** Emits what can be emitted now; the rest is given up. */
  settle(): void {
    this.catchUp()
    if (this.host.playhead.isWaiting) this.reposition()
  }

  stop(): void {
    this.halt()
    this.listener = null
  }

  private halt(): void {
    this.unschedule()
    this.startCount++
    this.host.onLag(false)
  }

  private playUntil(targetMs: number, isTimed: boolean): boolean {
    const { startCount } = this
    return this.run.playUntil(targetMs, isTimed, () => startCount === this.startCount)
  }

  private get mayPlay(): boolean {
    const { delivery, playhead } = this.host
    return !delivery.waitsAt(playhead.speed) || this.listener?.isReady() === true
  }

  private unschedule(): void {
    this.cancel?.()
    this.cancel = null
  }

  private schedule(): void {
    this.unschedule()
    const { playhead, clock } = this.host
    if (!this.listener) this.cancel = this.run.laps.schedule()
    else if (playhead.speed === 'max') this.playInTurns()
    if (!this.listener || playhead.speed === 'max' || !Number.isFinite(this.run.dueMs)) return
    const whenMs = playhead.sessionMsOf(this.run.dueMs)
    if (whenMs !== undefined) this.cancel = clock.at(whenMs, () => this.tick(), 'market')
  }

  private tick(): void {
    const { playhead, clock } = this.host
    this.cancel = null
    if (!clock.isRunning) playhead.giveUp()
    this.catchUp()
    if (!playhead.isWaiting) this.schedule()
  }

  private playInTurns(): void {
    this.cancel?.()
    const { clock } = this.host
    this.cancel = clock.runOnSystemTime(() => this.host.later(this.playing()))
  }

  /** Plays until it has caught up; at speed `max`, to the end. */
  private *playing(): Slices<void> {
    this.cancel = null
    const [{ playhead, clock }, start] = [this.host, this.startCount]
    while (start === this.startCount) {
      if (playhead.speed === 'max') {
        const isAllPlayed = this.mayPlay && this.playUntil(Number.MAX_VALUE, true)
        playhead.advanceTo(this.run.playedMs)
        if (isAllPlayed) return this.host.onRepositioned()
      } else if (!clock.isRunning || this.hasCaughtUp()) return this.playOn()
      yield this.mayPlay ? undefined : slowSubscriber(clock)
    }
  }

  /** Plays a step; what cannot be caught up is given up. */
  private hasCaughtUp(): boolean {
    const { playhead, clock } = this.host
    const nowMs = clock.nowMs()
    if (this.mayPlay && this.playUntil(playhead.dueAt(nowMs), true)) return true
    if (playhead.waitAt(nowMs, this.run.playedMs)) this.host.onLag(true)
    return false
  }

  private playOn(): void {
    const { playhead, clock } = this.host
    if (clock.isRunning) playhead.resume()
    else playhead.giveUp()
    this.host.onLag(false)
    this.schedule()
  }
}

/** Followed accounts with the number of their followers. */
class FollowedAccounts {
  private readonly counts = new Map<string, number>()
  private readonly followed = new Set<string>()

  /** @param onNew called for an account's first follower */
  constructor(private readonly onNew: (address: string) => void) {}

  get addresses(): ReadonlySet<string> {
    return this.followed
  }

  add(address: string): void {
    this.counts.set(address, (this.counts.get(address) ?? 0) + 1)
    if (this.followed.has(address)) return
    this.followed.add(address)
    this.onNew(address)
  }

  remove(address: string): void {
    const left = (this.counts.get(address) ?? 0) - 1
    if (left > 0) return void this.counts.set(address, left)
    this.counts.delete(address)
    this.followed.delete(address)
  }
}

// The interfaces of a player.

/** Receives the events. */
export interface PlaybackListener {
  /** Notes an event of that topic at that session time; whether to emit it. */
  noteEvent(topic: number, nowMs: number): boolean
  /** Emits the event. `here` is its position. */
  onEvent(topic: number, event: TimelineEvent, here: TapePosition, nowMs: number): void
  /** The emitted frames may be sent. */
  onCaughtUp(): void
  /** The market continues from this position, in another lap or after a seek. */
  onMoved(to: TapePosition, by: 'lap' | 'seek'): void
  /** The remaining snapshots after that, with other turns between them. */
  settling(): Slices<void>
  /** Whether all awaited subscribers can take more now. */
  isReady(): boolean
}

/** The interface of a player's sandbox. */
export interface PlayerHost {
  clock: SessionClock
  playhead: Playhead
  delivery: DeliverySetting
  systemClock: SystemClock
  /** Runs work of the sandbox in its turns, after pending requests. */
  later(work: Slices<void>): unknown
  /** Some due events were given up, or the lag has ended. */
  onLag(isBehind: boolean): void
  /** A new lap of the tape begins. */
  onLap(lap: number): void
  /** The playhead was set elsewhere, or has played everything. */
  onRepositioned(): void
}

/** Delay before a slow subscriber is checked again. */
const SLOW_SUBSCRIBER_WAIT_MS = 1

/** Waits for slow subscribers to take frames. */
const slowSubscriber = (clock: SessionClock): Promise<void> =>
  new Promise((resume) => clock.runOnSystemTime(resume, SLOW_SUBSCRIBER_WAIT_MS))

// Reports when a playhead lags behind its speed, and when the tape restarts.

/** A sandbox whose playhead may lag. */
interface LaggingSandbox {
  readonly id: string
  readonly clock: SessionClock
  readonly playhead: Playhead
  readonly journal: Journal
  log(line: string): void
}

/** Records and logs when the lag begins and ends. */
export function lagReport(sandbox: LaggingSandbox): (isBehind: boolean) => void {
  let wasBehind = false
  return (isBehind) => {
    if (isBehind !== wasBehind) report(sandbox, isBehind)
    wasBehind = isBehind
  }
}

/** Records a new lap. */
export const lapReport = (sandbox: LaggingSandbox) => () => journalMove(sandbox, 'lap')

/** Records that the market continues elsewhere. */
export function journalMove(sandbox: LaggingSandbox, event: 'lap' | 'seek'): void {
  const { clock, playhead, journal } = sandbox
  if (!journal.isOn) return
  const sessionMs = clock.nowMs()
  const tapeMs = event === 'lap' ? playhead.span.startMs : playhead.positionAt(sessionMs).atMs
  journal.record({ kind: 'playhead', event, sessionMs, tapeMs, key: null, lagMs: 0 })
}

function report(sandbox: LaggingSandbox, isBehind: boolean): void {
  const { id, clock, playhead, journal } = sandbox
  const sessionMs = clock.nowMs()
  const lagMs = Math.round(playhead.lagMs(sessionMs))
  const what = `the playhead of sandbox ${id}, at speed ${playhead.speed},`
  sandbox.log(
    isBehind
      ? `${what} cannot be followed: the market goes as fast as can be done`
      : `${what} is followed again, ${lagMs} ms late`,
  )
  if (!journal.isOn) return
  const event = isBehind ? 'behind' : 'followed'
  const tapeMs = playhead.positionAt(sessionMs).atMs
  journal.record({ kind: 'playhead', event, sessionMs, tapeMs, key: null, lagMs })
}
