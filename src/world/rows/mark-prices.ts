/** Prices at which holdings are valued. */
import type { TapeMs } from '../../clock/instant.ts'
import { type Px, px, raw } from '../../decimal/quantity.ts'
import { perMarket } from '../per-world.ts'
import { type InstrumentRow, mark, trade } from '../schema.ts'
import type { World } from '../world.ts'
import { columns } from './columns.ts'
import { packedRows } from './packed-rows.ts'
import { noSteps, ValueSteps } from './value-steps.ts'

/** Mark price in price units; the last trade's while there is no mark, null without either. */
export function markPx(world: World, { id }: InstrumentRow, atMs: TapeMs): Px | null {
  const price = markSteps(world)(id).at(atMs)
  return price === null ? null : px(price)
}

/** All prices of an instrument's id. */
export const markSteps = (world: World) => (instrument: number) => stepsOf(world).of(instrument)

const stepsOf = perMarket(
  (world) => new MarkSteps(world),
  (steps) => steps.grown(),
)

class MarkSteps {
  private readonly known: (ValueSteps | undefined)[] = []
  /** Rows up to here are in what is known. */
  private endMs: TapeMs

  constructor(private readonly world: World) {
    this.endMs = world.endMs
  }

  of(instrument: number): ValueSteps {
    const before = this.known[instrument]
    if (before) return before
    const { world } = this
    const [section] = packedRows(world).sections('prices', instrument)
    const steps = section ? new ValueSteps(section).cut(world.packedEndMs) : noSteps()
    this.known[instrument] = steps
    this.add(instrument, steps, world.packedEndMs)
    return steps
  }

  /** Adds what the world has grown by. */
  grown(): this {
    const afterMs = this.endMs
    this.endMs = this.world.endMs
    this.known.forEach((steps, instrument) => {
      if (steps) this.add(instrument, steps, afterMs)
    })
    return this
  }

  private add(instrument: number, steps: ValueSteps, afterMs: TapeMs): void {
    if (afterMs >= this.endMs) return
    const { marks, trades, firstMark } = statements(this.world)
    const firstMs = firstMark.get(instrument)?.timeMs ?? Number.POSITIVE_INFINITY
    const priced = firstMs > afterMs ? trades.all(instrument, afterMs, this.endMs) : []
    const early = priced.filter(({ timeMs }) => timeMs < firstMs)
    for (const { timeMs, px } of [...early, ...marks.all(instrument, afterMs, this.endMs)])
      if (steps.count === 0 || steps.value(steps.count - 1) !== raw(px))
        steps.append(timeMs, raw(px))
  }
}

const statements = perMarket(({ db }) => {
  type Span = [instrument: number, afterMs: TapeMs, toMs: TapeMs]
  const span = 'where instrument = ? and timeMs > ? and timeMs <= ? order by timeMs, id'
  return {
    marks: columns({ timeMs: mark.timeMs, px: mark.mark }).prepare<Span>(db, `from mark ${span}`),
    trades: columns({ timeMs: trade.timeMs, px: trade.px }).prepare<Span>(db, `from trade ${span}`),
    firstMark: columns({ timeMs: mark.timeMs }).prepare<[instrument: number]>(
      db,
      'from mark where instrument = ? order by timeMs limit 1',
    ),
  }
})
