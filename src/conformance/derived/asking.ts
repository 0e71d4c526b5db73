/** Requests made out of declarations. */
import type { Example, Operation } from '../../contract/operation.ts'
import { filled } from '../filling.ts'
import { knownOf } from '../known.ts'
import type { Asked, Probe } from '../probe.ts'
import type { Who } from '../target.ts'

/** An example with who and what there is, as it is asked. */
export async function askedOf(
  probe: Probe,
  operation: Operation,
  example: Example = NOTHING,
): Promise<Asked & { query: Record<string, string>; body?: unknown }> {
  const { path = {}, query = {}, body } = filled(operation, example, await knownOf(probe))
  return {
    method: operation.method,
    path: operation.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(path[name] ?? 'x')),
    query,
    by: callerOf(operation),
    ...(body === undefined ? {} : { body }),
  }
}

const NOTHING: Example = { name: 'nothing' }

/** Whose key may call it. */
export const callerOf = ({ access }: Operation): Who =>
  access.kind === 'distributor' ? 'partner' : 'full'

/** Operations that a run may call at will. */
export const isHarmless = ({ changes, profile, servedWhen }: Operation): boolean =>
  !profile && !servedWhen && !changes
