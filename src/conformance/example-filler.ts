/** Examples of the contract with who and what there is in a world in the place of placeholders. */
import type { CastList } from '../contract/meaning.ts'
import type { Example, Operation } from '../contract/operation.ts'
import { parametersOf } from '../contract/parameters.ts'

/** What of a sandbox's cast is needed. */
export interface TargetInventory {
  addresses: Record<string, string | null>
  oids: { filled: number[] }
  twapIds: number[]
  builders: string[]
  openPositions: { address: string; coin: string }[]
  completedPositions: { address: string; coin: string; openTime: number; closeTime: number }[]
}

/** The address that stands in examples for any. */
export const PLACEHOLDER_ADDRESS = '0x0000000000000000000000000000000000000001'

/** An example as it can be asked: a schema says where there are values of a parameter. */
export function filledExample(
  operation: Operation,
  example: Example,
  known: TargetInventory,
): Example {
  const somebody = String(first(known, 'openPositions.address') ?? PLACEHOLDER_ADDRESS)
  const request = JSON.parse(
    JSON.stringify(example).replaceAll(PLACEHOLDER_ADDRESS, somebody),
  ) as Example
  for (const { place, name, schema } of parametersOf(operation)) {
    const texts = place === 'body' ? undefined : request[place]
    const list = schema['x-cast'] as CastList | undefined
    if (list === undefined || texts?.[name] === undefined) continue
    texts[name] = String(first(known, list) ?? texts[name])
  }
  return request
}

/** The first value of a list of the cast; null or undefined where there is none. */
function first(known: TargetInventory, list: CastList): unknown {
  const [name, part = ''] = list.split('.') as [keyof TargetInventory, string | undefined]
  const entries = known[name]
  const found = Array.isArray(entries) ? entries[0] : entries
  const value = part === '' ? found : (found as Record<string, unknown> | undefined)?.[part]
  return Array.isArray(value) ? value[0] : value
}
