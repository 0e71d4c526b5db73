import {
  absolute,
  greater,
  lesser,
  type Px,
  px as price,
  raw,
  type Sz,
  sz as size,
  subtract,
  ZERO,
} from '../../decimal/quantity.ts'
import type { Dice } from '../../random/dice.ts'
import { spread } from './chance.ts'
import { type Opening, open } from './doom.ts'
import type { Print } from './floor.ts'
import type { Holding, Market } from './market.ts'
import type { FundingHour, Path } from './path.ts'
import type { Trader } from './people.ts'
import type { Stage } from './stage.ts'
import type { Doom } from './survey.ts'

const HOUR_MS = 3_600_000

type Task = { timeMs: number } & (
  | { path: Path; px: Px }
  | { hour: FundingHour; market: Market }
  | { opening: Opening }
)

/** Writes the days before the tape: real trades along the paths, cast as the tape's own are. */
export class History {
  readonly doomed = new Map<Doom, Trader>()
  private stepMs = 0

  constructor(
    private readonly stage: Stage,
    private readonly paths: readonly Path[],
    private readonly dice: Dice,
  ) {}

  write(grid: readonly number[], startMs: number, openings: readonly Opening[]): void {
    const hours = this.paths
      .flatMap(({ market, funding }) => funding.map((hour) => ({ hour, market })))
      .sort((a, b) => a.hour.timeMs - b.hour.timeMs)
    const plans = openings.toSorted((a, b) => a.timeMs - b.timeMs)
    let [hourAt, planAt] = [0, 0]
    for (const [at, fromMs] of grid.entries()) {
      const untilMs = grid[at + 1] ?? startMs
      this.stepMs = untilMs - fromMs
      const tasks: Task[] = []
      for (let next = hours[hourAt]; next && next.hour.timeMs < untilMs; next = hours[++hourAt])
        tasks.push({ timeMs: next.hour.timeMs, ...next })
      for (let next = plans[planAt]; next && next.timeMs < untilMs; next = plans[++planAt])
        tasks.push({ timeMs: next.timeMs, opening: next })
      for (const path of this.paths) {
        const timeMs = fromMs + Math.floor(this.dice.unit() * 0.9 * this.stepMs)
        tasks.push({ timeMs, path, px: price(path.px[at] ?? raw(path.market.px)) })
      }
      tasks.sort((a, b) => a.timeMs - b.timeMs)
      for (const task of tasks) this.run(task)
      if (this.dice.chance((0.5 * this.stepMs) / HOUR_MS)) this.stage.errands.run(untilMs - 1)
    }
  }

  private run(task: Task): void {
    const { stage } = this
    if ('hour' in task) return stage.clock.past(task.market, task.hour)
    stage.tick(task.timeMs)
    if ('opening' in task) {
      this.doomed.set(task.opening.doom, open(stage, task.opening))
      return
    }
    this.step(task.path, task.px, task.timeMs)
  }

  private step({ market }: Path, px: Px, timeMs: number): void {
    const { stage, dice } = this
    market.px = px
    const oracle = market.onTick(raw(px) / (1 + raw(market.premium) / 1e10))
    if (market.perp) stage.gauges.mark(market, timeMs, px, oracle)
    for (const held of stage.moved(market, timeMs)) this.close(held, timeMs)
    if (dice.chance(0.07)) stage.ladders.lean(market, timeMs, 4 * 24 * HOUR_MS)
    const pace = Math.min(1, this.stepMs / 900_000)
    if (dice.chance(0.06 * pace)) stage.twaps.start(market, timeMs, (4 * this.stepMs) / 60_000, 720)
    const program = dice.chance(0.5) ? stage.twaps.slice(market, null, ZERO, timeMs) : undefined
    if (program) {
      const left = subtract(program.sz, program.executedSz)
      const slices = Math.max(1, ((program.stopMs - timeMs) / this.stepMs) * 0.4)
      const held = stage.bank.holding(program.owner, market)
      const most = program.reduceOnly ? lesser(left, absolute(held.sz)) : left
      const sz = lesser(most, market.size(market.value(left) / slices))
      this.trade(held, program.side, sz, timeMs, program)
    } else this.ordinary(market, timeMs)
    market.px = px
  }

  private ordinary(market: Market, timeMs: number): void {
    const { stage, dice } = this
    const closer = dice.chance(0.55) ? stage.choice.closer(market, null, timeMs) : undefined
    if (closer) return this.close(closer, timeMs)
    const kind = dice.unit()
    const { tradeUsd, usdPerSecond } = market.survey
    const noise = Math.exp(0.9 * dice.normal())
    const turnover = Math.max((usdPerSecond * this.stepMs) / 1000, 3 * tradeUsd)
    const usd = noise * (kind < 0.4 ? tradeUsd : kind < 0.7 ? 5 * tradeUsd : 2 * turnover)
    const held = stage.choice.anybody(market, usd, timeMs)
    if (!held) return
    const { wealthUsd } = held.purse.trader
    const sz = market.size(Math.min(usd, 1.5 * wealthUsd))
    if (held.sz === ZERO) return this.trade(held, dice.chance(0.5) ? 'B' : 'A', sz, timeMs)
    const grows = market.value(absolute(held.sz)) < 2 * wealthUsd && dice.chance(0.3)
    const side = held.sz > ZERO === grows ? 'B' : 'A'
    const left = absolute(held.sz)
    const whole = left <= sz || (market.perp && dice.chance(0.4))
    this.trade(held, side, !grows && whole ? left : sz, timeMs)
  }

  private close(held: Holding, timeMs: number): void {
    const left = absolute(held.sz)
    const lot = raw(held.market.survey.lot)
    const half = size(Math.floor(raw(left) / 2 / lot) * lot)
    const sz = half > ZERO && this.dice.chance(0.2) ? half : left
    this.trade(held, held.sz > ZERO ? 'A' : 'B', sz, timeMs)
    // Whoever closed only half wants out of the other half as well.
    if (held.sz !== ZERO)
      held.market.plan(held, timeMs + Math.floor(spread(this.dice, 6e4, HOUR_MS)))
  }

  private trade(
    taker: Holding,
    side: 'B' | 'A',
    sz: Sz,
    timeMs: number,
    program?: Parameters<Stage['floor']['run']>[0]['program'],
  ): void {
    const { market } = taker
    const reduceOnly = taker.sz !== ZERO && taker.sz > ZERO === (side === 'A')
    const prints = this.prints(market, side, sz)
    this.stage.floor.run({ market, timeMs, side, prints, taker, program, reduceOnly })
  }

  /** An order of `sz` meets one to four others, the price stepping away from it. */
  private prints(market: Market, side: 'B' | 'A', sz: Sz): Print[] {
    const { dice } = this
    const { tradeUsd } = market.survey
    const lot = raw(market.survey.lot)
    const large = market.value(sz) > 4 * tradeUsd
    const many = dice.chance(large ? 0.2 : 0.06) ? dice.between(2, large ? 3 : 2) : 1
    const step = market.stepAt(raw(market.px)) * (side === 'B' ? 1 : -1)
    const part = size(Math.floor(raw(sz) / many / lot) * lot)
    let px = market.onTick(raw(market.px) + step * dice.between(0, 1))
    const prints: Print[] = []
    for (let left = sz; left > ZERO; ) {
      const last = prints.length === many - 1 || part === ZERO
      const take = last ? left : lesser(left, part)
      prints.push({ px: greater(px, price(1)), sz: take })
      left = subtract(left, take)
      if (dice.chance(0.4)) px = market.onTick(raw(px) + step)
    }
    return prints
  }
}
