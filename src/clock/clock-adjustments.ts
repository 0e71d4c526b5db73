/** How a session clock was moved against the machine's time. */

/** From a machine instant on: how far the clock had moved in all, and whether it runs. */
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

  /** From now on it runs or is held, after a move of so much. */
  add(machineMs: number, movedMs: number, running: boolean): void {
    this.followSetBack(machineMs)
    const { last } = this
    const ran = last.running ? machineMs - last.machineMs : 0
    this.list.push({ machineMs, movedMs: last.movedMs + ran + movedMs, running })
    if (this.list.length > ADJUSTMENTS_MAX) this.list.shift()
  }

  /** The latest move went further, or less far, than was recorded when it began. */
  amendLast(byMs: number): void {
    const { last } = this
    this.list[this.list.length - 1] = { ...last, movedMs: last.movedMs + byMs }
  }

  /** How far the clock has moved since a machine instant; before the first adjustment it ran. */
  elapsedMs(nowMs: number, machineMs: number): number {
    this.followSetBack(nowMs)
    const movedBy = (instant: number): number => {
      const adjustment = this.list.findLast((candidate) => candidate.machineMs <= instant)
      if (!adjustment) return instant - (this.list[0] as ClockAdjustment).machineMs
      return adjustment.movedMs + (adjustment.running ? instant - adjustment.machineMs : 0)
    }
    return movedBy(nowMs) - movedBy(Math.min(machineMs, nowMs)) - Math.max(0, machineMs - nowMs)
  }

  /** How far it was moved by the adjustments made since a machine instant. */
  adjustedMs(machineMs: number): number {
    const since = this.list.filter((adjustment) => adjustment.machineMs >= machineMs)
    const before = this.list[this.list.length - since.length - 1] ?? this.list[0]
    return this.last.movedMs - (before as ClockAdjustment).movedMs
  }

  /**
   * When the machine's clock was set back, what has been lies as far back on the new one, so that
   * no adjustment is yet to come.
   */
  private followSetBack(nowMs: number): void {
    if (this.last.machineMs <= nowMs) return
    // What is signed in this second names its beginning.
    const byMs = this.last.machineMs - 1000 * Math.floor(nowMs / 1000)
    this.list = this.list.map(({ machineMs, movedMs, running }) => ({
      machineMs: machineMs - byMs,
      movedMs,
      running,
    }))
  }

  private get last(): ClockAdjustment {
    return this.list.at(-1) as ClockAdjustment
  }
}
