/** Requests for the largest ranges and pages of each reading operation. */
import { filledExample, type TargetInventory } from '../../src/conformance/example-filler.ts'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import { meaningOf } from '../../src/contract/meaning.ts'
import type { Example, Operation } from '../../src/contract/operation.ts'
import { fieldsOf, type Parameter, parametersOf } from '../../src/contract/parameters.ts'
import type { TSchema } from '../../src/contract/schema.ts'
import type { BenchRequest } from './operation-requests.ts'

export interface LargestRequest extends BenchRequest {
  /** Operation, example and varied parameter. */
  name: string
}

interface Surroundings {
  inventory: TargetInventory
  addresses: readonly string[]
  coins: readonly string[]
  /** In shown time. */
  nowMs: number
}

/**
 * For each operation and example the largest of everything, and once more with each value of every
 * enumerated parameter: the shortest and the longest interval, each key, each kind.
 */
export function largestRequests(around: Surroundings): LargestRequest[] {
  return OPERATIONS.filter(
    ({ access, changes, profile }) =>
      !changes && !profile && (access.kind === 'permission' || access.kind === 'signed'),
  ).flatMap((operation) =>
    operation.examples.flatMap((example) => variants(operation, example, around)),
  )
}

function variants(operation: Operation, example: Example, around: Surroundings): LargestRequest[] {
  const parameters = allParameters(operation, example)
  const large = parameters.map((one) => [one, largestValue(one.schema, around)] as const)
  const made = [requestOf(operation, example, large, around, 'largest')]
  for (const one of parameters)
    for (const value of choicesOf(one.schema))
      made.push(
        requestOf(operation, example, [...large, [one, value]], around, `${one.name}=${value}`),
      )
  return made
}

function allParameters(operation: Operation, { body }: Example): Parameter[] {
  const { type = '' } = (body ?? {}) as { type?: string }
  return [
    ...parametersOf(operation).filter(({ place }) => place !== 'path'),
    ...fieldsOf('body', operation.bodies?.get(type)?.request).filter(({ name }) => name !== 'type'),
  ]
}

/** undefined: keeps the example's value. */
function largestValue(schema: TSchema, { addresses, coins, nowMs }: Surroundings): unknown {
  const most = (schema['x-cut'] ?? schema.maximum) as number | undefined
  const choices = choicesOf(schema)
  const meaning = meaningOf(schema)
  if (meaning === 'pageSize') return most ?? 2000
  if (meaning === 'rangeStart') return 1
  if (meaning === 'rangeEnd') return schema['x-instant'] === 's' ? Math.floor(nowMs / 1000) : nowMs
  if (meaning === 'rangeLength')
    return choices.includes(0) ? 0 : (choices.at(-1) ?? schema['x-span']?.[1] ?? most ?? 36_500)
  if (schema.type === 'array') {
    const count = most ?? (schema.maxItems as number | undefined) ?? 100
    const of = meaningOf(schema.items ?? {})
    const from = of === 'address' ? addresses : of === 'coin' ? coins : null
    return from && Array.from({ length: count }, (_, at) => from[at % from.length])
  }
  return undefined
}

function choicesOf(schema: TSchema): unknown[] {
  const values = (schema.enum ?? schema['x-span'] ?? []) as unknown[]
  const branches = ((schema.anyOf ?? []) as TSchema[]).flatMap((one) =>
    one.const === undefined ? choicesOf(one) : [one.const],
  )
  return [...values, ...branches]
}

function requestOf(
  operation: Operation,
  example: Example,
  values: readonly (readonly [Parameter, unknown])[],
  { inventory }: Surroundings,
  about: string,
): LargestRequest {
  const { path = {}, query = {}, body } = filledExample(operation, example, inventory)
  const fields: Record<string, unknown> = { ...Object(body) }
  for (const [{ place, name }, value] of values) {
    if (value === undefined || value === null) continue
    if (place === 'query') query[name] = Array.isArray(value) ? value.join(',') : String(value)
    else fields[name] = value
  }
  const filled = operation.path.replace(/:(\w+)/g, (_, name) =>
    encodeURIComponent(String(path[name] ?? '')),
  )
  const { type = example.name } = fields as { type?: string }
  return {
    name: `${operation.path.slice(1)} (${type}, ${about})`,
    method: operation.method,
    path: `${filled}?${new URLSearchParams(query)}`,
    body: operation.method === 'GET' ? undefined : fields,
  }
}
