/** Applies one deviation at a time between the suite and a sandbox. */
import { UserError } from '../../../../src/platform/user-error.ts'
import { DEVIATIONS, LEFT_OUT_DEVIATIONS } from '../all.ts'
import { leftOut } from '../left-out.ts'
import { type Mode, type Outcome, outcomeOf } from './outcomes.ts'
import { tryDeviation } from './trial.ts'
import { trialPlace } from './trial-place.ts'
import { casesFor, type WatchingCase, watchingCases } from './watching-cases.ts'

/** Finds the detecting case of each deviation with an id prefix. */
export async function* noticedByWhich(mode: Mode, only: string): AsyncGenerator<Outcome> {
  const another = () => trialPlace(mode === 'with')
  const cases = await watchingCases(mode === 'with')
  if (mode === 'with') await showNothingChanges(cases, only)
  let place = await another()
  for (const [at, deviation] of DEVIATIONS.entries()) {
    if (!deviation.id.startsWith(only)) continue
    // On a busy machine garbage collection is late.
    if (at % COLLECTED_EACH === 0) Bun.gc(true)
    if (place.isUsed()) {
      place.drop()
      place = await another()
    }
    const tried = await tryDeviation(deviation, casesFor(deviation, cases), place, another)
    place = tried.place
    yield outcomeOf(deviation, tried.noticedBy, tried.changed > 0)
  }
}

/** Interval of garbage collection, in deviations. */
const COLLECTED_EACH = 50

/** Throws where a change excluded as invisible has changed a response. */
async function showNothingChanges(cases: readonly WatchingCase[], only: string): Promise<void> {
  const another = () => trialPlace(true)
  for (const deviation of LEFT_OUT_DEVIATIONS) {
    if (!deviation.id.startsWith(only) || !leftOut(deviation.id)?.changesNothing) continue
    const meant = casesFor(deviation, cases)
    const { place, changed } = await tryDeviation(deviation, meant, await another(), another)
    place.drop()
    if (changed > 0)
      throw new UserError(`${deviation.id} changes answers: left-out.ts says that it changes none`)
  }
}
