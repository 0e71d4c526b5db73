/** The thread that grows a line: it writes the line's file, and says how far it is. */

import { hostClock } from '../../clock/system-clock.ts'
import { Growth } from '../../market/growth/growth.ts'
import { openLineFile } from '../../market/growth/line-opening.ts'
import type { LineOrder } from '../../market/growth/line-order.ts'
import { failureOf, lowerPriority, type ThreadFailure } from './thread-manners.ts'

/** First which line, and then again and again how far it is to be grown. */
export type GrowthRequest = { open: LineOrder } | { growToMs: number }

/** How far it has come, and why it goes no further. */
export type GrowthReport = { grownToMs: number } | ThreadFailure

declare const self: Worker

let growth: Growth | null = null
let wantedMs = 0
let isGrowing = false
let givesWay = false

self.onmessage = ({ data }: MessageEvent<GrowthRequest>) => {
  const ended = 'open' in data ? open(data.open) : growTo(data.growToMs)
  ended.catch((error) => postMessage(failureOf(error)))
}

const report = (to: GrowthReport) => postMessage(to)

async function open(order: LineOrder): Promise<void> {
  growth = Growth.of(openLineFile(order))
  report({ grownToMs: growth.grownToMs })
}

/** Somebody waits for the first of it; what is grown after that is grown ahead. */
function giveWay(): void {
  if (givesWay) return
  givesWay = true
  lowerPriority()
}

async function growTo(untilMs: number): Promise<void> {
  wantedMs = Math.max(wantedMs, untilMs)
  if (isGrowing || !growth) return
  isGrowing = true
  while (growth.grownToMs < wantedMs) {
    for (const grownToMs of growth.grow(growth.grownToMs + 1)) report({ grownToMs })
    giveWay()
    // Further requests are heard between two commits.
    await hostClock.yieldTurn()
  }
  isGrowing = false
}
