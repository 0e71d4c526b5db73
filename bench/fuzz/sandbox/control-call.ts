import type { Registry } from '../../../src/sandbox/registry.ts'
import { routeOf } from '../../../src/server/control/control-operation.ts'
import { CONTROL_OPERATIONS } from '../../../src/server/control/operations.ts'
import { BrokenInvariant, invariant } from '../fuzz-target.ts'

/** The sandbox of a script. */
export const FUZZED_ID = 'fuzzed'

/** Calls an operation of the control plane on the script's sandbox, and checks its response. */
export async function callControl(
  registry: Registry,
  id: string,
  body: unknown,
  path: Record<string, string> = {},
  query = '',
): Promise<{ status: number; json: unknown }> {
  const operation = CONTROL_OPERATIONS.find((one) => one.id === id)
  if (!operation) throw new BrokenInvariant(`there is no operation ${id}`)
  const answer = await routeOf(operation, registry).answer({
    params: { ...path, id: FUZZED_ID },
    query,
    body: body === null ? '' : textOf(body),
    headers: new Headers(),
    origin: 'http://localhost:4010',
  })
  // An unready server reports it by its status.
  const isExplained = operation.status !== undefined && answer.status === 503
  invariant(
    answer.status < 500 || isExplained,
    () => `${id}: status ${answer.status}: ${answer.body}`,
  )
  if (typeof answer.body !== 'string') throw new BrokenInvariant(`${id}: an unrequested stream`)
  const isText = operation.contentType !== undefined && answer.status === 200
  const json = isText ? answer.body : JSON.parse(answer.body)
  if (answer.status >= 400 && !isExplained)
    invariant(typeof json.error === 'string', () => `${id}: no error: ${answer.body}`)
  return { status: answer.status, json }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
