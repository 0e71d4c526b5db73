import type { RandomSource } from '../../../random/random-source.ts'
import type { Persona } from '../../schema.ts'
import type { CastingContext } from '../casting-context.ts'
import type { PricePath } from '../history/price-path.ts'
import { planBeginner } from './beginner.ts'
import { planBusiest } from './busiest.ts'
import { planLargeAccounts } from './large-accounts.ts'
import { planLiquidated } from './liquidated.ts'
import { planMarketMaker } from './market-maker.ts'
import { planOverLeveraged } from './over-leveraged.ts'
import { PersonaDesk } from './persona-desk.ts'
import { planStar } from './star.ts'
import { planTwapWorker } from './twap-worker.ts'
import { planWhale } from './whale.ts'

const PLANS: Record<Persona, Plan> = {
  star: planStar,
  whale: planWhale,
  marketMaker: planMarketMaker,
  overLeveraged: planOverLeveraged,
  twapWorker: planTwapWorker,
  liquidatedLastNight: planLiquidated,
  beginner: planBeginner,
  empty: planEmpty,
  busiest: planBusiest,
}

type Plan = (desk: PersonaDesk) => void

/**
 * Plans what those do who are in every world (src/world/schema/personas.ts). They know how prices
 * went, so that what they are known by comes true; each acts by a random source of its own.
 */
export function planPersonas(
  context: CastingContext,
  paths: readonly PricePath[],
  startMs: number,
  random: RandomSource,
): void {
  const desk = (name: string) => new PersonaDesk(context, paths, startMs, random.fork(name))
  // Without a perpetual there is nothing that the others could be known by.
  if (desk('').perps.length === 0) return planEmpty(desk('empty'))
  for (const [name, plan] of Object.entries(PLANS)) plan(desk(name))
  planLargeAccounts(desk('large'))
}

function planEmpty(desk: PersonaDesk): void {
  desk.trader('empty', 'quiet', 0, 1)
}
