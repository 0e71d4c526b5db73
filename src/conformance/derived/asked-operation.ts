/** An operation as derived cases ask it: an example of it, with another value here and there. */

import type { Example, Operation } from '../../contract/operation.ts'
import type { Parameter } from '../../contract/parameters.ts'
import { filledExample } from '../example-filler.ts'
import { isJsonObject, type JsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'
import type { ProbeExchange } from '../probe-request.ts'
import { isSuccess } from '../response-reading.ts'
import { inventoryOf } from '../target-inventory.ts'
import { requestOf } from './example-requests.ts'

/** Parameters by where they stand; undefined leaves one out. */
export interface Given {
  path?: Record<string, string>
  query?: Record<string, unknown>
  body?: Record<string, unknown>
}

export class AskedOperation {
  constructor(
    readonly probe: Probe,
    readonly operation: Operation,
    /** What differs from the example in all that is asked. */
    private readonly usual: Given = {},
    /** What is asked besides. */
    private readonly example: Example = operation.examples[0] ?? { name: 'nothing' },
  ) {}

  /** The same, asked with these besides. */
  with(given: Given): AskedOperation {
    const { probe, operation, usual, example } = this
    return new AskedOperation(probe, operation, merged(usual, given), example)
  }

  /** The same with a value of a parameter; undefined leaves it out, in all its spellings. */
  withValue({ place, name, schema, of }: Parameter, value: unknown): AskedOperation {
    const others = (schema['x-alias'] as string[] | undefined) ?? []
    const fields = Object.fromEntries([...others.map((other) => [other, undefined]), [name, value]])
    return this.with({ [place]: of?.within === undefined ? fields : { [of.within]: fields } })
  }

  async exchange(): Promise<ProbeExchange> {
    const { operation, probe, usual, example } = this
    const filled = filledExample(operation, example, await inventoryOf(probe)) as Example & Given
    const given = merged(filled, usual)
    const isAsText = (value: unknown) => (Array.isArray(value) ? value.map(String) : String(value))
    const query = Object.fromEntries(
      Object.entries(kept(given.query)).map(([name, value]) => [name, isAsText(value)]),
    )
    const body = operation.params.body ? kept(given.body) : undefined
    return probe.request(requestOf(operation, { path: given.path ?? {}, query, body }))
  }

  /** The data of a success, as the target has shown that it knows what is asked for. */
  async served(): Promise<unknown> {
    const exchange = await this.exchange()
    const { id } = this.operation
    this.probe.assert(isSuccess(exchange), `${id} serves what the target itself lists`, exchange)
    return (exchange.json as JsonObject).data
  }

  /**
   * The data of a success; what the target does not know skips the case. It does know it where it
   * serves the same otherwise asked.
   */
  async data(same?: AskedOperation): Promise<unknown> {
    const exchange = await this.exchange()
    const { id, refuses } = this.operation
    if (refuses.length > 0 && !isSuccess(exchange) && exchange.status < 500) {
      const isKnown = same !== undefined && isSuccess(await same.exchange())
      this.probe.assert(!isKnown, `${id} refuses what it else serves`, exchange)
      this.probe.skip(`the target does not know what is asked for (${exchange.status})`)
    }
    this.probe.assert(isSuccess(exchange), `${id} is answered with success`, exchange)
    return (exchange.json as JsonObject).data
  }

  /** The rows of a success: its data, or the first list in it. */
  async rows(same?: AskedOperation): Promise<unknown[]> {
    return rowsIn(await this.data(same))
  }

  /** The rows of a success, each an object. */
  async objects(): Promise<JsonObject[]> {
    return (await this.rows()).filter(isJsonObject)
  }
}

/** The list that is meant by data: itself, or the first list in it, however deep. */
export function rowsIn(data: unknown): unknown[] {
  if (Array.isArray(data)) return data
  if (!isJsonObject(data)) return []
  const inner = Object.values(data).find((value) => typeof value === 'object' && value !== null)
  return rowsIn(inner)
}

function merged(one: Given, other: Given): Given {
  const given: Given = {}
  for (const place of ['path', 'query', 'body'] as const)
    given[place] = mergedFields(one[place], other[place]) as Record<string, string>
  return given
}

/** Fields of both, those of the other before those of the one; so in objects that are fields. */
function mergedFields(one: JsonObject = {}, other: JsonObject = {}): JsonObject {
  const inner = Object.entries(other).map(([name, value]) => {
    const known = one[name]
    return [name, isJsonObject(known) && isJsonObject(value) ? mergedFields(known, value) : value]
  })
  return { ...one, ...Object.fromEntries(inner) }
}

const kept = <T>(fields: Readonly<Record<string, T>> = {}): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
