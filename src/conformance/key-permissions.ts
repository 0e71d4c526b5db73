/** Which permissions the main key lacks: found out when the target first says so. */
import { CHANNELS, OPERATIONS } from '../contract/index.ts'
import { CheckFailure, SkipCase } from './case-outcome.ts'
import { deniedPermission } from './denied-permission.ts'
import { firstExampleRequest, isSafeToCall } from './derived/example-requests.ts'
import type { Probe } from './probe.ts'
import { ProbeSocket } from './probe-socket.ts'

/**
 * Whether a permission is missing: everything that asks for it is refused with its name. What is
 * refused while something else of the same permission is answered deviates.
 *
 * @param newProbe one that takes refusals as they are
 * @param onMissing told once of each
 */
export function permissionsOf(newProbe: () => Probe, onMissing: (permission: string) => void) {
  const known = new Map<string, Promise<boolean>>()
  return (permission: string): Promise<boolean> => {
    const found = known.get(permission) ?? look(newProbe(), permission, onMissing)
    known.set(permission, found)
    return found
  }
}

async function look(
  probe: Probe,
  permission: string,
  onMissing: (permission: string) => void,
): Promise<boolean> {
  const named = <T extends (typeof OPERATIONS | typeof CHANNELS)[number]>({ access }: T) =>
    access.kind === 'permission' && access.name === permission
  const denied: boolean[] = []
  for (const operation of OPERATIONS.filter((one) => named(one) && isSafeToCall(one)))
    denied.push(
      await isDenied(permission, async () =>
        probe.request(await firstExampleRequest(probe, operation)),
      ),
    )
  for (const path of new Set(CHANNELS.filter(named).map(({ dialect }) => dialect.path)))
    denied.push(await isDenied(permission, () => probe.tryConnect({ path })))
  probe.close()
  const isMissing = denied.length > 0 && !denied.includes(false)
  if (isMissing) onMissing(permission)
  return isMissing
}

async function isDenied(
  permission: string,
  ask: () => Promise<Awaited<ReturnType<Probe['tryConnect']>>>,
): Promise<boolean> {
  try {
    const answer = await ask()
    return !(answer instanceof ProbeSocket) && deniedPermission(answer) === permission
  } catch (error) {
    // Who or what it asks for cannot be looked up: that says nothing of this permission.
    if (error instanceof CheckFailure || error instanceof SkipCase) return true
    throw error
  }
}
