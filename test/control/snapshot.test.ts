/** A sandbox's state as a file: taken, restored, refused. */
import { expect, test } from 'bun:test'
import { parseSandboxState } from '../../src/sandbox/snapshot/sandbox-state.ts'
import { ADDRESS, signed } from '../fixtures/fake-market.ts'
import { connectSocket, PREFIX, serve } from '../fixtures/test-server.ts'

type Json = Record<string, unknown>
interface Names {
  accessKey: string
  secretKey: string
}

/** A server with a sandbox that has been used, and its snapshot. */
async function usedSandbox(options: Json = {}) {
  const { control, origin, registry } = await serve()
  const made = await control('POST', '/sandboxes', { name: 'first', ...options })
  const keys = made.body.keys as unknown as Record<'full' | 'partner' | 'sub', Names>
  const call = callerOf(origin, keys)
  const at = '/sandboxes/first'
  await control('POST', `${at}/keys`, { kind: 'direct', permissions: ['HL_TICKERS'] })
  const sub = { kind: 'sub', level: 'basic', limits: { ratePerMinute: 4 } }
  keys.sub = (await control('POST', `${at}/keys`, sub)).body as unknown as Names
  await call('first', 'partner', 'PUT', '/distributor/levels/gold', LEVEL)
  await call('first', 'partner', 'PUT', '/distributor/levels/basic', LEVEL)
  await call('first', 'sub', 'GET', '/hl/tickers')
  await call('first', 'full', 'POST', '/distributor/register', { invite_token: token(made.body) })
  registry.get('first')?.alerts.forKey(keys.full.accessKey).add(ALERT)
  await control('PUT', `${at}/playhead`, { speed: 3, at: 7_000, end: 'hold' })
  await control('PUT', `${at}/playhead/bookmarks/here`, {})
  await control('POST', `${at}/clock/advance`, { ms: 2_500 })
  const snapshot = (await control('GET', `${at}/snapshot`)).body as unknown as Json
  return { control, origin, registry, keys, call, snapshot }
}

const token = (made: unknown) => (made as { inviteToken: string }).inviteToken

const ALERT = { subType: 'a', symbol: 'btc:hl', remark: 'nine', shownMs: 5, price: '7' }

const LEVEL = {
  request_limits: { max_time_range: 60, max_request: 9, request_rate_limit: 100 },
  permissions: [{ resource_type: 'perpdex', actions: ['HL_TICKERS', 'HL_FILLS'] }],
}

/** Calls a sandbox with one of its keys; the response with everything on the wire. */
function callerOf(origin: string, keys: Record<string, Names>) {
  return async (id: string, who: string, method: string, path: string, body?: unknown) => {
    const { accessKey, secretKey: secret } = keys[who] as Names
    const url = `${origin}/s/${id}${PREFIX}${path}?${signed(accessKey, 0, secret)}`
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(url, { method, ...sent })
    return `${answer.status} ${answer.headers.get('date')} ${await answer.text()}`
  }
}

/** The next calls of a client and a test, with every byte that they receive. */
async function script(
  { control, origin, registry, keys, call }: UsedSandbox,
  id: string,
): Promise<string[]> {
  const received: string[] = []
  const ask = async (...args: [string, string, string, unknown?]) =>
    received.push(await call(id, ...args))
  const { accessKey, secretKey: secret } = keys.full
  const query = signed(accessKey, 0, secret)
  const { socket, opened, frames } = connectSocket(origin, `/s/${id}${PREFIX}/hl/ws?${query}`)
  await opened
  socket.send('{"method":"subscribe","subscription":{"type":"bbo","coin":"BTC"}}')
  received.push(JSON.stringify(await frames(2)))
  for (let turn = 0; turn < 5; turn++) await ask('sub', 'GET', '/hl/tickers')
  await control('POST', `/sandboxes/${id}/clock/advance`, { ms: 1_000 })
  received.push(JSON.stringify(await frames(3)))
  await ask('partner', 'GET', '/distributor/quota')
  await ask('partner', 'GET', '/distributor/levels')
  await ask('partner', 'GET', '/distributor/levels/gold')
  await ask('sub', 'GET', `/hl/fills/${ADDRESS}?limit=3`)
  const alerts = registry.get(id)?.alerts.forKey(accessKey)
  alerts?.add(ALERT)
  received.push(JSON.stringify(alerts?.list()))
  await ask('full', 'POST', '/distributor/register', { invite_token: 'first-invite' })
  const minted = await control('POST', `/sandboxes/${id}/keys`, { kind: 'direct' })
  const { keys: all } = (await control('GET', `/sandboxes/${id}/keys`)).body as unknown as Json
  received.push(JSON.stringify([minted.body, all]))
  await control('PUT', `/sandboxes/${id}/playhead`, { at: 'here' })
  const { body } = await control('GET', `/sandboxes/${id}`)
  received.push(JSON.stringify({ ...(body as unknown as Json), id: '', counts: null }))
  const invite = await control('POST', `/sandboxes/${id}/invites`, {})
  received.push(JSON.stringify(invite.body))
  socket.close()
  return received
}

type UsedSandbox = Awaited<ReturnType<typeof usedSandbox>>

test('a restored sandbox answers, byte for byte, as the original did from then on', async () => {
  const server = await usedSandbox()
  const copied = await server.control('POST', '/sandboxes', {
    name: 'second',
    snapshot: server.snapshot,
  })
  expect(copied.status).toBe(200)
  const first = await script(server, 'first')
  const second = await script(server, 'second')
  expect(first.join('\n')).toContain('429')
  expect(second).toEqual(first)
})

test('a snapshot replaces the state of a sandbox, and a reset returns to it', async () => {
  const server = await usedSandbox()
  const first = await script(server, 'first')
  const { status } = await server.control('PUT', '/sandboxes/first/snapshot', server.snapshot)
  expect(status).toBe(200)
  expect(await script(server, 'first')).toEqual(first)
  await server.control('POST', '/sandboxes/first/reset')
  expect(await script(server, 'first')).toEqual(first)
})

test('a snapshot of a restored sandbox is the same snapshot', async () => {
  const { control, snapshot } = await usedSandbox({ questions: { 'nonce-reuse': 'reject' } })
  await control('PUT', '/sandboxes/first/snapshot', snapshot)
  const again = (await control('GET', '/sandboxes/first/snapshot')).body as unknown as Json
  const withoutWallMs = ({ progress, ...rest }: Json) => {
    const { clock, ...where } = progress as { clock: Json }
    return { ...rest, progress: { ...where, clock: { ...clock, wallMs: 0 } } }
  }
  expect(withoutWallMs(again)).toEqual(withoutWallMs(snapshot))
  expect(JSON.stringify(snapshot.nonces)).toContain('/')
})

test('the names of a copy stay with their first owner', async () => {
  const { control, origin, snapshot, keys, registry } = await usedSandbox()
  await control('POST', '/sandboxes', { name: 'copy', snapshot })
  const url = `${origin}${PREFIX}/hl/tickers?${signed(keys.full.accessKey, 0, keys.full.secretKey)}`
  expect((await fetch(url)).status).toBe(200)
  const entries = (id: string) => registry.get(id)?.journal.newest
  expect([entries('first'), entries('copy')]).toEqual([6, 0])
})

test('an invalid snapshot, or one of another world, is refused and changes nothing', async () => {
  const { control, snapshot } = await usedSandbox()
  const before = await control('GET', '/sandboxes/first')
  const progress = snapshot.progress as { clock: Json }
  const keys = snapshot.keys as Json[]
  const cases: [unknown, string][] = [
    [{}, 'format must be'],
    [{ format: 'other', version: 1 }, 'format must be "tapewright-sandbox"'],
    [{ ...snapshot, version: 3, more: {} }, 'version 3, this program reads up to 2'],
    [{ ...snapshot, version: 0 }, 'version of the snapshot must be 2'],
    [
      { ...snapshot, version: 1, made: {} },
      'version of the snapshot must be 2: it was written by an older',
    ],
    [{ ...snapshot, more: 1 }, 'no field "more"'],
    [{ ...snapshot, keys: undefined }, 'keys'],
    [{ ...snapshot, keys: [{ ...keys[0], limits: 1 }] }, 'keys.0.limits'],
    [{ ...snapshot, keys: [{ ...keys[0], secret: 'x' }] }, 'keys.0.secret'],
    [
      { ...snapshot, progress: { ...progress, clock: { ...progress.clock, nowMs: -1 } } },
      'clock.nowMs',
    ],
    [{ ...snapshot, world: 'elsewhere/7' }, 'of world elsewhere/7, and this would be world'],
    [
      { ...snapshot, options: { ...(snapshot.options as Json), questions: { nonsense: 'x' } } },
      'nonsense',
    ],
  ]
  for (const [body, words] of cases) {
    const put = await control('PUT', '/sandboxes/first/snapshot', body)
    expect([put.status, put.body.error]).toEqual([400, expect.stringContaining(words)])
    const post = await control('POST', '/sandboxes', { name: 'made', snapshot: body })
    expect(post.status).toBe(400)
    expect(put.body.error).not.toContain(String(keys[0]?.secretKey))
  }
  const beside = await control('POST', '/sandboxes', { snapshot, speed: 2 })
  expect(beside.body.error).toBe(
    'speed is what the snapshot says; beside it only name, tape and seed are allowed',
  )
  expect((await control('GET', '/sandboxes/first')).body).toEqual(before.body)
  expect((await control('GET', '/sandboxes')).body as unknown).toHaveLength(2)
})

test('a sandbox that is dropped while a snapshot replaces it stays dropped', async () => {
  const { registry, snapshot } = await usedSandbox()
  const replacing = registry.replace('first', parseSandboxState(snapshot))
  registry.drop('first')
  expect(replacing).rejects.toThrow('sandbox "first" was dropped meanwhile')
  await replacing.catch(() => {})
  expect(registry.get('first')).toBeUndefined()
})
