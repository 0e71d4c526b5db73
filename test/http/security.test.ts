/** Attacks: foreign web pages, file names that lead out, too many sockets. */
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { SignatureRefusalLog } from '../../src/sandbox/signature-diagnosis.ts'
import { CONTROL_OPERATIONS } from '../../src/server/control/operations.ts'
import { server } from '../../src/server/transport/elysia/server.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'
import { upgradeText } from '../fixtures/raw-socket.ts'
import { exchangeBytes, requestText, statusOf } from '../fixtures/raw-tcp.ts'
import { connectSocket, PREFIX, serve, serveRegistry } from '../fixtures/test-server.ts'

const { origin, control } = await serve()
const CONTROL = '/_control/sandboxes'

test('a page of another origin cannot use the control plane', async () => {
  const from = (Origin: string, Host = new URL(origin).host) =>
    exchangeBytes(origin, [requestText(`GET ${CONTROL}`, { Host, Origin })])
  expect(statusOf(await from('http://evil.example'))).toBe(403)
  expect(statusOf(await from(origin))).toBe(200)
  // Its own name, resolved to this machine by its own DNS: origin and host agree.
  const rebound = await from('http://evil.example:4010', 'evil.example:4010')
  expect(statusOf(rebound)).toBe(403)
  expect(rebound).toContain('127.0.0.1')
  for (const Host of ['', 'a b', '[', '127.0.0.1.evil.example', 'localhost:x'])
    expect([400, 403]).toContain(
      statusOf(await exchangeBytes(origin, [requestText(`GET ${CONTROL}`, { Host })])),
    )
  for (const Host of ['127.0.0.1', '[::1]', '127.0.0.9:4010'])
    expect(statusOf(await exchangeBytes(origin, [requestText(`GET ${CONTROL}`, { Host })]))).toBe(
      200,
    )
})

test('the contract is open to pages of any origin, the control plane is not', async () => {
  const ask = (path: string, method = 'OPTIONS') =>
    exchangeBytes(origin, [requestText(`${method} ${path}`, { Origin: 'http://page.example' })])
  const open = await ask(`${PREFIX}/hl/tickers`)
  expect(statusOf(open)).toBe(204)
  expect(open.toLowerCase()).toContain('access-control-allow-origin: *')
  for (const method of ['OPTIONS', 'GET', 'POST']) {
    const closed = await ask(CONTROL, method)
    expect(statusOf(closed)).toBeGreaterThanOrEqual(400)
    expect(closed.toLowerCase()).not.toContain('access-control-allow-methods')
  }
  const own = await exchangeBytes(origin, [requestText(`GET ${CONTROL}`)])
  expect(own.toLowerCase()).not.toContain('access-control-allow-origin')
  expect(own.toLowerCase()).toContain('x-content-type-options: nosniff')
})

test('only a token opens the control plane from anywhere', async () => {
  const { origin: at } = await serve({}, 'a token')
  const ask = (headers: Record<string, string>) =>
    exchangeBytes(at, [requestText(`GET ${CONTROL}`, { Host: 'box.example', ...headers })])
  expect(statusOf(await ask({}))).toBe(401)
  expect(statusOf(await ask({ Authorization: 'Bearer a tokem' }))).toBe(401)
  for (const scheme of ['Bearer', 'bearer', 'BEARER'])
    expect(statusOf(await ask({ Authorization: `${scheme} a token` }))).toBe(200)
})

test('a page of another site cannot make a GET of the control plane', async () => {
  const from = (site: string, path = CONTROL) =>
    exchangeBytes(origin, [requestText(`GET ${path}`, { 'Sec-Fetch-Site': site })])
  // As for an image; a page of another port of this machine is of the same site.
  for (const site of ['cross-site', 'same-site', 'anything'])
    expect(statusOf(await from(site))).toBe(403)
  for (const site of ['same-origin', 'none']) expect(statusOf(await from(site))).toBe(200)
  // These contain no data of a sandbox, and are open to all.
  expect(statusOf(await from('cross-site', '/_control/health'))).toBe(200)
})

test('a read-only guest sees everything but secrets, and changes nothing', async () => {
  for (const token of ['a token', null]) {
    const { origin: at, registry, control: ask } = await serve({}, token)
    const owner = token === null ? {} : { Authorization: `Bearer ${token}` }
    const { body } = await ask('GET', '/guest', undefined, owner)
    const guest = { Authorization: `Bearer ${(body as unknown as { token: string }).token}` }
    for (const { method, path, isForGuests, isOpen } of CONTROL_OPERATIONS) {
      const requested = path.replace(/:(\w+)/g, (_, name) => (name === 'id' ? 'default' : 'demo'))
      const reads = isForGuests ?? method === 'GET'
      const answer = await fetch(`${at}/_control${requested}`, { method, headers: guest })
      await answer.text()
      const { status } = answer
      expect([method, path, status === 403]).toEqual([method, path, !(reads || isOpen)])
    }
    expect(registry.list().map(({ id }) => id)).toEqual(['default'])
    const wrong = { Authorization: 'Bearer guest-0000' }
    const { status } = await ask('POST', '/sandboxes', {}, wrong)
    expect(status).toBe(token === null ? 200 : 401)
  }
  const secret = CONTROL_OPERATIONS.filter(({ isForGuests }) => isForGuests === false)
  expect(secret.map(({ id }) => id)).toEqual(['invite.list', 'snapshot.get'])
})

test('no name of a tape leads out of the recordings', async () => {
  const { registry } = await recordedRegistry()
  const { control: real } = await serveRegistry(registry)
  const names = ['../../etc/passwd', '/etc/passwd', '..', '', '.', 'default\u0000', '../default']
  for (const tape of names) {
    const { status, body } = await real('POST', '/sandboxes', { tape })
    expect([status, body.error]).toEqual([400, expect.stringContaining('there is no tape')])
    expect(body.error).not.toMatch(/root:|\/work|\/home/)
  }
  const [file = ''] = readdirSync('recordings').filter((one) => one.includes('.tape.'))
  expect((await real('POST', '/sandboxes', { tape: file })).status).toBe(200)
})

test('sockets beyond the server’s maximum are refused', async () => {
  const registry = (await serve()).registry
  const app = server({ registry, control: [], pages: new Map(), maxSockets: 2 }).listen(0)
  const at = `http://localhost:${app.server?.port}`
  const path = () => `${PREFIX}/hl/ws?${signed()}`
  const [first, second] = [connectSocket(at, path()), connectSocket(at, path())]
  expect([await first.opened, await second.opened]).toEqual([true, true])
  const third = await exchangeBytes(at, [upgradeText(path())])
  expect(statusOf(third)).toBe(503)
  expect(third).toContain('at most 2 sockets (serve --max-sockets)')
  first.socket.close()
  await first.closed
  expect(await connectSocket(at, path()).opened).toBe(true)
  await app.stop(true)
})

test('a name in a request cannot add lines to the log', async () => {
  const lines: string[] = []
  const { registry, origin: at } = await serve()
  Object.assign(registry, {
    log: new SignatureRefusalLog((line) => lines.push(line), registry.systemClock),
  })
  const query = new URLSearchParams({ AccessKeyId: 'x\ntapewright: all is well' })
  await fetch(`${at}${PREFIX}/hl/tickers?${query}&${signed().replace(/AccessKeyId=[^&]*&/, '')}`)
  while (registry.turns.waitingCount > 0) await new Promise(setImmediate)
  expect(lines).toHaveLength(1)
  expect(lines[0]).not.toContain('\n')
})

test('secrets are only in the answer that creates them', async () => {
  const created = await control('POST', '/sandboxes', { name: 'secret' })
  const { secretKey: secret } = created.body.keys.full
  for (const path of ['/sandboxes', '/sandboxes/secret', '/sandboxes/secret/keys']) {
    const { body } = await control('GET', path)
    expect(JSON.stringify(body)).not.toContain(secret)
  }
})
