/** Examples of the contract with who and what there is in a world in the place of placeholders. */

import { type CastList, meaningOf } from '../contract/meaning.ts'
import type { Example, Operation } from '../contract/operation.ts'
import { parametersOf } from '../contract/parameters.ts'

/** What of a sandbox's cast is needed. */
export interface TargetInventory {
  addresses: Record<string, string | readonly string[] | null>
  oids: { filled: readonly number[] }
  twapIds: number[]
  builders: string[]
  openPositions: { address: string; coin: string }[]
  completedPositions: { address: string; coin: string; openTime: number; closeTime: number }[]
  /** Whom else an example that names somebody can ask about. */
  people?: readonly string[]
  /** What else an example that names a coin can ask about. */
  coins?: readonly string[]
}

/** The address that stands in examples for any. */
export const PLACEHOLDER_ADDRESS = '0x0000000000000000000000000000000000000001'

/**
 * An example as it can be asked: a schema says where there are values of a parameter.
 *
 * @param nth which of them; the first of all where an example is to be asked as it stands
 */
export function filledExample(
  operation: Operation,
  example: Example,
  known: TargetInventory,
  nth = 0,
): Example {
  const holder = castValue(known, 'openPositions.address', nth) ?? PLACEHOLDER_ADDRESS
  const somebody = String((nth === 0 ? undefined : known.people?.[nth - 1]) ?? holder)
  const request = JSON.parse(
    JSON.stringify(example).replaceAll(PLACEHOLDER_ADDRESS, somebody),
  ) as Example
  for (const { place, name, schema } of parametersOf(operation)) {
    const texts = place === 'body' ? undefined : request[place]
    const list = schema['x-cast'] as CastList | undefined
    if (texts?.[name] === undefined) continue
    if (list !== undefined) texts[name] = String(castValue(known, list, nth) ?? texts[name])
    else if (nth > 0 && meaningOf(schema) === 'coin')
      texts[name] = known.coins?.[(nth - 1) % known.coins.length] ?? texts[name]
  }
  return request
}

/** A value of a list of the cast; null or undefined where there is none. */
function castValue(known: TargetInventory, list: CastList, nth: number): unknown {
  const [name, part = ''] = list.split('.') as [keyof TargetInventory, string | undefined]
  const entries = known[name]
  const found = Array.isArray(entries) ? at(entries, nth) : entries
  const value = part === '' ? found : (found as Record<string, unknown> | undefined)?.[part]
  return Array.isArray(value) ? at(value, nth) : value
}

const at = (values: readonly unknown[], nth: number): unknown => values[nth % values.length]
