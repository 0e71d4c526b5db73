/** Every common mistake is recognised; and no secret is ever shown. */
import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { type Credentials, credentials, stringToSign } from '../../src/contract/signature.ts'
import { explainRequest, type SignatureSteps } from '../../src/sandbox/pipeline/explanation.ts'
import { routeOf } from '../../src/sandbox/pipeline/operation-call.ts'
import { Registry } from '../../src/sandbox/registry.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import type { SandboxOptions } from '../../src/sandbox/sandbox-config.ts'
import { type ApiKey, newApiKey } from '../../src/sandbox/tenancy/api-key.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { fakeWorld } from '../fixtures/fake-market.ts'
import { fixedClock, fixedClockS } from '../fixtures/fixed-clock.ts'
import { PREFIX, serve } from '../fixtures/test-server.ts'

const SECRET = 'demo-secret'

const signed = (timestampS = fixedClockS()) =>
  credentials({ accessKey: 'demo', secretKey: SECRET, nonce: 'n 1/é', timestampS })
const hex = (text: string, secret = SECRET) => createHmac('sha1', secret).update(text).digest('hex')
const base64 = (text: string) => Buffer.from(text).toString('base64')
const with_ = (Signature: string): Credentials => ({ ...signed(), Signature })

const MISTAKES: Record<string, () => Partial<Credentials>> = {
  'missing-parameter': () => ({ ...signed(), SignatureNonce: '' }),
  'unknown-key': () => ({ ...signed(), AccessKeyId: 'nobody' }),
  'swapped-id-and-secret': () =>
    credentials({ accessKey: SECRET, secretKey: 'demo', nonce: 'n', timestampS: fixedClockS() }),
  milliseconds: () => signed(Math.floor(fixedClock.nowMs())),
  'clock-skew': () => signed(fixedClockS() + 300),
  expired: () => signed(fixedClockS() - 45),
  'timestamp-not-a-number': () => {
    const parts = { AccessKeyId: 'demo', SignatureNonce: 'n', Timestamp: 'now' }
    return { ...parts, Signature: base64(hex(stringToSign(parts))) }
  },
  'raw-digest': () =>
    with_(createHmac('sha1', SECRET).update(stringToSign(signed())).digest('base64')),
  'upper-case-hex': () => with_(base64(hex(stringToSign(signed())).toUpperCase())),
  'hex-without-base64': () => with_(hex(stringToSign(signed()))),
  'parameter-order': () => {
    const { AccessKeyId, SignatureNonce, Timestamp } = signed()
    const swapped = `SignatureNonce=${SignatureNonce}&AccessKeyId=${AccessKeyId}`
    const text = `${swapped}&Timestamp=${Timestamp}`
    return with_(base64(hex(text)))
  },
  'url-encoding': () => {
    const { AccessKeyId, SignatureNonce, Timestamp } = signed()
    const SignatureEncoded = encodeURIComponent(SignatureNonce)
    const parts = { AccessKeyId, SignatureNonce: SignatureEncoded, Timestamp }
    return with_(base64(hex(stringToSign(parts))))
  },
  'signed-extra-parameters': () => {
    const { AccessKeyId, SignatureNonce, Timestamp } = signed()
    const pairs = `AccessKeyId=${AccessKeyId}&SignatureNonce=${SignatureNonce}`
    return with_(base64(hex(`${pairs}&Timestamp=${Timestamp}&coin=BTC`)))
  },
  'wrong-key': () => with_(base64(hex(stringToSign(signed()), 'demo-sub-secret'))),
  'wrong-secret-or-string': () => with_(base64(hex(stringToSign(signed()), 'guess'))),
}

const SECRETS = ['demo-secret', 'demo-sub-secret', 'demo-bare-secret', 'demo-partner-secret']

async function loggingTransport(own: SandboxOptions = {}) {
  const lines: string[] = []
  const world = fakeWorld()
  const options = { clock: 'held' as const, ...own }
  const log = (line: string) => lines.push(line)
  const registry = new Registry(async () => world, ['HL_TICKERS'], options, fixedClock, log)
  await registry.open()
  const idle = async () => {
    while (registry.turns.waitingCount > 0) await new Promise(setImmediate)
  }
  return { lines, registry, transport: memoryTransport(registry), idle }
}

describe('a bad signature is explained', async () => {
  const { control } = await serve()
  for (const [mistake, make] of Object.entries(MISTAKES))
    test(mistake, async () => {
      const given = make()
      const query = new URLSearchParams({ coin: 'BTC', ...given })
      // The sent parameters come first, so that they differ from the signed ones.
      const ordered = new URLSearchParams([...query].sort(([a]) => (a === 'coin' ? 1 : -1)))
      for (const sent of [query, ordered]) {
        const url = `${PREFIX}/hl/tickers?${sent}`
        const { body } = await control('POST', '/explain', { url })
        const { signature, checks } = body as unknown as {
          signature: { mistake: string; stringToSign: string; steps: string[] }
          checks: { check: string; passed: boolean }[]
        }
        if (mistake === 'signed-extra-parameters' && sent === query) continue
        expect(signature.mistake).toBe(mistake)
        expect(checks.find(({ check }) => check === 'signature')?.passed).toBe(false)
        const text = JSON.stringify(body)
        if (mistake !== 'swapped-id-and-secret')
          for (const secret of SECRETS) expect(text).not.toContain(secret)
      }
      const { transport, lines, idle } = await loggingTransport()
      expect(transport.request('GET', `${PREFIX}/hl/tickers?${query}`).status).toBe(401)
      await idle()
      expect(lines).toHaveLength(1)
      expect(lines[0]).toStartWith('401 for key "')
    })
})

test('a good request passes every check, in the order of the pipeline', async () => {
  const { control, registry } = await serve()
  const fills = `${PREFIX}/hl/fills/0x00000000000000000000000000000000000000aa`
  const url = `http://anywhere${fills}?limit=5&`
  const request = { url: url + new URLSearchParams({ ...signed() }) }
  const { body } = await control('POST', '/explain', request)
  const { checks, operation, sandbox, signature } = body as unknown as {
    checks: { check: string; passed: boolean }[]
    operation: string
    sandbox: string
    signature: { mistake: null; stringToSign: string }
  }
  expect([operation, sandbox, signature.mistake]).toEqual([
    'perpdex.fillsOfAddress',
    'default',
    null,
  ])
  expect(checks.map(({ check, passed }) => [check, passed])).toEqual(
    ['route', 'sandbox', 'signature', 'permission', 'limits', 'parameters'].map((check) => [
      check,
      true,
    ]),
  )
  const { tenancy, clock } = registry.get('default') as NonNullable<ReturnType<Registry['get']>>
  expect(tenancy.usage.inMonth('demo', clock.nowMs())).toBe(0)
})

test('the expected signature itself is not shown', async () => {
  const { control } = await serve()
  const { Signature, ...rest } = signed()
  const url = `${PREFIX}/hl/tickers?${new URLSearchParams({ ...rest, Signature: 'x' })}`
  expect(JSON.stringify((await control('POST', '/explain', { url })).body)).not.toContain(Signature)
})

test('errors of path, method, permission and parameters are explained too', async () => {
  const { control } = await serve()
  const failed = async (body: object) => {
    const explained = await control('POST', '/explain', body)
    const { checks } = explained.body as unknown as {
      checks: { passed: boolean; detail: string }[]
    }
    return checks.filter(({ passed }) => !passed).map(({ detail }) => detail)
  }
  const bare = credentials({
    accessKey: 'demo-bare',
    secretKey: 'demo-bare-secret',
    nonce: 'n',
    timestampS: fixedClockS(),
  })
  expect(await failed({ url: '/none' })).toEqual(['Not Found'])
  expect(await failed({ url: `${PREFIX}/coin`, method: 'post' })).toEqual([
    'Method Not Allowed, use GET',
  ])
  expect(await failed({ url: `${PREFIX}/hl/tickers?${new URLSearchParams({ ...bare })}` })).toEqual(
    ['key "demo-bare" lacks HL_TICKERS'],
  )
  expect(
    await failed({ url: `${PREFIX}/coin/ticker?${new URLSearchParams({ ...signed() })}` }),
  ).toEqual(['missing required parameter: coin_list'])
  expect((await control('POST', '/explain', { url: 'http://[' })).status).toBe(400)
})

test('a flood of bad signatures makes a few lines of the log', async () => {
  const { transport, lines, idle } = await loggingTransport()
  for (let n = 0; n < 500; n++) transport.request('GET', `${PREFIX}/hl/tickers?AccessKeyId=x`)
  await idle()
  expect(lines.length).toBe(5)
})

test('the signing key is found among thousands, some at a time', async () => {
  const { control, registry } = await serve()
  const { tenancy, id } = registry.get('default') as Sandbox
  for (let n = 0; n < 4_000; n++)
    tenancy.addKey(newApiKey({ ...tenancy.newKeyPair(), kind: 'direct', name: 'k', createdMs: 0 }))
  const other = [...tenancy.keys.values()][100] as ApiKey
  const query = new URLSearchParams({
    ...with_(base64(hex(stringToSign(signed()), other.secretKey))),
  })
  const { body } = await control('POST', '/explain', { url: `${PREFIX}/hl/tickers?${query}` })
  const { mistake, explanation } = (body as unknown as { signature: SignatureSteps }).signature
  expect([mistake, explanation]).toEqual([
    'wrong-key',
    `it is signed with the secret of key "${other.accessKey}"`,
  ])
  const path = `${PREFIX}/hl/tickers`
  const guessed = `${new URLSearchParams({ ...MISTAKES['wrong-secret-or-string']?.() })}`
  const request = { method: 'GET', path, params: {}, query: guessed, body: '', sandbox: id }
  const work = explainRequest(registry, routeOf('GET', path), request)
  expect([...work].length).toBeGreaterThan(50)
})
