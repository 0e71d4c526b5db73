import type { CastingContext } from '../../casting/casting-context.ts'
import type { Persona } from '../../schema.ts'
import { goOnAsBeginner } from './beginner.ts'
import { goOnAsBusiest } from './busiest.ts'
import { goOnAsMarketMaker } from './market-maker.ts'
import { goOnAsOverLeveraged } from './over-leveraged.ts'
import { PersonaDay, type PersonaTimes } from './persona-day.ts'
import { goOnAsStar } from './star.ts'
import { goOnAsWhale } from './whale.ts'

/** Who works TWAPs goes on as all do who do that; two have stopped, or never began. */
const GOING_ON: Partial<Record<Persona, (day: PersonaDay) => void>> = {
  star: goOnAsStar,
  whale: goOnAsWhale,
  marketMaker: goOnAsMarketMaker,
  overLeveraged: goOnAsOverLeveraged,
  beginner: goOnAsBeginner,
  busiest: goOnAsBusiest,
}

/** Has the personas go on in their manner, as far as a segment goes. */
export function goOnAsPersonas(context: CastingContext, times: PersonaTimes): void {
  for (const agent of context.agents.all) {
    const goOn = agent.persona && GOING_ON[agent.persona]
    if (goOn) goOn(new PersonaDay(context, agent, times))
  }
}
