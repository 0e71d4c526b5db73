/** Signatures and access. */

import { createHmac } from 'node:crypto'
import { type Credentials, sign, stringToSign } from '../../contract/signature.ts'
import { hexDigest } from '../../platform/hmac-sha1.ts'
import type { Case, Probe } from '../probe.ts'
import type { ProbeRequest } from '../probe-request.ts'
import type { Observers } from '../requirement.ts'
import { type Requirement, requirementsOfSection } from '../requirement.ts'
import {
  assertNoSocket,
  assertNoSuccess,
  assertRefused,
  assertSame,
  assertSuccess,
  isJsonObject,
  isSuccess,
} from '../responses.ts'

import type { TargetKey } from '../target.ts'

/** Accepted and refused signatures (the service's documentation, Authentication). */
export const SIGNATURE_CASES: readonly Case[] = [
  {
    id: 'authentication.parameters',
    title: 'a request that lacks one of the four signature parameters is refused',
    checks: ['auth.parameters', 'error.signature'],
    run: async (probe: Probe) => {
      for (const name of ['AccessKeyId', 'SignatureNonce', 'Timestamp', 'Signature'] as const)
        await refused(probe, `a request without ${name}`, ({ [name]: _, ...rest }) => rest)
      await refused(probe, 'a request without any of them', () => ({}))
    },
  },
  {
    id: 'authentication.order',
    title: 'the signed text names key, nonce and timestamp in this order and in no other',
    checks: ['auth.string'],
    run: async (probe: Probe) => {
      await accepted(probe, 'the documented order', (right) => right)
      for (const names of WRONG_ORDERS)
        await refused(probe, `the order ${names.join(', ')}`, (right, { secretKey }) => {
          const text = names.map((name) => `${name}=${right[name]}`).join('&')
          return { ...right, Signature: inBase64(hexDigest(text, secretKey)) }
        })
    },
  },
  {
    id: 'authentication.digest',
    title: 'the signature is HMAC-SHA1 as lower-case hexadecimal text, that text in Base64',
    checks: ['auth.digest'],
    run: async (probe: Probe) => {
      for (const [name, make] of Object.entries(WRONG_DIGESTS))
        await refused(probe, name, (right, { secretKey }) => ({
          ...right,
          Signature: make(stringToSign(right), secretKey),
        }))
    },
  },
  {
    id: 'authentication.only-three',
    title: 'parameters and bodies are not signed: further ones and another order change nothing',
    checks: ['auth.onlyThree'],
    run: async (probe: Probe) => {
      const reversed = (right: Credentials) =>
        Object.fromEntries(Object.entries(right).reverse()) as Partial<Credentials>
      await accepted(probe, 'the parameters in another order', reversed)
      // One that is unknown may be refused (an open question), but not as a wrong signature.
      const more = await probe.request({ ...PLAIN, query: { unheard_of: 'x', another: '1' } })
      probe.assert(more.status !== 401, 'further parameters are no part of the signature', more)
      const body = { addresses: [] }
      const posted = await probe.request({ method: 'POST', path: '/hl/traders/accounts', body })
      assertSuccess(probe, posted, 'a body is no part of the signature')
    },
  },
  {
    id: 'authentication.window.past',
    title: 'a signature is valid for 30 s and not for longer',
    checks: ['auth.window', 'limit.timestamp'],
    run: async (probe: Probe) => {
      for (const request of SIGNED) {
        const young = await probe.request({ ...request, ageS: 20 })
        assertSuccess(probe, young, `a signature of 20 s ago is valid for ${request.path}`)
        const old = await probe.request({ ...request, ageS: 33 })
        assertRefused(probe, old, '401', `a signature of 33 s ago is invalid for ${request.path}`)
      }
    },
  },
  {
    id: 'authentication.window.future',
    title: 'a signature from more than 30 s ahead is invalid',
    checks: ['auth.window'],
    run: async (probe: Probe) => {
      const near = await probe.request({ ...PLAIN, ageS: -20 })
      assertSuccess(probe, near, 'a clock that is 20 s fast is accepted')
      const far = await probe.request({ ...PLAIN, ageS: -40 })
      assertRefused(probe, far, '401', 'a signature from 40 s ahead is invalid')
    },
  },
  {
    id: 'authentication.unit',
    title: 'a Timestamp is whole seconds: milliseconds and words are refused',
    checks: ['auth.window'],
    run: async (probe: Probe) => {
      const as = (text: (given: string) => string) => (right: Credentials, key: TargetKey) => {
        const parts = { ...right, Timestamp: text(right.Timestamp) }
        return { ...parts, Signature: sign(parts, key.secretKey) }
      }
      await refused(
        probe,
        'a Timestamp in milliseconds',
        as((given) => `${given}000`),
      )
      await refused(
        probe,
        'a Timestamp that is no number',
        as(() => 'now'),
      )
    },
  },
  {
    id: 'authentication.wrong',
    title: 'an unknown key, a wrong secret and an altered signature are refused alike',
    checks: ['error.signature'],
    run: async (probe: Probe) => {
      const { accessKey } = probe.keyOf('full')
      const unknown = { accessKey: 'nobody-has-this-key', secretKey: 'x' }
      const answers = [
        await probe.request({ ...PLAIN, signedBy: unknown }),
        await probe.request({ ...PLAIN, signedBy: { accessKey, secretKey: 'not-the-secret' } }),
        await probe.request({
          ...PLAIN,
          tamper: (right) => ({ ...right, SignatureNonce: 'other' }),
        }),
      ]
      for (const answer of answers) {
        assertRefused(probe, answer, '401', 'code is "401" and data null')
        const msg = isJsonObject(answer.json) ? answer.json.msg : undefined
        assertSame(probe, msg, 'Invalid signature', 'msg is "Invalid signature"')
      }
    },
  },
]

const PLAIN: ProbeRequest = { path: '/coin' }

const SIGNED: readonly ProbeRequest[] = [
  PLAIN,
  { path: '/hl/tickers' },
  { path: '/crypto_stock/quotes' },
  { method: 'POST', path: '/hl/traders/accounts', body: { addresses: [] } },
]

type Tamper = NonNullable<ProbeRequest['tamper']>

async function refused(probe: Probe, what: string, forge: Tamper): Promise<void> {
  const answer = await probe.request({ ...PLAIN, tamper: forge })
  assertRefused(probe, answer, '401', `${what} is refused with code "401"`)
}

async function accepted(probe: Probe, what: string, forge: Tamper): Promise<void> {
  assertSuccess(probe, await probe.request({ ...PLAIN, tamper: forge }), `${what} is accepted`)
}

// Nearly valid signatures.

/** The parameters in other orders. */
const WRONG_ORDERS = [
  ['SignatureNonce', 'AccessKeyId', 'Timestamp'],
  ['Timestamp', 'SignatureNonce', 'AccessKeyId'],
  ['AccessKeyId', 'Timestamp', 'SignatureNonce'],
] as const

const inBase64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')

/** Made from the right text in a wrong way. */
const WRONG_DIGESTS: Record<string, (text: string, secret: string) => string> = {
  'the digest itself in Base64': (text, secret) =>
    createHmac('sha1', secret).update(text).digest('base64'),
  'hexadecimal text without Base64': (text, secret) => hexDigest(text, secret),
  'upper-case hexadecimal text': (text, secret) => inBase64(hexDigest(text, secret).toUpperCase()),
  'HMAC-SHA256': (text, secret) =>
    inBase64(createHmac('sha256', secret).update(text).digest('hex')),
  'nothing at all': () => '',
}

/** Access, and the place of the signature (the service's documentation, Authentication 4 to 7). */
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
        probe.assert(sub.status === 403 || sub.status === 401, `a sub key is refused by status`, {
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

/** Observers of the open questions about authentication. */
export const AUTHENTICATION_OBSERVERS: Observers = {
  'nonce-reuse': async (probe) => {
    const nonce = probe.newNonce()
    const once = await probe.request({ path: '/coin', nonce })
    const twice = await probe.request({ path: '/coin', nonce })
    if (!isSuccess(once)) return null
    return isSuccess(twice) ? 'accept' : 'reject'
  },
  'signature-in-body': async (probe) => {
    const request = { method: 'POST', path: '/hl/traders/accounts', body: BATCH } as const
    if (!isSuccess(await probe.request(request))) return null
    const inside = await probe.request({ ...request, signedIn: 'body' })
    return isSuccess(inside) ? 'accept' : 'refuse'
  },
  'unknown-parameters': async (probe) => {
    if (!isSuccess(await probe.request({ path: '/hl/tickers' }))) return null
    const more = await probe.request({ path: '/hl/tickers', query: { notAParameter: 1 } })
    return isSuccess(more) ? 'ignore' : 'refuse'
  },
  'parameter-spelling': async (probe) => {
    const path = '/hl/whales/latest-events'
    if (!isSuccess(await probe.request({ path, query: { limit: 1 } }))) return null
    return isSuccess(await probe.request({ path, query: { take: 1 } })) ? 'accept' : 'refuse'
  },
}

/** Whom a batch is about does not matter. */
const BATCH = { addresses: [`0x${'0'.repeat(40)}`] }

/** Requirements of the contract on authentication. */
export const AUTHENTICATION_REQUIREMENTS: readonly Requirement[] = [
  ...requirementsOfSection('Authentication', {
    'auth.parameters':
      'Every request but registration carries four signature parameters in its query.',
    'auth.string': 'The text that is signed names key, nonce and timestamp in exactly this order.',
    'auth.digest': 'The signature is HMAC-SHA1 as hexadecimal text, that text in Base64.',
    'auth.onlyThree': 'Business parameters and bodies are not part of the signature.',
    'auth.window': 'A Timestamp is valid for 30 seconds.',
    'auth.sockets': 'A socket carries the same four parameters in the query of its connection.',
    'auth.distributor': "Distributor endpoints take the distributor's primary key and no sub key.",
    'auth.register': 'POST /distributor/register needs no signature.',
    'auth.permission': 'A missing permission is HTTP 403.',
  }),
]
