/** Who may call each operation, and how the others are refused. */

import type { Operation } from '../../contract/operation.ts'
import { assertRefused, assertSame } from '../assertions.ts'
import type { Case } from '../case.ts'
import { isJsonObject } from '../parsed-json.ts'
import type { Probe } from '../probe.ts'
import type { ProbeExchange, ProbeRequest } from '../probe-request.ts'
import { requirementsOf } from '../requirements.ts'
import type { Need } from '../target.ts'
import { firstExampleRequest, isServed } from './example-requests.ts'

const REFUSED_ANYWAY = 'who signs rightly and may call it is refused as well'

const NOBODY = { accessKey: 'nobody', secretKey: 'nothing' }

/** Requests without a valid signature, and how each is called. */
const UNAUTHENTICATED: Record<string, Partial<ProbeRequest>> = {
  'without a signature': { signedIn: 'nowhere' },
  'with a wrong signature': { tamper: (right) => ({ ...right, Signature: 'bm90IHNpZ25lZA==' }) },
  // Where the clock is held nothing ages but what was signed before it was.
  'with a signature of an hour ago': { ageS: 3600 },
  'with a signature of the next minute': { ageS: -60 },
  'with an unknown key': { signedBy: NOBODY },
}

/** One case for unsigned requests, one for keys without the permission. */
export function accessCases(operation: Operation): Case[] {
  const { access, id, profile, servedWhen } = operation
  if (access.kind === 'public' || profile || servedWhen) return []
  const checks = requirementsOf(id, 'access')
  const strangers = Object.entries(UNAUTHENTICATED).map(([how, as]): Case => {
    const place = how.replaceAll(' ', '-')
    return {
      id: `access.${id}.${place}`,
      title: `${id} lets nobody in ${how}`,
      checks: [...checks, 'auth.parameters'].filter((one, at, all) => all.indexOf(one) === at),
      async run(probe: Probe) {
        const exchange = await probe.request({
          ...(await firstExampleRequest(probe, operation)),
          ...as,
        })
        assertRefused(probe, exchange, '401', `${id} is refused with 401 ${how}`)
        const { msg } = isJsonObject(exchange.json) ? exchange.json : {}
        assertSame(probe, msg, 'Invalid signature', `the words are "Invalid signature" ${how}`)
        if (!(await isServed(probe, operation))) probe.skip(REFUSED_ANYWAY)
      },
    }
  })
  return [...strangers, ...forbiddenCases(operation, checks)]
}

/** The key that may not, and the words of its refusal. */
function forbiddenCases(operation: Operation, checks: readonly string[]): Case[] {
  const { access, id } = operation
  if (access.kind === 'signed' || access.kind === 'public') return []
  const who: Need & ('bare' | 'sub') = access.kind === 'permission' ? 'bare' : 'sub'
  const name = access.kind === 'permission' ? access.name : 'DISTRIBUTOR'
  return [
    {
      id: `access.${id}.permission`,
      title: `${id} asks for the permission ${name} by name`,
      checks: [...new Set([...checks, 'auth.permission'])],
      needs: [who],
      async run(probe: Probe) {
        const exchange = await probe.request({
          ...(await firstExampleRequest(probe, operation)),
          signedBy: who,
        })
        const { status, json } = exchange
        assertSame(probe, status, 403, `${id} is refused with 403`)
        const words = `Permission denied: ${name}`
        const told = { expected: words, found: isJsonObject(json) ? json.msg : null }
        probe.assert(namesPermission(exchange, name), `the words are "${words}"`, told)
        if (!(await isServed(probe, operation))) probe.skip(REFUSED_ANYWAY)
      },
    },
  ]
}

const namesPermission = ({ json }: ProbeExchange, name: string): boolean =>
  isJsonObject(json) && [json.msg, json.error, json.message].includes(`Permission denied: ${name}`)
