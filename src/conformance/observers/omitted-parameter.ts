/** What a parameter counts as that was left out, seen from the answers that it would have made. */
import type { Probe } from '../probe.ts'
import { isSuccess } from '../response-reading.ts'
import { isSameJson } from '../value-checks.ts'
import { dataFrom, dataIn } from './observer.ts'

/** Which of some values a parameter may have had when it was left out, or that it may not be. */
export async function valuesWhenOmitted<const A extends string>(
  probe: Probe,
  path: string,
  name: string,
  values: readonly A[],
): Promise<(A | 'refuse')[]> {
  const exchange = await probe.request({ path })
  if (!isSuccess(exchange)) return exchange.status < 500 ? ['refuse'] : []
  const alike: A[] = []
  for (const value of values)
    if (isSameJson(await dataIn(probe, { path, query: { [name]: value } }), dataFrom(exchange)))
      alike.push(value)
  return alike
}

/** What an answer without the parameter is like, when it is like one alone. */
export function onlyOne<const A extends string>(probe: Probe, alike: readonly A[]): A | null {
  if (alike.length > 1) probe.skip(`it answers the same for ${alike.join(' and ')}`)
  return alike[0] ?? null
}
