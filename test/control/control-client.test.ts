/** The typed client of the control plane, against a server. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { CALLS } from '../../src/clients/control/call-list.ts'
import { ControlError, control, type SandboxControl } from '../../src/clients/control/control.ts'
import type { SystemClock } from '../../src/clock/system-clock.ts'
import { CONTROL_OPERATIONS } from '../../src/server/control/operations.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { readOpenMetrics } from '../fixtures/open-metrics.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { scheduledRegistry } from '../fixtures/scheduled-market.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { connectSocket, PREFIX, serve, serveRegistry } from '../fixtures/test-server.ts'

async function served() {
  const { origin, registry } = await serveRegistry((await scheduledRegistry()).registry)
  const all = control(origin)
  const made = await all.sandboxes.create({ name: 'mine', clock: 'held' })
  return { origin, registry, all, made, mine: all.sandbox('mine') }
}

/** The refusal of a call that must not succeed. */
async function refusalOf(call: Promise<unknown>): Promise<ControlError> {
  const error = await call.catch((one: unknown) => one)
  if (error instanceof ControlError) return error
  throw new Error(`not refused, but ${error}`)
}

test('docs/control.md names a method of each call, and each exists', async () => {
  const { all, mine } = await served()
  const page = await Bun.file(path.join(PROJECT_FOLDER, 'docs', 'control.md')).text()
  const lines = page.split('\n').filter((line) => line.startsWith('TypeScript: '))
  expect(lines).toHaveLength(CONTROL_OPERATIONS.length)
  const roots: Record<string, unknown> = { control: all, sandbox: { control: mine } }
  for (const line of lines)
    for (const [, name = ''] of line.matchAll(/`([\w.]+)\(/g)) {
      const found = name.split('.').reduce<unknown>((of, part) => (of as never)?.[part], roots)
      expect([name, typeof found]).toEqual([name, 'function'])
    }
})

/** Calls that answer no more than they were given. */
async function askEverything(mine: SandboxControl): Promise<void> {
  await mine.await({ connections: 0 })
  await mine.cast()
  await mine.reconcile({ address: `0x${'0'.repeat(40)}`, identity: 'volumes' })
  await mine.reconcile({ coin: 'BTC', identity: 'book-order' })
  await mine.claims.make({ kind: 'stale', channel: 'l2Book', coin: 'BTC', stale: false })
  await mine.claims.list()
  await mine.coverage({ state: 'never' })
  await mine.bookmarks.set('begin')
  await mine.bookmarks.list()
  await mine.bookmarks.delete('begin')
  await mine.clock.set({ state: 'held' })
  await mine.clock.advance({ ms: 5_000 })
  await mine.playhead.set({ speed: 2 })
  await mine.playhead.step()
  await mine.playhead.marks()
  await mine.market.trigger({ kind: 'halt', coin: 'BTC', forS: 60 })
  await mine.market.events()
  await mine.playhead.run({ until: 'kind == trade' })
  await mine.invites.create({ name: 'a friend' })
  await mine.invites.list()
  const { accessKey } = await mine.keys.create({ kind: 'direct' })
  await mine.keys.change(accessKey, { limits: { monthlyQuota: 100 } })
  await mine.usage.set(accessKey, { remaining: 2 })
  await mine.keys.get(accessKey)
  await mine.keys.list()
  await mine.keys.delete(accessKey)
  await mine.scenario.set({ title: 'slow', rules: [{ on: { operation: '*' }, do: 'empty' }] })
  await mine.scenario.get()
  await mine.scenario.clear()
  await mine.journal.set({ on: true })
  await mine.journal.read()
  await mine.journal.count()
  await mine.connections.list()
  await mine.journal.clear()
  await mine.digest()
  await mine.snapshot.put(await mine.snapshot.get())
  await mine.get()
  await mine.reset()
}

test('every operation of the control plane is reached by its method', async () => {
  const { all, mine } = await served()
  await askEverything(mine)
  await mine.scenario.add({ title: 'slow', rules: [{ on: { operation: '*' }, do: 'empty' }] })
  await all.sandboxes.list()
  await all.health()
  await all.explain({ url: `${PREFIX}/hl/tickers` })
  await all.metrics()
  await all.guest.get()
  await all.scenarios.library()
  await all.story.list()
  await all.conformance.start({ only: ['authentication'] })
  await all.conformance.get()
  await all.conformance.stop()
  await mine.drop()
  const counted = readOpenMetrics(await all.metrics())
  const answered = CONTROL_OPERATIONS.filter(({ id }) =>
    counted.value('tapewright_control_requests_total', { operation: id, status: '200' }),
  )
  expect(answered.map(({ id }) => id)).toEqual(CONTROL_OPERATIONS.map(({ id }) => id))
  expect(CALLS.map(({ method, path }) => `${method} ${path}`)).toEqual(
    CONTROL_OPERATIONS.map(({ method, path }) => `${method} ${path}`),
  )
})

test('calls are bound to a sandbox, or take its id first', async () => {
  const { all, mine } = await served()
  await all.clock.advance('mine', { ms: 1_000 })
  const { clock } = await mine.clock.advance({ ms: 1_000 })
  expect((await all.sandboxes.get('mine')).clock.now).toBe(clock.now)
  expect(mine.id).toBe('mine')
})

test('names in a path may hold anything', async () => {
  const { all } = await served()
  const refusal = await refusalOf(all.keys.get('mine', 'a/b ?é'))
  expect([refusal.code, refusal.message]).toEqual([
    'not-found',
    expect.stringContaining('no key "a/b ?é"'),
  ])
  const empty = await refusalOf(all.keys.get('mine', ''))
  expect([empty.code, empty.message]).toEqual(['wrong-call', 'keys.get needs key, a text'])
})

test('a page has the cursor of the next one, and is a plain list', async () => {
  const { mine } = await served()
  const first = await mine.keys.list({ limit: 3 })
  const second = await mine.keys.list({ limit: 3, cursor: first.nextCursor ?? '' })
  expect([first.length, first.nextCursor, second.length, second.nextCursor]).toEqual([
    ...[3, expect.any(String), 1, null],
  ])
  expect(JSON.parse(JSON.stringify(first))).toStrictEqual([...first])
})

test('a refusal is an error with its status, a code and the remedy', async () => {
  const { all, mine } = await served()
  const refused = async (call: Promise<unknown>) => {
    const { name, status, code, message } = await refusalOf(call)
    return [name, status, code, message]
  }
  expect(await refused(mine.clock.advance({}))).toEqual([
    ...['ControlError', 400, 'wrong-call', 'give one of ms and to'],
  ])
  expect(await refused(all.sandbox('nobody').get())).toEqual([
    ...['ControlError', 404, 'not-found', 'no sandbox "nobody"; there are default, mine'],
  ])
  expect(await refused(mine.await({ connections: 1, timeoutMs: 0 }))).toEqual([
    ...['ControlError', 408, 'timeout', 'not within 0 ms: connections are 0'],
  ])
})

test('an await without a timeout ends by itself', async () => {
  // On this machine such a time passes at once, and no other does.
  const startTimer: SystemClock['startTimer'] = (delayMs, task) =>
    fixedClock.startTimer(delayMs === 4_000 ? 0 : delayMs, task)
  const { origin } = await serve({}, null, { ...fixedClock, startTimer })
  const { message } = await refusalOf(control(origin).await('default', { connections: 1 }))
  expect(message).toBe('not within 4000 ms: connections are 0')
})

test('a token is sent, and a missing one is reported', async () => {
  const { origin } = await serve({}, 'the-token')
  expect(await control(origin, { token: 'the-token' }).sandbox('default').cast()).toBeObject()
  const refusal = await refusalOf(control(origin).sandbox('default').cast())
  expect([refusal.code, refusal.status]).toEqual(['unauthorized', 401])
})

test('the address may be that of the control plane, and end with a slash', async () => {
  const { origin } = await served()
  for (const end of ['/', '/_control', '/_control/'])
    expect((await control(`${origin}${end}`).health()).live).toBe(true)
})

test('an address without a server, or with another one, is reported', async () => {
  using other = Bun.serve({ port: 0, fetch: () => new Response('<p>hello</p>') })
  const page = await refusalOf(control(other.url.href).health())
  expect([page.code, page.status]).toEqual(['unknown-answer', 200])
  expect(page.message).toEndWith('is no control plane of Tapewright: it answers 200 "<p>hello</p>"')
  const { origin } = other.url
  await other.stop(true)
  const unreachable = await refusalOf(control(origin).health())
  expect([unreachable.code, unreachable.status]).toEqual(['unreachable', null])
  expect(unreachable.message).toStartWith(`${origin} cannot be reached (`)
})

test('a call that is aborted rejects with the reason, and its answer is ignored', async () => {
  const { mine } = await served()
  const caller = new AbortController()
  const waiting = mine.await({ connections: 1, timeoutMs: 60_000 }, { signal: caller.signal })
  caller.abort(new Error('not wanted any more'))
  expect(await waiting.catch((error: Error) => error.message)).toBe('not wanted any more')
})

test('await answers when the sockets are there', async () => {
  const { origin, mine, made } = await served()
  const waiting = mine.await({ connections: 1 })
  const { socket } = connectSocket(origin, `${PREFIX}/hl/ws?${signedQuery(made.keys.full)}`)
  expect((await waiting).connections).toBe(1)
  socket.close()
})
