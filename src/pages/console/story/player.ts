/** Plays a story: which step is on, what is to be done, and when the next one comes. */
import type { StoryRecord } from '../../../clients/control/records.ts'

export type StoryStep = StoryRecord['steps'][number]
export type StoryAction = StoryStep['do'][number]

export interface Playing {
  story: StoryRecord
  /** Of the step that is on. */
  at: number
  /** `acting` while its actions are carried out, `waiting` for a time, `held` until `next`. */
  phase: 'acting' | 'waiting' | 'held' | 'over'
  /** When the next step comes, ms of the machine's count; null while it waits for no time. */
  dueMs: number | null
  /** What could not be done. */
  error: string | null
}

/** What happens to a story that is played. */
export type PlayerEvent =
  | { kind: 'start'; story: StoryRecord }
  /** Everything that the step does is done. */
  | { kind: 'acted'; nowMs: number }
  | { kind: 'failed'; error: string; nowMs: number }
  | { kind: 'tick'; nowMs: number }
  | { kind: 'next' }
  | { kind: 'back' }
  | { kind: 'restart' }
  | { kind: 'stop' }

/** What is played after something has happened; null when nothing is. */
export function played(now: Playing | null, event: PlayerEvent): Playing | null {
  if (event.kind === 'start') return step(event.story, 0)
  if (now === null || event.kind === 'stop') return null
  const { story, at } = now
  switch (event.kind) {
    case 'acted':
      return now.phase === 'acting' ? waiting(now, event.nowMs) : now
    case 'failed':
      return now.phase === 'acting' ? { ...waiting(now, event.nowMs), error: event.error } : now
    case 'tick':
      return isDue(now, event.nowMs) ? step(story, at + 1) : now
    case 'next':
      return now.phase === 'acting' ? now : step(story, at + 1)
    case 'back':
      return step(story, Math.max(0, at - 1))
    case 'restart':
      return step(story, 0)
  }
}

/** The step that is on; null after the last. */
export const currentStep = ({ story, at, phase }: Playing): StoryStep | null =>
  phase === 'over' ? null : (story.steps[at] ?? null)

/** What of its time the step has had, 0 to 1. */
export function stepProgress({ story, at, phase, dueMs }: Playing, nowMs: number): number {
  const waitMs = story.steps[at]?.waitMs ?? null
  if (phase !== 'waiting' || dueMs === null || waitMs === null) return phase === 'acting' ? 0 : 1
  return Math.min(1, Math.max(0, 1 - (dueMs - nowMs) / Math.max(1, waitMs)))
}

function step(story: StoryRecord, at: number): Playing {
  const isOver = at >= story.steps.length
  return { story, at, phase: isOver ? 'over' : 'acting', dueMs: null, error: null }
}

function waiting(now: Playing, nowMs: number): Playing {
  const waitMs = now.story.steps[now.at]?.waitMs ?? null
  if (waitMs === null) return { ...now, phase: 'held', dueMs: null }
  return { ...now, phase: 'waiting', dueMs: nowMs + waitMs }
}

const isDue = ({ phase, dueMs }: Playing, nowMs: number): boolean =>
  phase === 'waiting' && dueMs !== null && nowMs >= dueMs
