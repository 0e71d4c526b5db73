/** The thread that grows a line: it writes the line's file and reports its progress. */

import { hostClock } from '../../clock/system-clock.ts'
import { Growth } from '../../market/growth/growth.ts'
import type { LineOrder } from '../../market/growth/line-file.ts'
import { openLineFile } from '../../market/growth/line-opening.ts'
import { lowerPriority } from '../../platform/thread-priority.ts'
import { failureOf, type ThreadFailure } from './line-host.ts'

/** First the line, then repeatedly the instant up to which it is to be grown. */
export type GrowthRequest = { open: LineOrder } | { growToMs: number }

/** The progress, or the error that ended it. */
export type GrowthReport = { grownToMs: number } | ThreadFailure

declare const self: Worker

let growth: Growth | null = null
let wantedMs = 0
let isGrowing = false
let isLowered = false

self.onmessage = ({ data }: MessageEvent<GrowthRequest>) => {
  const ended = 'open' in data ? open(data.open) : growTo(data.growToMs)
  ended.catch((error) => postMessage(failureOf(error)))
}

const report = (to: GrowthReport) => postMessage(to)

async function open(order: LineOrder): Promise<void> {
  growth = Growth.of(openLineFile(order))
  report({ grownToMs: growth.grownToMs })
}

/** The first part has callers that wait; later parts are grown ahead, with low priority. */
function lowerPriorityOnce(): void {
  if (isLowered) return
  isLowered = true
  lowerPriority()
}

async function growTo(untilMs: number): Promise<void> {
  wantedMs = Math.max(wantedMs, untilMs)
  if (isGrowing || !growth) return
  isGrowing = true
  while (growth.grownToMs < wantedMs) {
    for (const grownToMs of growth.grow(growth.grownToMs + 1)) report({ grownToMs })
    lowerPriorityOnce()
    // Further requests are received between two commits.
    await hostClock.yieldTurn()
  }
  isGrowing = false
}
