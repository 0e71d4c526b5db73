import { assertObject, assertSame, assertText } from '../../assertions.ts'
import type { Case } from '../../case.ts'
import type { JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import type { ProbeExchange } from '../../probe-request.ts'
import { bodyOf, dataOf, isSuccess, objectOf } from '../../response-reading.ts'

/**
 * Becoming a distributor (the service's documentation, Distributor management; States, invite
 * token).
 */
export const REGISTRATION_CASES: readonly Case[] = [
  {
    id: 'distributor.registration.public',
    title: 'registration asks for no signature, and an invalid token is HTTP 400 with an error',
    checks: ['auth.register', 'error.invite', 'state.invite.consumed'],
    run: async (probe: Probe) => refusedToken(probe, await register(probe, 'no-such-token')),
  },
  {
    id: 'distributor.registration.token',
    title: 'registration without an invite_token is refused with its name',
    checks: ['operation.distributor.register.token'],
    run: async (probe: Probe) => {
      for (const body of [{}, { token: 'x' }]) {
        const path = '/distributor/register'
        const answer = await probe.request({ method: 'POST', path, body, signedIn: 'nowhere' })
        probe.assert(!isSuccess(answer) && answer.status < 500, 'it is refused', answer)
        probe.assert(answer.text.includes('invite_token'), 'invite_token is named', answer)
      }
    },
  },
  {
    id: 'distributor.registration.once',
    title: 'an invite token makes one distributor with a key pair that works, and no second one',
    checks: [
      ...['operation.distributor.register', 'state.invite.unused', 'state.invite.consumed'],
      ...['distributor.presets', 'distributor.secretOnce', 'distributor.rule.levelsFirst'],
      ...['error.invite'],
    ],
    needs: ['invite'],
    exclusive: true,
    run: async (probe: Probe) => {
      const token = probe.target.inviteToken ?? probe.skip('no invite token was given')
      refusedToken(probe, await register(probe, 'no-such-token'))
      const first = await register(probe, token)
      const { success, message, data } = bodyOf(probe, first)
      assertSame(probe, first.status, 200, 'an unused token is answered with 200')
      assertSame(probe, success, true, 'an unused token is taken')
      assertText(probe, message, 'the answer has a message')
      assertObject(probe, data, 'the answer has data')
      for (const name of ['access_key', 'secret_key', 'name', 'level'])
        probe.assert(typeof data[name] === 'string', `${name} is text`, Object.keys(data))
      await looksFresh(probe, data)
      refusedToken(probe, await register(probe, token))
    },
  },
]

/** A distributor of a moment ago: as preset, without sub keys, levels or use. */
async function looksFresh(probe: Probe, made: JsonObject): Promise<void> {
  const key = { accessKey: String(made.access_key), secretKey: String(made.secret_key) }
  const info = await objectOf(probe, { path: '/distributor/info', signedBy: key })
  for (const name of ['access_key', 'name', 'level'])
    assertSame(probe, info[name], made[name], `${name} is that of the registration`)
  probe.assert(!('secret_key' in info), 'the secret is not told again', Object.keys(info))
  assertSame(probe, info.sub_key_count, 0, 'it has no sub keys')
  const quota = await objectOf(probe, { path: '/distributor/quota', signedBy: key })
  const isUnused = quota.used_quota === 0 && quota.allocated_quota === 0
  probe.assert(isUnused, 'nothing of its quota is used or allocated', quota)
  assertSame(probe, quota.max_total_quota, info.max_total_quota, 'its ceiling is preset')
  const levels = await dataOf(probe, { path: '/distributor/levels', signedBy: key })
  probe.assert(Array.isArray(levels) && levels.length === 0, 'it has no levels yet', levels)
}

const register = (probe: Probe, invite_token: string) =>
  probe.request({
    method: 'POST',
    path: '/distributor/register',
    signedIn: 'nowhere',
    body: { invite_token },
  })

function refusedToken(probe: Probe, answer: ProbeExchange): void {
  const { success, error } = bodyOf(probe, answer)
  assertSame(probe, answer.status, 400, 'the token is refused with HTTP 400')
  const isTold = success === false && typeof error === 'string' && error !== ''
  probe.assert(isTold, 'success is false and error is text', answer)
}
