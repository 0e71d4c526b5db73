/** Journal entries as programs and tests: the written ones are run. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { FrameEntry, RequestEntry } from '../../src/clients/control/records.ts'
import { perpdex } from '../../src/clients/service/contract/perpdex.ts'
import { hostClock } from '../../src/clock/system-clock.ts'
import { pythonSample, shellSample } from '../../src/conformance/samples/shell.ts'
import {
  clientProgram,
  replayRequest,
  saidOn,
  streamProgram,
} from '../../src/pages/console/journal/repeated-request.ts'
import { testOfEntries } from '../../src/pages/console/journal/test-of-entries.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { ROLES, recordedEntries } from '../fixtures/recorded-entries.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

const file = temporaryFolder()
const { registry } = await recordedRegistry({}, hostClock)
const { origin } = await serveRegistry(registry)
const entries = await recordedEntries(origin)
const [requested] = entries as [RequestEntry]
const env = { ...process.env, ACCESS_KEY: 'demo', SECRET_KEY: 'demo-secret' }
const run = async (command: string[], cwd?: string) => {
  const child = Bun.spawn(command, { env, stdout: 'pipe', stderr: 'pipe', ...(cwd ? { cwd } : {}) })
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { out, err, code: await child.exited }
}

test('a request is repeated by curl, by Python and by the client', async () => {
  const again = replayRequest(origin, requested)
  const python = file('again.py')
  writeFileSync(python, pythonSample(again))
  const program = clientProgram(origin, requested, (id) => perpdex[id.split('.')[1] as 'tickers'])
  expect(program).toContain(
    "await service.perpdex.topTrades({ query: { coin: 'BTC', interval: '1h', limit: 2 } })",
  )
  const typescript = file('again.ts')
  writeFileSync(typescript, withSources(program ?? ''))
  const [curl, written, called] = await Promise.all([
    run(['sh', '-c', shellSample(again)]),
    run(['python3', python]),
    run([process.execPath, typescript]),
  ])
  expect(curl.out).toStartWith('HTTP/1.1 200')
  expect(written.out).toStartWith('200 {"code":"0"')
  expect([called.err, called.out]).toEqual(['', expect.stringContaining('coin: "BTC"')])
})

/** With a long timeout: the runner's default of five seconds is short on a busy machine. */
const MADE = [process.execPath, 'test', '--timeout', '60000', './made.test.ts']

test('a part of the journal becomes a passing test, with its refusals and pushes', async () => {
  const origin = { roles: ROLES, scenarios: [], span: { startMs: 0, stopMs: 0 } }
  const written = testOfEntries('bun', entries, origin) ?? ''
  for (const status of [403, 401]) expect(written).toContain(`status: ${status}, code: `)
  expect(written).toContain("secretKey: 'wrong'")
  expect(written).toContain('ask(sandbox, sandbox.keys.bare,')
  expect(written).toContain("await socket1.until('l2Book')")
  writeFileSync(file('made.test.ts'), withSources(written))
  const { err, code } = await run(MADE, file('.'))
  expect([code, err]).toEqual([0, expect.stringContaining('1 pass')])
  const wrong = written.replace('status: 403', 'status: 200')
  writeFileSync(file('made.test.ts'), withSources(wrong))
  expect((await run(MADE, file('.'))).code).toBe(1)
  const playwright = testOfEntries('playwright', entries, origin) ?? ''
  for (const part of ["from 'tapewright/playwright'", "await import('ws')"])
    expect(playwright).toContain(part)
})

test('a part within a connection opens it and restores its subscriptions', async () => {
  const origin = { roles: ROLES, scenarios: [], span: { startMs: 0, stopMs: 0 } }
  const at = entries.findIndex((one) => one.kind === 'frame' && one.direction === 'out')
  const [earlier, pushes] = [entries.slice(0, at), entries.slice(at)]
  expect(testOfEntries('bun', pushes, origin)).toBe(null)
  const written = testOfEntries('bun', pushes, origin, earlier) ?? ''
  expect(written).not.toContain('await ask(')
  expect(written).toMatch(/await follow\(.*\n *socket\d+\.send\(.*\n *await socket\d+\.until\(/)
  writeFileSync(file('made.test.ts'), withSources(written))
  const { err, code } = await run(MADE, file('.'))
  expect([code, err]).toEqual([0, expect.stringContaining('1 pass')])
})

test('subscriptions are repeated; nothing of them becomes code', () => {
  const clientFrame = (seq: number, method: string, type: string) => {
    const text = JSON.stringify({ method, subscription: { type, coin: 'BTC' } })
    return { kind: 'frame', direction: 'in', connection: 1, seq, text } as FrameEntry
  }
  const logged = [
    clientFrame(1, 'subscribe', 'bbo'),
    clientFrame(2, 'unsubscribe', 'bbo'),
    clientFrame(3, 'subscribe', 'bbo'),
    clientFrame(4, 'subscribe', "x', process.exit())//"),
  ]
  expect(saidOn(logged, 1, 3)).toEqual([logged[0]?.text ?? ''])
  const program = streamProgram('http://x', saidOn(logged, 1)) ?? ''
  expect(program.match(/subscribe\(/g)).toHaveLength(2)
  expect(program).toContain("('x\\', process.exit())//', { coin: 'BTC' }")
})

test('repeated subscriptions receive their pushes', async () => {
  const [connection = 0] = entries.flatMap((one) => (one.kind === 'frame' ? one.connection : []))
  const frames = entries.filter((one): one is FrameEntry => one.kind === 'frame')
  const program = streamProgram(origin, saidOn(frames, connection)) ?? ''
  expect(program).toContain("service.subscribe('l2Book', { coin: 'BTC' }")
  const typescript = file('followed.ts')
  writeFileSync(typescript, withSources(program))
  const child = Bun.spawn([process.execPath, typescript], { env, stdout: 'pipe' })
  let received = ''
  for await (const bytes of child.stdout) {
    received += new TextDecoder().decode(bytes)
    if (received.includes('levels')) break
  }
  child.kill()
  expect(received).toContain('coin: "BTC"')
})

/** Uses the package's sources. */
const withSources = (text: string) =>
  text
    .replace("'tapewright/client'", `'${path.resolve('src/entries/client.ts')}'`)
    .replace("'tapewright'", `'${path.resolve('src/index.ts')}'`)
