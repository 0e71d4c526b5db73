/** Requests made out of declarations. */

import type { Example, Operation } from '../../contract/operation.ts'
import { evidenceIn } from '../answer-content.ts'
import { filledExample } from '../example-filler.ts'
import type { Probe } from '../probe.ts'
import type { ProbeRequest } from '../probe-request.ts'
import { isRefused } from '../response-reading.ts'
import type { KeyRole } from '../target.ts'
import { inventoryOf } from '../target-inventory.ts'

/** An example with who and what there is, as it is asked: the first of each, or others. */
export async function exampleRequest(
  probe: Probe,
  operation: Operation,
  example: Example = NO_EXAMPLE,
  nth = 0,
): Promise<AskedRequest> {
  return requestOf(operation, filledExample(operation, example, await inventoryOf(probe), nth))
}

type AskedRequest = ProbeRequest & { query: Record<string, string>; body?: unknown }

/** A request with these parameters, signed by whose key may call the operation. */
export function requestOf<Q>(
  operation: Operation,
  given: { path?: Record<string, string>; query?: Q; body?: unknown },
) {
  const { path = {}, query = {}, body } = given
  return {
    method: operation.method,
    path: operation.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(path[name] ?? 'x')),
    query: query as Q & Record<string, string>,
    signedBy: callerOf(operation),
    ...(body === undefined ? {} : { body }),
  }
}

/** An example with one after the other of those there are, each request once. */
export async function exampleRequests(
  probe: Probe,
  operation: Operation,
  example: Example,
  count: number,
): Promise<ExampleRequest[]> {
  const made = new Map<string, ExampleRequest>()
  for (let nth = 0; nth < count; nth++) {
    const request = await exampleRequest(probe, operation, example, nth)
    made.set(JSON.stringify(request), request)
  }
  return [...made.values()]
}

/**
 * The request of an operation's first example, about somebody of whom the target has something to
 * tell where there is such a one.
 */
export const firstExampleRequest = (probe: Probe, operation: Operation): Promise<ExampleRequest> =>
  probe.once(`the request of ${operation.id}`, (lookup) => tellingRequest(lookup, operation))

async function tellingRequest(probe: Probe, operation: Operation): Promise<ExampleRequest> {
  const [example = NO_EXAMPLE] = operation.examples
  const requests = await exampleRequests(probe, operation, example, TRIES)
  const isFound = requests.length === 1 || !isSafeToCall(operation)
  if (isFound) return requests[0] as ExampleRequest
  for (const request of requests) {
    const { status, json } = await probe.request({ ...request, allowRateLimit: true })
    if (evidenceIn(status, json) === 'values') return request
  }
  return requests[0] as ExampleRequest
}

/**
 * Whether an operation answers a key that may call it: what it refuses of others says something
 * only then. Those that change something are not tried.
 */
export const isServed = (probe: Probe, operation: Operation): Promise<boolean> =>
  probe.once(`whether ${operation.id} is served`, (lookup) => trySigned(lookup, operation))

async function trySigned(probe: Probe, operation: Operation): Promise<boolean> {
  const who = callerOf(operation)
  if (!isSafeToCall(operation) || probe.target.keys[who] === undefined) return true
  const request = await firstExampleRequest(probe, operation)
  const exchange = await probe.request({ ...request, allowRateLimit: true })
  return exchange.status !== 403 && !isRefused(exchange, '401')
}

/** How many are asked about until the target has something to tell. */
export const TRIES = 16

type ExampleRequest = Awaited<ReturnType<typeof exampleRequest>>

const NO_EXAMPLE: Example = { name: 'nothing' }

/** Whose key may call it. */
export const callerOf = ({ access }: Operation): KeyRole =>
  access.kind === 'distributor' ? 'partner' : 'full'

/** Operations that a run may call at will. */
export const isSafeToCall = ({ changes, profile, servedWhen }: Operation): boolean =>
  !profile && !servedWhen && !changes
