import type { Credentials } from '../../../contract/signature.ts'
import { assertNoSocket, assertNoSuccess, assertRefused, assertSuccess } from '../../assertions.ts'
import type { Case } from '../../case.ts'
import type { Probe } from '../../probe.ts'

/**
 * Who may call what, and where the signature stands (the service's documentation, Authentication 4
 * to 7).
 */
export const CALLER_CASES: readonly Case[] = [
  {
    id: 'authentication.sockets',
    title: 'a socket is opened for a signed connection only',
    checks: ['auth.sockets', 'auth.parameters'],
    run: async (probe: Probe) => {
      for (const path of ['/hl/ws', '/hl/ws/fills']) {
        await probe.connect({ path })
        const unsigned = await probe.tryConnect({ path, signedIn: 'nowhere' })
        assertNoSocket(probe, unsigned, `an unsigned connection to ${path} gets no socket`)
        const stale = await probe.tryConnect({ path, ageS: 33 })
        assertNoSocket(probe, stale, `a connection signed 33 s ago gets no socket on ${path}`)
      }
    },
  },
  {
    id: 'authentication.distributor',
    title: 'distributor endpoints take the key of the distributor and no sub key',
    checks: ['auth.distributor'],
    needs: ['partner', 'sub'],
    run: async (probe: Probe) => {
      for (const path of ['/distributor/info', '/distributor/quota', '/distributor/levels']) {
        const own = await probe.request({ path, signedBy: 'partner' })
        assertSuccess(probe, own, `the distributor may call ${path}`)
        const sub = await probe.request({ path, signedBy: 'sub' })
        assertNoSuccess(probe, sub, `a sub key may not call ${path}`)
        probe.assert(sub.status === 403 || sub.status === 401, `a sub key is told so by status`, {
          expected: '401 or 403',
          found: sub.status,
        })
      }
    },
  },
  {
    id: 'authentication.body',
    title: 'AI insights take the signature inside the body as well as in the query',
    checks: ['content.aiCoins.bodySignature'],
    run: async (probe: Probe) => {
      const body = { coinKeys: ['bitcoin'], language: 'EN' }
      const request = { method: 'POST', path: '/content/ai-coins', body } as const
      const inside = await probe.request({ ...request, signedIn: 'body' })
      assertSuccess(probe, inside, 'a signature inside the body is accepted')
      const outside = await probe.request(request)
      assertSuccess(probe, outside, 'a signature in the query is accepted')
      const forged = (right: Credentials) => ({ ...right, Signature: 'AAAA' })
      const wrong = await probe.request({ ...request, signedIn: 'body', tamper: forged })
      assertRefused(probe, wrong, '401', 'a wrong signature inside the body is refused')
    },
  },
]
