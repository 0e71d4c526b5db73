/**
 * Plays the timeline of a sandbox: hands over each event when the playhead reaches it, in order.
 *
 * Without a listener it costs nothing. What is handed over never depends on the clock's steps.
 * On a clock that runs it plays a millisecond at a time. When that is not enough, or subscribers do
 * not follow, the playhead waits for it and it goes on in turns; a clock that is moved plays all.
 * After the tape it plays what the market has been grown by.
 */

import type { Slices } from '../clock/turns.ts'
import type { Timeline } from '../contract/timeline.ts'
import { type PlaybackListener, type PlayerHost, slowSubscriber } from './playback-listener.ts'
import type { TapePosition } from './playhead.ts'
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
