/** Requests of sandboxes that several replicas have: by the latest state of all of them. */
import type { Slices } from '../../clock/turns.ts'
import type { Refusal } from '../../contract/refusal.ts'
import { authorize } from '../authorization.ts'
import type { Registry } from '../registry.ts'
import type { Sandbox } from '../sandbox.ts'
import { SandboxReplacedError, StorageError } from '../sandbox-store.ts'
import {
  type HttpResponse,
  type Outcome,
  operationRefusalResponse,
  refusalResponse,
} from './http-message.ts'
import { withCountedSignature } from './leniency.ts'
import type { OperationCall } from './operation-call.ts'

/** Handles a request in its sandbox, which another replica may have made, replaced or dropped. */
export async function inSharedSandbox(
  registry: Registry,
  call: OperationCall,
  handled: (call: OperationCall) => HttpResponse | Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { shared } = registry
  const id = call.request.sandbox
  try {
    const preparing = shared?.prepare(id, call.ownerName)
    if (preparing) await preparing
    const sandbox = registry.find(id, call.ownerName)
    return await handled(sandbox ? await admittedCall(sandbox, call) : call)
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    if (!(error instanceof SandboxReplacedError)) return refusalResponse({ refused: 'storage' })
    await shared?.renew(error.sandbox)
    return inSharedSandbox(registry, call, handled)
  }
}

/** A call with its caller, unless it may change the sandbox. */
async function admittedCall(sandbox: Sandbox, call: OperationCall): Promise<OperationCall> {
  const { shared } = sandbox
  if (!shared || mayChange(sandbox, call)) return call
  const { signed } = withCountedSignature(call, sandbox.answers)
  const admission = await shared.admitEarly(() => authorize(sandbox, call.operation, signed))
  return { ...call, admission }
}

function mayChange({ answers, faultInjection }: Sandbox, { operation, request }: OperationCall) {
  if (operation.changes || operation.profile === 'raw') return true
  if (answers['nonce-reuse'] !== 'accept') return true
  return faultInjection.mayAffect(request.path, request.query, request.body)
}

/** The outcome by the state of all replicas; what may change it is answered one at a time. */
export function* sharedOutcome(
  sandbox: Sandbox,
  call: OperationCall,
  run: (call: OperationCall) => Slices<Outcome>,
): Slices<Outcome> {
  const { operation } = call
  const { shared } = sandbox
  try {
    if (!shared || !mayChange(sandbox, call)) return yield* run(call)
    return yield* shared.exclusive(() => run({ ...call, isExclusive: true }))
  } catch (error) {
    if (!(error instanceof StorageError) || error instanceof SandboxReplacedError) throw error
    const refusal: Refusal = { refused: 'storage' }
    const answer = operationRefusalResponse(operation, refusal, sandbox)
    return { answer, caller: null, refusal, why: error.message }
  }
}

/** Brings a sandbox to the state that all replicas have stored, restoring it where necessary. */
export async function bringUpToDate(
  registry: Registry,
  id: string | undefined,
  name: string | undefined,
): Promise<void> {
  const { shared } = registry
  if (!shared) return
  await shared.prepare(id, name)
  const sandbox = registry.find(id, name)
  if (!sandbox?.shared) return
  try {
    await registry.turns.run(sandbox, sandbox.shared.catchUp())
  } catch (error) {
    if (!(error instanceof SandboxReplacedError)) throw error
    await shared.renew(error.sandbox)
  }
}
