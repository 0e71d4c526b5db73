/** `/_control/metrics`: the counters, in OpenMetrics. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { CONTROL_OPERATIONS } from '../../src/server/control/operations.ts'
import { ADDRESS, signed } from '../fixtures/fake-market.ts'
import { type MetricsPage, readOpenMetrics } from '../fixtures/open-metrics.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { exchangeBytes, requestText, statusOf } from '../fixtures/raw-tcp.ts'
import { connectSocket, PREFIX, serve } from '../fixtures/test-server.ts'

async function scrape(origin: string): Promise<MetricsPage> {
  const answer = await fetch(`${origin}/_control/metrics`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'application/openmetrics-text; version=1.0.0; charset=utf-8',
  ])
  return readOpenMetrics(await answer.text())
}

test('invalid OpenMetrics is recognised', () => {
  const head = '# HELP a_b B\n# TYPE a_b gauge\n'
  expect(readOpenMetrics(`${head}a_b 1\n# EOF\n`).value('a_b')).toBe(1)
  const wrong = [
    `${head}a_b 1\n`,
    'a_b 1\n# EOF\n',
    `${head}a_c 1\n# EOF\n`,
    `${head}a_b one\n# EOF\n`,
    `${head}a_b{x=y} 1\n# EOF\n`,
    `${head}a_b 1\na_b 2\n# EOF\n`,
    `${head}a_b 1\n\n# EOF\n`,
    `${head}a_b 1\n${head}# EOF\n`,
    `${head.replace('gauge', 'counter')}a_b 1\n# EOF\n`,
    `${head.replace('gauge', 'histogram')}a_b_bucket{le="1.0"} 1\na_b_count 1\n# EOF\n`,
  ]
  for (const page of wrong) expect(() => readOpenMetrics(page)).toThrow()
})

const ask = async (url: string, method = 'GET') => (await fetch(url, { method })).arrayBuffer()

test('requests are counted by operation and status, and timed', async () => {
  const { origin } = await serve()
  const tickers = `${origin}${PREFIX}/hl/tickers`
  for (let count = 0; count < 3; count++) await ask(`${tickers}?${signed()}`)
  await ask(`${tickers}?${signed('demo', 99)}`)
  await ask(`${tickers}?${signed()}`, 'HEAD')
  await ask(`${origin}/nothing/here`)
  const page = await scrape(origin)
  const requests = 'tapewright_requests_total'
  expect(page.value(requests, { operation: 'perpdex.tickers', status: '200' })).toBe(4)
  expect(page.value(requests, { operation: 'perpdex.tickers', status: '401' })).toBe(1)
  expect(page.value(requests, { operation: 'none', status: '404' })).toBe(1)
  const duration = 'tapewright_request_duration_seconds'
  expect(page.value(`${duration}_count`, { operation: 'perpdex.tickers' })).toBe(5)
  expect(page.value(`${duration}_sum`, { operation: 'perpdex.tickers' })).toBeGreaterThan(0)
})

test('control calls are counted separately', async () => {
  const { origin, control } = await serve()
  await control('GET', '/sandboxes')
  await control('GET', '/sandboxes/nobody')
  const page = await scrape(origin)
  const calls = 'tapewright_control_requests_total'
  expect(page.value(calls, { operation: 'sandbox.list', status: '200' })).toBe(1)
  expect(page.value(calls, { operation: 'sandbox.get', status: '404' })).toBe(1)
  expect([...page.types.keys()]).toContain('tapewright_requests')
  expect((await scrape(origin)).value(calls, { operation: 'metrics', status: '200' })).toBe(1)
})

test('sockets, subscriptions and frames are counted', async () => {
  const { origin, control } = await serve()
  const { socket, opened, frames } = connectSocket(origin, `${PREFIX}/hl/ws?${signed()}`)
  await opened
  socket.send('{"method":"subscribe","subscription":{"type":"bbo","coin":"BTC"}}')
  await frames(2)
  await control('POST', '/sandboxes/default/clock/advance', { ms: 3_000 })
  await frames(3)
  const page = await scrape(origin)
  expect(page.value('tapewright_sockets')).toBe(1)
  expect(page.value('tapewright_subscriptions')).toBe(1)
  expect(page.value('tapewright_frames_received_total')).toBe(1)
  expect(page.value('tapewright_frames_sent_total')).toBe(5)
  expect(page.value('tapewright_queued_frames')).toBe(0)
  const upgrades = { operation: 'websocket', status: '101' }
  expect(page.value('tapewright_requests_total', upgrades)).toBe(1)
  socket.close()
  await control('POST', '/sandboxes/default/reset')
  const after = await scrape(origin)
  expect(after.value('tapewright_sockets')).toBe(0)
  // Counters never decrease: a collector would take a smaller value for a new process.
  expect(after.value('tapewright_frames_sent_total')).toBe(5)
})

test('sandboxes and their journals are counted together while they exist', async () => {
  const { origin, control } = await serve()
  const before = await scrape(origin)
  const { body } = await control('POST', '/sandboxes', { name: 'second' })
  const { accessKey, secretKey } = body.keys.full
  await ask(`${origin}${PREFIX}/hl/tickers?${signed(accessKey, 0, secretKey)}`)
  const during = await scrape(origin)
  expect(during.value('tapewright_sandboxes')).toBe(2)
  expect(during.value('tapewright_journal_entries')).toBe(1)
  expect(during.value('tapewright_journal_bytes')).toBeGreaterThan(100)
  await control('DELETE', '/sandboxes/second')
  const after = await scrape(origin)
  for (const name of ['sandboxes', 'journal_entries', 'journal_bytes'])
    expect(after.value(`tapewright_${name}`)).toBe(before.value(`tapewright_${name}`) as number)
})

test('the largest lag of a playhead is shown', async () => {
  const { origin, registry } = await serve({ speed: 10 })
  await registry.create({ name: 'another' })
  expect((await scrape(origin)).value('tapewright_playhead_lag_seconds')).toBe(0)
  const { playhead, clock } = registry.get('another') as Sandbox
  playhead.waitAt(clock.nowMs(), playhead.travelledAt(clock.nowMs()))
  await clock.advance(1_500)
  expect((await scrape(origin)).value('tapewright_playhead_lag_seconds')).toBe(1.5)
})

test('labels are from fixed lists, whatever the request', async () => {
  const { origin, control } = await serve()
  await control('POST', '/sandboxes', { name: 'somebody' })
  const paths = [ADDRESS, 'a"b', 'x'.repeat(500), 'demo-secret', '%00', 'somebody']
  for (const path of paths) {
    await ask(`${origin}${PREFIX}/hl/fills/${path}?${signed()}`)
    await ask(`${origin}/${path}?${signed()}`)
    await ask(`${origin}/s/somebody/${path}?${signed()}`)
    await ask(`${origin}/_control/sandboxes/${path}`, 'POST')
  }
  const { samples } = await scrape(origin)
  const known = new Set([...OPERATIONS, ...CONTROL_OPERATIONS].map(({ id }) => id))
  for (const { operation = 'none', status = '200', le: _, ...rest } of samples.map(
    ({ labels }) => labels,
  )) {
    expect(rest).toEqual({})
    expect(operation === 'none' || operation === 'websocket' || known.has(operation)).toBe(true)
    expect(status).toMatch(/^[1-5]\d\d$/)
  }
})

test('no key, secret, token, address or name of a sandbox is in it', async () => {
  const { origin, control } = await serve()
  const { body } = await control('POST', '/sandboxes', { name: 'acme' })
  const { accessKey, secretKey } = body.keys.full
  await ask(`${origin}${PREFIX}/hl/fills/${ADDRESS}?${signed(accessKey, 0, secretKey)}`)
  await ask(`${origin}${PREFIX}/hl/tickers?${signed()}`)
  const text = await (await fetch(`${origin}/_control/metrics`)).text()
  for (const secret of [accessKey, secretKey, 'demo', 'acme', ADDRESS, 'Signature'])
    expect(text).not.toContain(secret)
})

test('it needs no token where other calls do, and supports HEAD', async () => {
  const { origin } = await serve({}, 'a token')
  const status = async (request: string) =>
    statusOf(await exchangeBytes(origin, [requestText(request, { Host: 'box.example' })]))
  expect(await status('GET /_control/metrics')).toBe(200)
  expect(await status('GET /_control/health')).toBe(200)
  expect(await status('GET /_control/sandboxes')).toBe(401)
  for (const path of ['metrics', 'health']) {
    const head = await fetch(`${origin}/_control/${path}`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  }
})

test('the process is measured under the standard names', async () => {
  const page = await scrape((await serve()).origin)
  const names = ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'process_heap_bytes']
  for (const name of names) expect(page.value(name)).toBeGreaterThan(0)
  if (process.platform !== 'linux') return
  expect(page.value('process_open_fds')).toBeGreaterThan(2)
  expect(page.value('process_max_fds')).toBeGreaterThan(page.value('process_open_fds') ?? 0)
})

test('every metric is in the documentation with its type', async () => {
  const { origin, registry } = await serve()
  registry.metrics.eventLoop.start()
  await ask(`${origin}${PREFIX}/hl/tickers?${signed()}`)
  const { types } = await scrape(origin)
  registry.metrics.eventLoop.stop()
  const page = await Bun.file(path.join(PROJECT_FOLDER, 'docs/monitoring.md')).text()
  const [, table = ''] = page.split(/<!-- \/?metrics -->\n/)
  const documented = new Map(
    [...table.matchAll(/^\| `(\w+?)(?:_total)?` \| (\w+) \|/gm)].map(([, name, type]) => [
      name,
      type,
    ]),
  )
  for (const [name, type] of types) expect([name, documented.get(name)]).toEqual([name, type])
})
