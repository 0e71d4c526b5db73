import type { BookLevel } from '../../market/synth/synth-event.ts'

/** One side of a book as it stands. */
export class GrownSide {
  private readonly byPx = new Map<number, BookLevel>()
  /** Price of the best level; null where it has to be looked for. */
  private bestPx: number | null = null

  /** @param outward -1 where prices fall from the touch outward, 1 where they rise */
  constructor(private readonly outward: -1 | 1) {}

  /** A level as it is from now on; without lots it is gone. */
  put(level: BookLevel): void {
    const { px, lots } = level
    const { bestPx } = this
    if (lots === 0) {
      this.byPx.delete(px)
      if (px === bestPx) this.bestPx = null
      return
    }
    if (bestPx !== null && (px - bestPx) * this.outward < 0) this.bestPx = px
    this.byPx.set(px, level)
  }

  /** The level at the touch. */
  best(): BookLevel | undefined {
    this.bestPx ??= this.search()
    return this.bestPx === null ? undefined : this.byPx.get(this.bestPx)
  }

  /** All levels, from the touch outward. */
  levels(): BookLevel[] {
    return [...this.byPx.values()].sort(this.order)
  }

  /** What leads from here to these levels, from the touch outward. */
  changesTo(levels: readonly BookLevel[]): BookLevel[] {
    const staying = new Set(levels.map(({ px }) => px))
    const gone = [...this.byPx.keys()].filter((px) => !staying.has(px))
    const others = levels.filter((level) => !isSameLevel(level, this.byPx.get(level.px)))
    return [...others, ...gone.map((px) => ({ px, lots: 0, orders: 0 }))].sort(this.order)
  }

  private search(): number | null {
    let best: number | null = null
    for (const px of this.byPx.keys())
      if (best === null || (px - best) * this.outward < 0) best = px
    return best
  }

  private readonly order = (a: BookLevel, b: BookLevel) => (a.px - b.px) * this.outward
}

/** Whether there is as much at the same price; or nothing at all, twice. */
export const isSameLevel = (a: BookLevel | undefined, b: BookLevel | undefined) =>
  a?.px === b?.px && a?.lots === b?.lots && a?.orders === b?.orders
