/** Plays a story: present step, pending actions, its condition, and time of the next step. */
import type { StoryRecord } from '../../../clients/control/records.ts'
import { isMet } from './figures.ts'

export type StoryStep = StoryRecord['steps'][number]
export type StoryAction = StoryStep['do'][number]

export interface Playing {
  story: StoryRecord
  /** Index of the present step. */
  at: number
  /**
   * `acting` during its actions, `proving` until its condition holds, `waiting` for a time, `held`
   * until `next`.
   */
  phase: 'acting' | 'proving' | 'waiting' | 'held' | 'over'
  /** The last measured figure of the condition; null without one. */
  measured: number | null
  /** Whether the condition did not hold within its time. */
  isUnmet: boolean
  /** End of that time, ms of the monotonic clock. */
  limitMs: number | null
  /** Time of the next step, ms of the monotonic clock; null without one. */
  dueMs: number | null
  /** Error of a failed action. */
  error: string | null
}

/** Events of a story's player. */
export type PlayerEvent =
  | { kind: 'start'; story: StoryRecord }
  /** All actions of the step are done. */
  | { kind: 'acted'; nowMs: number }
  | { kind: 'failed'; error: string; nowMs: number }
  /** The figure of the step's condition. */
  | { kind: 'measured'; value: number; nowMs: number }
  | { kind: 'tick'; nowMs: number }
  | { kind: 'next' }
  | { kind: 'back' }
  | { kind: 'restart' }
  | { kind: 'stop' }

/** State after an event; null when nothing is played. */
export function played(now: Playing | null, event: PlayerEvent): Playing | null {
  if (event.kind === 'start') return step(event.story, 0)
  if (now === null || event.kind === 'stop') return null
  const { story, at } = now
  switch (event.kind) {
    case 'acted':
      return now.phase === 'acting' ? proving(now, event.nowMs) : now
    case 'measured':
      return now.phase === 'proving' ? measured(now, event) : now
    case 'failed':
      return now.phase === 'acting' ? { ...waiting(now, event.nowMs), error: event.error } : now
    case 'tick':
      if (now.phase === 'proving' && now.limitMs !== null && event.nowMs >= now.limitMs)
        return { ...waiting(now, event.nowMs), isUnmet: true }
      return isDue(now, event.nowMs) ? step(story, at + 1) : now
    case 'next':
      return now.phase === 'acting' ? now : step(story, at + 1)
    case 'back':
      return step(story, Math.max(0, at - 1))
    case 'restart':
      return step(story, 0)
  }
}

/** The present step; the last one once the story is over. */
export const shownStep = ({ story, at }: Playing): StoryStep | undefined =>
  story.steps[Math.min(at, story.steps.length - 1)]

/** The present step; null after the last. */
export const currentStep = ({ story, at, phase }: Playing): StoryStep | null =>
  phase === 'over' ? null : (story.steps[at] ?? null)

/** Elapsed part of the step, 0 to 1. */
export function stepProgress({ story, at, phase, dueMs }: Playing, nowMs: number): number {
  const waitMs = story.steps[at]?.waitMs ?? null
  if (phase !== 'waiting' || dueMs === null || waitMs === null) return phase === 'acting' ? 0 : 1
  return Math.min(1, Math.max(0, 1 - (dueMs - nowMs) / Math.max(1, waitMs)))
}

function step(story: StoryRecord, at: number): Playing {
  const isOver = at >= story.steps.length
  const fresh = { dueMs: null, error: null, measured: null, isUnmet: false, limitMs: null }
  return { story, at, phase: isOver ? 'over' : 'acting', ...fresh }
}

function proving(now: Playing, nowMs: number): Playing {
  const until = now.story.steps[now.at]?.until ?? null
  if (until === null) return waiting(now, nowMs)
  return { ...now, phase: 'proving', limitMs: nowMs + until.withinMs }
}

function measured(now: Playing, { value, nowMs }: { value: number; nowMs: number }): Playing {
  const until = now.story.steps[now.at]?.until ?? null
  const holds = until === null || isMet(until, value)
  return holds ? { ...waiting(now, nowMs), measured: value } : { ...now, measured: value }
}

function waiting(now: Playing, nowMs: number): Playing {
  const waitMs = now.story.steps[now.at]?.waitMs ?? null
  if (waitMs === null) return { ...now, phase: 'held', dueMs: null }
  return { ...now, phase: 'waiting', dueMs: nowMs + waitMs }
}

const isDue = ({ phase, dueMs }: Playing, nowMs: number): boolean =>
  phase === 'waiting' && dueMs !== null && nowMs >= dueMs
