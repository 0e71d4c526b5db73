/** Observations that change a level for a moment; levels are left as they were found. */
import { assertSuccess } from '../assertions.ts'
import {
  changed,
  deleteLevel,
  levelNames,
  levelOfSub,
  levelWith,
  OWN_LEVEL,
  putLevel,
} from '../cases/distributor/level-requests.ts'
import type { JsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'

/** Observes while the level of the sub key may be changed. */
export async function withSubKeyLevel<const A extends string>(
  probe: Probe,
  observe: (put: (body: unknown) => Promise<void>) => Promise<A | null>,
): Promise<A | null> {
  let seen: A | null = null
  await changed(probe, await levelOfSub(probe), async (put) => {
    seen = await observe(put)
  })
  return seen
}

/** Observes while there is a level of our own. */
export async function withOwnLevel<T>(
  probe: Probe,
  limits: JsonObject,
  observe: () => Promise<T>,
): Promise<T> {
  if ((await levelNames(probe)).includes(OWN_LEVEL))
    probe.skip(`the level ${OWN_LEVEL} is there already`)
  const made = await putLevel(probe, OWN_LEVEL, levelWith(['HL_TICKERS'], limits))
  assertSuccess(probe, made, 'a level is made')
  return observe().finally(() => deleteLevel(probe, OWN_LEVEL))
}
