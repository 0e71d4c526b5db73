/** What of a channel is subscribed to: several keys, and every option of one. */
import type { Channel } from '../../../contract/channel.ts'
import { meaningOf } from '../../../contract/meaning.ts'
import { fieldsOf, type Parameter } from '../../../contract/parameters.ts'
import type { TSchema } from '../../../contract/schema.ts'
import type { JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import { inventoryOf } from '../../target-inventory.ts'
import { someCoins, someTraders } from '../../target-lookups.ts'

/** Subscriptions of a channel that differ in coin or account; at most so many. */
export async function subscriptionKeys(
  probe: Probe,
  channel: Channel,
  count: number,
): Promise<JsonObject[]> {
  const names = isUserChannel(channel) ? await followable(probe) : await someCoins(probe)
  return keysOf(channel, names.slice(0, count))
}

/** Subscriptions to accounts to which something happens: who hold, who trade, who are told of. */
export async function activeKeys(
  probe: Probe,
  channel: Channel,
  count: number,
): Promise<JsonObject[]> {
  const { openPositions } = await inventoryOf(probe)
  const holders = [...new Set(openPositions.map(({ address }) => address))]
  const told = Object.values(probe.target.inventory?.addresses ?? {}).flatMap((one) => one ?? [])
  const lists = [holders, (await someTraders(probe)).slice(0, TRADING), told]
  const longest = Math.max(...lists.map(({ length }) => length))
  const inTurns = Array.from({ length: longest }, (_, at) => lists.flatMap((of) => of[at] ?? []))
  return keysOf(channel, [...new Set(inTurns.flat())].slice(0, count))
}

/** So many of the latest traders: after them come those who have traded much. */
const TRADING = 40

function keysOf(channel: Channel, names: readonly string[]): JsonObject[] {
  const [example = {}] = channel.examples
  const field = fieldOf(channel, 'address') ?? fieldOf(channel, 'coin')
  return names.map((name) => (field ? { ...example, [field.name]: name } : { ...example }))
}

/** As one subscription where many accounts are followed by one. */
export function asGroup(keys: readonly JsonObject[]): JsonObject {
  return { ...keys[0], address: keys.map(({ address }) => address) }
}

/** Those who hold something and those who trade, then others. */
async function followable(probe: Probe): Promise<string[]> {
  const { openPositions, people = [] } = await inventoryOf(probe)
  const holders = openPositions.map(({ address }) => address)
  const traders = await someTraders(probe)
  const first = [...holders.slice(0, 4), ...traders.slice(0, 4)]
  return [...new Set([...first, ...people, ...traders, ...holders])]
}

/** The field of a subscription that says whose it is. */
export const isUserChannel = (channel: Channel): boolean =>
  fieldOf(channel, 'address') !== undefined

const fieldOf = ({ subscription }: Channel, meaning: 'address' | 'coin'): Parameter | undefined =>
  fieldsOf('body', subscription).find(({ schema }) => meaningOf(schema) === meaning)

/** A subscription with each value of each of its options, itself first. */
export function withOptions(channel: Channel, base: JsonObject): JsonObject[] {
  const options = fieldsOf('body', channel.subscription).filter(
    ({ name, schema }) => name !== 'type' && !['address', 'coin'].includes(meaningOf(schema) ?? ''),
  )
  return [
    base,
    ...options.flatMap(({ name, schema }) =>
      valuesOf(schema).map((value) => ({ ...base, ...COMPANIONS[name], [name]: value })),
    ),
  ]
}

/** What an option cannot do without. */
const COMPANIONS: Readonly<Record<string, JsonObject>> = { mantissa: { nSigFigs: 5 } }

/** Every value of a set, both ends of a range; of free text the empty one. */
function valuesOf(schema: TSchema): unknown[] {
  if (schema.anyOf) return (schema.anyOf as TSchema[]).flatMap(valuesOf)
  if (schema.enum) return schema.enum as unknown[]
  if (schema.const !== undefined) return [schema.const]
  if (schema.type === 'boolean') return [true, false]
  if (schema.type === 'integer') return [schema.minimum, schema.maximum]
  return [schema.type === 'null' ? null : '']
}
