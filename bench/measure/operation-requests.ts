/** Requests for every reading operation of the contract, with other parameters each time. */
import { filledExample, type TargetInventory } from '../../src/conformance/example-filler.ts'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import type { Example, Operation } from '../../src/contract/operation.ts'
import { fieldsOf, parametersOf } from '../../src/contract/parameters.ts'
import type { TSchema } from '../../src/contract/schema.ts'

export interface BenchRequest {
  method: string
  /** Below the prefix, with its query. */
  path: string
  body: object | undefined
}

/** An operation, or a type of one whose bodies have types, and its n-th request. */
export interface TestedOperation {
  name: string
  request(n: number): BenchRequest
}

interface Inventory extends TargetInventory {
  coins: string[]
}

/** All that change nothing and need no special permission. */
export function testedOperations(inventory: Inventory, addresses: string[]): TestedOperation[] {
  const reading = OPERATIONS.filter(
    ({ access, changes, profile }) =>
      !changes && !profile && (access.kind === 'permission' || access.kind === 'signed'),
  )
  return reading.flatMap((operation) =>
    operation.examples.map((example) => ({
      name: nameOf(operation, example),
      request: (n) => requestOf(operation, example, rotated(inventory, addresses, n)),
    })),
  )
}

function nameOf({ path }: Operation, { name, body }: Example): string {
  const { type } = (body ?? {}) as { type?: string }
  return `${path.slice(1)} ${type ?? `(${name})`}`
}

/** Rotates accounts and coins. */
function rotated(inventory: Inventory, addresses: string[], n: number): Inventory {
  const from = <T>(list: readonly T[], at = n) => [list[at % list.length] as T]
  const coins = inventory.coins.filter((coin) => !coin.includes('/') && !coin.startsWith('@'))
  const coin = from(coins)[0] as string
  return {
    ...inventory,
    coins: [coin],
    oids: { ...inventory.oids, filled: from(inventory.oids.filled) },
    twapIds: from(inventory.twapIds),
    openPositions: [{ address: from(addresses)[0] as string, coin }],
    completedPositions: from(inventory.completedPositions),
  }
}

function requestOf(operation: Operation, example: Example, known: Inventory): BenchRequest {
  const { path = {}, query = {}, body } = filledExample(operation, example, known)
  const [coin] = known.coins
  const places: Record<string, Record<string, unknown>> = { path, query, body: { ...Object(body) } }
  for (const { place, name, schema } of parametersOf(operation))
    if (isCoin(schema) && places[place]?.[name] !== undefined) places[place][name] = coin
  for (const { name, schema } of typeFields(operation, body))
    if (isCoin(schema)) (places.body as Record<string, unknown>)[name] = coin
  const filled = operation.path.replace(/:(\w+)/g, (_, name) =>
    encodeURIComponent(String(path[name] ?? '')),
  )
  return {
    method: operation.method,
    path: `${filled}?${new URLSearchParams(query)}`,
    body: body === undefined ? undefined : places.body,
  }
}

/** An arbitrary coin: those of a position belong to it. */
const isCoin = (schema: TSchema) => schema['x-meaning'] === 'coin' && schema['x-cast'] === undefined

function typeFields({ bodies }: Operation, body: unknown) {
  const { type = '' } = (body ?? {}) as { type?: string }
  return fieldsOf('body', bodies?.get(type)?.request)
}
