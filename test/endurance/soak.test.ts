/** Rounds of churning against a real server leave nothing behind. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ServerProcess } from '../../bench/soak/server-process.ts'
import { Soaking } from '../../bench/soak/soaking.ts'
import { hostClock } from '../../src/clock/system-clock.ts'
import { shortTapeCast } from '../fixtures/short-tape.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const ROUNDS = 3
const ACTS = 120

const file = temporaryFolder()
let server: ServerProcess

beforeAll(async () => {
  const tape = file('short.tape.ndjson')
  await shortTapeCast(tape, file('cache'))
  server = await ServerProcess.start(['--tape', tape, '--end', 'hold'], {
    TAPEWRIGHT_CACHE: file('cache'),
  })
})
afterAll(() => server.kill())

/** One of each sandbox and each socket. */
const CLASSES = [
  'Sandbox',
  'Journal',
  'Tenancy',
  'SessionClock',
  'Playhead',
  'Session',
  'SendQueue',
]

/** The collector is conservative: it takes values on the stack for references. */
const UNCERTAIN = 2
/** A timer of the server may release objects later; leaks never are released. */
const LOOKS = 40

test('sandboxes, sockets, handles and live objects are as many as before', async () => {
  // Stays, so that there is one of each class at least.
  const socket = await openSocket()
  const soaking = new Soaking(server)
  await soaking.round('first', ACTS)
  await marketsClosed()
  const before = await soaking.round('before', 0)
  const alive = await server.instances()
  for (let round = 0; round < ROUNDS; round++) await soaking.round(round, ACTS)
  const { sandboxes, sockets } = soaking.counts
  expect(sandboxes).toBeGreaterThan(10 * UNCERTAIN)
  expect(sockets).toBeGreaterThan(10 * UNCERTAIN)
  await soaking.round('last', ACTS)
  await marketsClosed()
  let after = await soaking.round('after', 0)
  // A market that was read ahead is released when that ends.
  for (let look = 0; look < LOOKS && after.handles > before.handles; look++) {
    await Bun.sleep(500)
    after = await soaking.round(`after ${look}`, 0)
  }
  expect(after).toMatchObject({ sandboxes: 1, connections: 1 })
  expect(after.handles).toBeLessThanOrEqual(before.handles)
  let left = await excess(alive)
  for (let look = 0; look < LOOKS && left.some(({ more }) => more > UNCERTAIN); look++) {
    await Bun.sleep(500)
    left = await excess(alive)
  }
  expect(left.filter(({ more }) => more > UNCERTAIN)).toEqual([])
  expect(left.filter(({ is }) => is === 0)).toEqual([])
  expect(server.trouble).toBe(null)
  socket.close()
})

/** Instances of each class, and the difference to before. */
async function excess(alive: Record<string, number>) {
  const left = await server.instances()
  return CLASSES.map((name) => ({
    name,
    is: left[name] ?? 0,
    more: (left[name] ?? 0) - (alive[name] ?? 0),
  }))
}

/** Grown markets keep files open until they have had no user for a minute. */
async function marketsClosed(): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`${server.origin}/_control/metrics`)).text()
    if (/^tapewright_lines(\{[^}]*\})? [1-9]/m.test(metrics) === false) return
    await Bun.sleep(500)
  }
}

async function openSocket(): Promise<WebSocket> {
  const signature = signedQuery({ accessKey: 'demo' }, hostClock)
  const url = `${server.origin}/api/upgrade/v2/hl/ws?${signature}`.replace('http', 'ws')
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = new WebSocket(url)
  socket.onopen = () => resolve()
  socket.onerror = () => reject(new Error('no socket'))
  await promise
  return socket
}
