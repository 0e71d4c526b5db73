/** The story that is played on the sandbox that is looked at. */
import { batch, signal } from '@preact/signals'
import { hostClock } from '../../../clock/system-clock.ts'
import type { StoryRecord } from '../../../control-client/records.ts'
import { lookAgain, session } from '../../session/connection.ts'
import { errorText } from '../../shell/error-text.ts'
import { currentStep, type PlayerEvent, type Playing, played } from '../../story/player.ts'
import { carryOut, cleared } from './story-actions.ts'

export const playing = signal<Playing | null>(null)
/** The one that comes as soon as what was done before is taken back. */
export const beginning = signal<{ story: StoryRecord } | null>(null)

/** Begins one on a market to which nothing was done yet. */
export async function begin(story: StoryRecord): Promise<void> {
  const control = session.value?.control
  const mine = { story }
  batch(() => {
    playing.value = null
    beginning.value = control ? mine : null
  })
  if (!control) return
  await cleared(control).catch(() => {})
  await lookAgain()
  // Another one was begun meanwhile, or none is wanted any more.
  if (beginning.value !== mine) return
  batch(() => {
    beginning.value = null
    tell({ kind: 'start', story })
  })
}

export async function restart(): Promise<void> {
  if (playing.value) await begin(playing.value.story)
}

/** Ends it, and everything that it has put on. */
export async function end(): Promise<void> {
  beginning.value = null
  tell({ kind: 'stop' })
  const control = session.value?.control
  if (control) await control.scenario.clear().catch(() => {})
}

/** Tells the player what has happened, and carries out what that brings about. */
export function tell(event: PlayerEvent): void {
  const before = playing.value
  const now = played(before, event)
  playing.value = now
  const isNew = now !== null && now.phase === 'acting' && now !== before
  if (isNew) void act(now)
}

/** Goes on by itself while it is called. */
export const tick = (): void => tell({ kind: 'tick', nowMs: hostClock.monotonicMs() })

async function act(now: Playing): Promise<void> {
  const done = await carriedOut(now)
  // Another step may be on by now.
  if (playing.value === now) tell({ ...done, nowMs: hostClock.monotonicMs() })
}

async function carriedOut(
  now: Playing,
): Promise<{ kind: 'acted' } | { kind: 'failed'; error: string }> {
  try {
    const control = session.value?.control
    if (control) await carryOut(control, currentStep(now)?.do ?? [])
    return { kind: 'acted' }
  } catch (error) {
    return { kind: 'failed', error: errorText(error) }
  }
}
