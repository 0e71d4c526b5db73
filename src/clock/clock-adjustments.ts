/** How a session clock was moved against the machine's time. */

/** From a machine instant on, the clock had moved so far in all, and then ran or stood. */
export interface ClockAdjustment {
  machineMs: number
  movedMs: number
  running: boolean
}

const ADJUSTMENTS_MAX = 512

export class ClockAdjustments {
  list: ClockAdjustment[]

  constructor(first: ClockAdjustment) {
    this.list = [first]
  }

  /** From now on it runs or stands, after a move of so much. */
  add(machineMs: number, movedMs: number, running: boolean): void {
    const { last } = this
    const ran = last.running ? machineMs - last.machineMs : 0
    this.list.push({ machineMs, movedMs: last.movedMs + ran + movedMs, running })
    if (this.list.length > ADJUSTMENTS_MAX) this.list.shift()
  }

  /** How far the clock has moved since a machine instant; before the first move it ran. */
  elapsedMs(nowMs: number, machineMs: number): number {
    const movedBy = (instant: number): number => {
      const move = this.list.findLast((candidate) => candidate.machineMs <= instant)
      if (!move) return instant - (this.list[0] as ClockAdjustment).machineMs
      return move.movedMs + (move.running ? instant - move.machineMs : 0)
    }
    return movedBy(nowMs) - movedBy(Math.min(machineMs, nowMs)) - Math.max(0, machineMs - nowMs)
  }

  /** How far it was moved by the moves made since a machine instant. */
  adjustedMs(machineMs: number): number {
    const within = this.list.filter((move) => move.machineMs >= machineMs)
    const before = this.list[this.list.length - within.length - 1] ?? this.list[0]
    return this.last.movedMs - (before as ClockAdjustment).movedMs
  }

  private get last(): ClockAdjustment {
    return this.list.at(-1) as ClockAdjustment
  }
}
