/** Hooks for requests to the sandbox and subscriptions of channels. */

import { batch, type Signal, signal, useSignal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChannelName, ChannelTypes } from '../../../clients/service/contract/channels.ts'
import type { PushInfo, StreamEvent } from '../../../clients/service/streams/subscription.ts'
import { hostClock } from '../../../clock/system-clock.ts'
import { type Session, sandboxRecord, serverState, session } from './connection.ts'

/** Clocks between two polls of the sandbox: session time, and shown time. */
export interface VirtualTime {
  /** ms since 1970, by the session clock. */
  sessionMs: number
  /** Shown time of the market, ms since 1970. */
  shownMs: number
  /** Tape time, ms since 1970. */
  tapeMs: number
  /** Machine time. */
  machineMs: number
}

/** Updated ten times a second; null while unknown. */
export const virtualTime = signal<VirtualTime | null>(null)

/** Updates it while the page is shown. */
export function runVirtualTime(): void {
  onFrame(() => {
    // The time is unknown then: the last one stays.
    if (serverState.peek() === 'gone') return
    const next = timeNow()
    const last = virtualTime.value
    const isSame = next && last && isNear(next.machineMs, last.machineMs)
    if (!isSame) virtualTime.value = next
  })
}

const isNear = (a: number, b: number) => Math.abs(a - b) < 100

/** Computes it for now. */
export function timeNow(): VirtualTime | null {
  const looked = sandboxRecord.value
  if (looked === null) return null
  const { record, asOfMs } = looked
  const { clock, playhead } = record
  const passedMs = clock.state === 'running' ? hostClock.monotonicMs() - asOfMs : 0
  const movedMs = playhead.speed === 'max' || playhead.growing ? 0 : passedMs * playhead.speed
  return {
    sessionMs: clock.now + passedMs,
    shownMs: playhead.shown + movedMs,
    tapeMs: playhead.at + movedMs,
    machineMs: hostClock.nowMs(),
  }
}

export interface Fetched<T> {
  /** The newest data; null before the first. */
  data: T | null
  /** Error of the newest request; null after a success. */
  error: unknown
  isLoading: boolean
  /** Repeats the request. */
  reload(): void
}

export interface Asking {
  /** Repeats when one of them changes. */
  of?: readonly unknown[]
  /** Repeats this long after each response, ms of real time; never when left out. */
  everyMs?: number
}

/** Data of a request to the sandbox: sent once there is a session, and again with each new one. */
export function useFetched<T>(
  ask: (session: Session, signal: AbortSignal) => Promise<T>,
  { of = [], everyMs }: Asking = {},
): Fetched<T> {
  const [answer, setAnswer] = useState<Omit<Fetched<T>, 'reload'>>(NOTHING)
  const [tries, setTries] = useState(0)
  const current = session.value
  const key = JSON.stringify(of)
  const lastKey = useRef(key)
  useEffect(() => {
    if (current === null) return undefined
    if (lastKey.current !== key) setAnswer(NOTHING)
    lastKey.current = key
    return askOnAndOn((signal) => ask(current, signal), setAnswer, everyMs)
  }, [current, key, tries, everyMs])
  return { ...answer, reload: () => setTries((count) => count + 1) }
}

const NOTHING = { data: null, error: null, isLoading: true }

type Answer<T> = Omit<Fetched<T>, 'reload'>

function askOnAndOn<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  set: (change: (last: Answer<T>) => Answer<T>) => void,
  everyMs: number | undefined,
): () => void {
  const ending = new AbortController()
  let cancelTimer = () => {}
  let failures = 0
  const run = async () => {
    try {
      const data = await ask(ending.signal)
      failures = 0
      if (!ending.signal.aborted) set(() => ({ data, error: null, isLoading: false }))
    } catch (error) {
      failures++
      // A request signed while the clock was moved is refused once, which is not reported.
      const isLasting = failures > 1
      const shown = (data: T | null) => (isLasting || data === null ? error : null)
      if (!ending.signal.aborted)
        set(({ data }) => ({ data, error: shown(data), isLoading: false }))
    }
    const nextMs = failures === 1 ? Math.min(AGAIN_MS, everyMs ?? AGAIN_MS) : everyMs
    if (!ending.signal.aborted && nextMs !== undefined)
      cancelTimer = hostClock.startTimer(nextMs, run)
  }
  void run()
  return () => {
    cancelTimer()
    ending.abort()
  }
}

/** Delay of a retry after a first failure. */
const AGAIN_MS = 1000

/**
 * Subscribes to a channel while the view is shown: `take` gets each push. `wanted` of null
 * subscribes to nothing.
 *
 * @returns why it cannot be followed; null while it can
 */
export function useStream<C extends ChannelName>(
  channel: C,
  wanted: ChannelTypes[C]['subscription'] | null,
  take: (data: ChannelTypes[C]['data'], info: PushInfo) => void,
): Signal<unknown> {
  const refusal = useSignal<unknown>(null)
  const current = session.value
  const latest = useRef(take)
  latest.current = take
  useEffect(() => {
    refusal.value = null
    if (current === null || wanted === null) return undefined
    const onEvent = (event: StreamEvent) => {
      if (event.type === 'refused') refusal.value = event.error
    }
    try {
      const subscription = current.account.subscribe(
        channel,
        wanted,
        (data, info) => latest.current(data, info),
        { onEvent },
      )
      return () => subscription.close()
    } catch (error) {
      // An invalid address is not requested.
      refusal.value = error
      return undefined
    }
  }, [current, channel, JSON.stringify(wanted)])
  return refusal
}

export interface NewestPush<T> {
  /** Updated with everything else; null before the first. */
  pushed: Signal<T | null>
  refusal: Signal<unknown>
}

/** The newest push of a channel. */
export function useNewestPush<C extends ChannelName>(
  channel: C,
  wanted: ChannelTypes[C]['subscription'] | null,
): NewestPush<ChannelTypes[C]['data']> {
  const pushed = useSignal<ChannelTypes[C]['data'] | null>(null)
  const arrived = useRef<ChannelTypes[C]['data'] | null>(null)
  const show = useRef(() => {
    pushed.value = arrived.current
  })
  useEffect(() => {
    pushed.value = null
  }, [JSON.stringify(wanted)])
  const refusal = useStream(channel, wanted, (data) => {
    arrived.current = data
    inNextDrawing(show.current)
  })
  return { pushed, refusal }
}

// Limits drawing to a visible rate: updates in between are batched.

/** Calls a task in each frame while the page is shown; the result stops it. */
export function onFrame(task: () => void): () => void {
  let handle = requestAnimationFrame(run)
  function run() {
    task()
    handle = requestAnimationFrame(run)
  }
  return () => cancelAnimationFrame(handle)
}

const waiting = new Set<() => void>()
let lastDrawnMs = 0

/** Numbers that change more often are unreadable; animations are drawn in each frame. */
const DRAWN_EVERY_MS = 80

/** Calls a task once at the next drawing, however often it is requested. */
export function inNextDrawing(task: () => void): void {
  if (waiting.size === 0) requestAnimationFrame(draw)
  waiting.add(task)
}

function draw(frameMs: number): void {
  if (frameMs - lastDrawnMs < DRAWN_EVERY_MS) {
    requestAnimationFrame(draw)
    return
  }
  lastDrawnMs = frameMs
  const tasks = [...waiting]
  waiting.clear()
  batch(() => {
    for (const task of tasks) task()
  })
}

/** A bounded list of the newest items, newest first. */
export class Newest<T> {
  readonly shown: Signal<readonly T[]> = signal([])
  private arrived: T[] = []

  constructor(private readonly limit: number) {}

  /** Adds items, oldest first. */
  add(items: readonly T[]): void {
    this.arrived.push(...items.slice(-this.limit))
    // A hidden page has no frames.
    if (this.arrived.length > 2 * this.limit) this.arrived = this.arrived.slice(-this.limit)
    inNextDrawing(this.show)
  }

  clear(): void {
    this.arrived = []
    this.shown.value = []
  }

  private readonly show = () => {
    const fresh = this.arrived.reverse()
    this.arrived = []
    this.shown.value = [...fresh, ...this.shown.value].slice(0, this.limit)
  }
}
