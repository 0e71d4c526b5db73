/** Requests made out of declarations. */
import type { Example, Operation } from '../../contract/operation.ts'
import { filledExample } from '../example-filler.ts'
import type { Probe, ProbeRequest } from '../probe.ts'
import type { KeyRole } from '../target.ts'
import { inventoryOf } from '../target-inventory.ts'

/** An example with who and what there is, as it is asked. */
export async function exampleRequest(
  probe: Probe,
  operation: Operation,
  example: Example = NO_EXAMPLE,
): Promise<AskedRequest> {
  return requestOf(operation, filledExample(operation, example, await inventoryOf(probe)))
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

/** The request of an operation's first example. */
export const firstExampleRequest = (probe: Probe, operation: Operation): Promise<ProbeRequest> =>
  exampleRequest(probe, operation, operation.examples[0])

const NO_EXAMPLE: Example = { name: 'nothing' }

/** Whose key may call it. */
export const callerOf = ({ access }: Operation): KeyRole =>
  access.kind === 'distributor' ? 'partner' : 'full'

/** Operations that a run may call at will. */
export const isSafeToCall = ({ changes, profile, servedWhen }: Operation): boolean =>
  !profile && !servedWhen && !changes
