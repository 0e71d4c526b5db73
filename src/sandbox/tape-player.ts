/**
 * Plays the timeline of a sandbox: hands over each event when the playhead reaches it, in order.
 *
 * Without a listener it costs nothing. What is handed over never depends on the clock's steps.
 * On a clock that runs it plays a millisecond at a time. When that is not enough, or subscribers do
 * not follow, the playhead waits for it and it goes on in turns; a clock that is moved plays all.
 * After the tape it plays what the market has been grown by.
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
  /** Changes when it begins anew somewhere: what was begun before that ends. */
  private startCount = 0
  /** Accounts that are apart in the timeline, and are played all the same. */
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

  /** After the playhead was set: go on from where it is now. */
  reposition(): void {
    const { playhead, clock } = this.host
    this.halt()
    playhead.giveUp()
    this.run.begin(playhead.travelledAt(clock.nowMs()), this.listener)
    this.schedule()
    this.host.onRepositioned()
  }

  /** Before a seek: reads what there is at an instant, so that the seek itself is short. */
  prepare = (atMs: number): Slices<void> => this.run.prepare(atMs)

  /** The same after a seek: subscribers are told what is there, the last ones in these slices. */
  seek(): Slices<void> | null {
    this.reposition()
    this.listener?.onMoved(this.position, 'seek')
    this.listener?.onCaughtUp()
    return this.listener?.settling() ?? null
  }

  /** Stands where it is, whatever the clock does. */
  stand(): void {
    const { playhead, clock } = this.host
    this.catchUp()
    this.halt()
    const nowMs = clock.nowMs()
    if (playhead.speed !== 'max') playhead.waitAt(nowMs, playhead.travelledAt(nowMs))
  }

  /** Goes on after it stood: what has become due meanwhile is played. */
  resume(): void {
    const { playhead } = this.host
    if (this.listener && playhead.isWaiting) return this.playInTurns()
    playhead.goOn()
    this.reposition()
  }

  /** There is more than there was: what there is now is played when its time comes. */
  grew(): void {
    if (!this.listener) return
    this.run.seek()
    if (this.host.playhead.isWaiting) return
    // What was begun at `max` ends: it is begun again.
    if (this.host.playhead.speed === 'max') this.startCount++
    this.schedule()
  }

  /** From here on it plays another market, which has been the same so far. */
  follow(timeline: Timeline): void {
    this.run.follow(timeline)
    if (!this.host.playhead.isWaiting) return this.reposition()
    if (this.listener) this.run.seek()
    this.host.onRepositioned()
  }

  /** Where everything has been handed over. */
  get position(): TapePosition {
    return this.run.position
  }

  /**
   * Hands over whatever is due at this instant, so that a response given now comes after it. What
   * would take long comes later, and the playhead waits.
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

  /** The same; what cannot be played now is given up. */
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

  /** Goes on until it has caught up; at `max`, for as long as there is something. */
  private *playing(): Slices<void> {
    this.cancel = null
    const [{ playhead, clock }, start] = [this.host, this.startCount]
    while (start === this.startCount) {
      if (playhead.speed === 'max') {
        const isAllPlayed = this.mayPlay && this.playUntil(Number.MAX_VALUE, true)
        playhead.advanceTo(this.run.playedMs)
        if (isAllPlayed) return this.host.onRepositioned()
      } else if (!clock.isRunning || this.hasCaughtUp()) return this.goOn()
      yield this.mayPlay ? undefined : slowSubscriber(clock)
    }
  }

  /** Plays on; what is more than can be caught up is given up. */
  private hasCaughtUp(): boolean {
    const { playhead, clock } = this.host
    const nowMs = clock.nowMs()
    if (this.mayPlay && this.playUntil(playhead.dueAt(nowMs), true)) return true
    if (playhead.waitAt(nowMs, this.run.playedMs)) this.host.onLag(true)
    return false
  }

  private goOn(): void {
    const { playhead, clock } = this.host
    if (clock.isRunning) playhead.goOn()
    else playhead.giveUp()
    this.host.onLag(false)
    this.schedule()
  }
}

/** Accounts that somebody follows, counted. */
class FollowedAccounts {
  private readonly counts = new Map<string, number>()
  private readonly followed = new Set<string>()

  /** @param onNew told of one that nobody followed before */
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

// What stands on both sides of a player.

/** Who is handed the events. */
export interface PlaybackListener {
  /** An event of that topic has come, at that session time; whether it is to be handed over. */
  noteEvent(topic: number, nowMs: number): boolean
  /** The event that has come. `here` is the position at which it did. */
  onEvent(topic: number, event: TimelineEvent, here: TapePosition, nowMs: number): void
  /** What was handed over may be sent. */
  onCaughtUp(): void
  /** The market goes on from this position, in another lap or after a seek. */
  onMoved(to: TapePosition, by: 'lap' | 'seek'): void
  /** What is left to be told of that; others have their turns in between. */
  settling(): Slices<void>
  /** Whether subscribers can take more now, where they are waited for. */
  isReady(): boolean
}

/** What a player needs of its sandbox. */
export interface PlayerHost {
  clock: SessionClock
  playhead: Playhead
  delivery: DeliverySetting
  systemClock: SystemClock
  /** Does work of the sandbox in its turns, behind what is asked for. */
  later(work: Slices<void>): unknown
  /** It has given up some of what is due, or nothing is behind any more. */
  onLag(isBehind: boolean): void
  /** The tape begins anew: what was shown of it is no more. */
  onLap(lap: number): void
  /** The playhead stands elsewhere, or has played all there is. */
  onRepositioned(): void
}

/** How long to wait for a subscriber who takes no more. */
const SLOW_SUBSCRIBER_WAIT_MS = 1

/** A moment in which subscribers may take what waits for them. */
const slowSubscriber = (clock: SessionClock): Promise<void> =>
  new Promise((resume) => clock.runOnSystemTime(resume, SLOW_SUBSCRIBER_WAIT_MS))

// Says when a playhead does not follow its speed, and when it begins the tape anew.

/** A sandbox whose playhead falls behind. */
interface LaggingSandbox {
  readonly id: string
  readonly clock: SessionClock
  readonly playhead: Playhead
  readonly journal: Journal
  log(line: string): void
}

/** Journals and logs when it begins to fall behind, and when it does no more. */
export function lagReport(sandbox: LaggingSandbox): (isBehind: boolean) => void {
  let wasBehind = false
  return (isBehind) => {
    if (isBehind !== wasBehind) report(sandbox, isBehind)
    wasBehind = isBehind
  }
}

/** Journals that what was shown of the tape is no more: it begins anew. */
export const lapReport = (sandbox: LaggingSandbox) => () => journalMove(sandbox, 'lap')

/** Journals that the market goes on elsewhere. */
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
