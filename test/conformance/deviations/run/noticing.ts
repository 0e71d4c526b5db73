/** Puts one deviation after the other between the suite and a sandbox. */
import { DEVIATIONS } from '../all.ts'
import { type Mode, type Outcome, outcomeOf } from './outcomes.ts'
import { tryDeviation } from './trial.ts'
import { trialPlace } from './trial-place.ts'
import { casesFor, watchingCases } from './watching-cases.ts'

/** Which case notices each deviation whose id begins so. */
export async function* noticedByWhich(mode: Mode, only: string): AsyncGenerator<Outcome> {
  const another = () => trialPlace(mode === 'with')
  const cases = await watchingCases(mode === 'with')
  let place = await another()
  for (const deviation of DEVIATIONS) {
    if (!deviation.id.startsWith(only)) continue
    if (place.isUsed()) {
      place.drop()
      place = await another()
    }
    const tried = await tryDeviation(deviation, casesFor(deviation, cases), place, another)
    place = tried.place
    yield outcomeOf(deviation, tried.noticedBy, tried.changed > 0)
  }
}
