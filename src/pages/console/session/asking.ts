/** Hooks by which views ask the sandbox and follow its channels. */

import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ChannelName, ChannelTypes } from '../../../clients/service/contract/channels.ts'
import type { PushInfo } from '../../../clients/service/streams/push-queue.ts'
import type { StreamEvent } from '../../../clients/service/streams/subscription.ts'
import { hostClock } from '../../../clock/system-clock.ts'
import { type Session, session } from './connection.ts'
import { inNextDrawing } from './frames.ts'

export interface Asked<T> {
  /** The newest answer; null until there is one. */
  data: T | null
  /** Why the newest try has failed; null when it has not. */
  error: unknown
  isLoading: boolean
  /** Asks again. */
  reload(): void
}

export interface Asking {
  /** Asks anew when one of them changes. */
  of?: readonly unknown[]
  /** Asks again so long after each answer, ms of the machine; never when left out. */
  everyMs?: number
}

/** What a question to the sandbox answers: asked once there is a session, and anew with each. */
export function useAsked<T>(
  ask: (session: Session, signal: AbortSignal) => Promise<T>,
  { of = [], everyMs }: Asking = {},
): Asked<T> {
  const [answer, setAnswer] = useState<Omit<Asked<T>, 'reload'>>(NOTHING)
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

type Answer<T> = Omit<Asked<T>, 'reload'>

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
      // What was signed as a clock was moved is refused once; that is nothing to be told.
      const isTold = failures > 1
      const shown = (data: T | null) => (isTold || data === null ? error : null)
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

/** So long after a first failure it is tried again. */
const AGAIN_MS = 1000

/**
 * Follows a channel for as long as the view is shown: `take` gets each push. Null for `wanted`
 * follows nothing.
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
      // What is no address is not asked for.
      refusal.value = error
      return undefined
    }
  }, [current, channel, JSON.stringify(wanted)])
  return refusal
}

export interface NewestPush<T> {
  /** Drawn together with everything else; null until there is one. */
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
