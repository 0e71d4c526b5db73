import { HOUR_MS } from '../../../clock/durations.ts'
import { ZERO } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { CastingContext } from '../casting-context.ts'
import type { Agent } from './agent.ts'
import { Makers } from './makers.ts'
import { Traders } from './traders.ts'
import { TwapTraders } from './twap-traders.ts'

/**
 * Sets everybody to work from an instant on, or from when he joins; what he does then, he plans
 * himself.
 */
export function beginTrading(context: CastingContext, random: RandomSource, fromMs: number): void {
  const since = ({ joinMs }: Agent) => Math.max(joinMs, fromMs)
  const { agents, markets } = context
  const makers = new Makers(context, random.fork('makers'))
  const traders = new Traders(context, random.fork('traders'))
  const twaps = new TwapTraders(context, random.fork('twaps'))
  for (const market of markets)
    if (market.px !== ZERO)
      for (const agent of agents.makersOf(market)) makers.begin(agent, market, since(agent))
  for (const agent of agents.all)
    if (agent.isPlanned) continue
    else if (agent.role === 'twap') twaps.begin(agent, since(agent))
    else if (agent.role !== 'maker') traders.begin(agent, since(agent))
  const errands = random.fork('errands')
  const run = (timeMs: number): void => {
    context.transfers.run(timeMs)
    plan(timeMs)
  }
  const plan = (timeMs: number) => {
    const nextMs = Math.ceil(timeMs - TRANSFER_MS * Math.log(1 - errands.unit()))
    context.tasks.put(nextMs, () => run(nextMs))
  }
  plan(fromMs)
}

/** Money moves about so often. */
const TRANSFER_MS = 0.28 * HOUR_MS
