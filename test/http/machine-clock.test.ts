/** The machine's clock changes while a server runs: new signatures are valid at once. */
import { expect, test } from 'bun:test'
import { SIGNED_BEHIND_MS } from '../../src/clock/signature-second.ts'
import { hostClock, type SystemClock } from '../../src/clock/system-clock.ts'
import type { SandboxOptions } from '../../src/sandbox/sandbox-config.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { connectSocket, PREFIX, serve } from '../fixtures/test-server.ts'

const HOUR_MS = 3_600_000
const CLOCK = '/sandboxes/default/clock'

/** A machine whose wall time the test sets; waiting for the next second makes it the next one. */
function settableMachine() {
  let wallMs = Date.UTC(2026, 2, 4, 10, 20, 30, 500)
  const systemClock: SystemClock = {
    ...hostClock,
    nowMs: () => wallMs,
    startTimer(delayMs, task) {
      if (delayMs !== 1000 - ((wallMs - SIGNED_BEHIND_MS) % 1000))
        return hostClock.startTimer(delayMs, task)
      wallMs += delayMs + 0.25
      return hostClock.runSoon(task)
    },
  }
  const pass = (ms: number) => {
    wallMs += ms
  }
  return { systemClock, pass }
}

async function serveOn(options: SandboxOptions) {
  const machine = settableMachine()
  const { origin, control } = await serve(options, null, machine.systemClock)
  const url = () => {
    const query = signedQuery({ accessKey: 'demo' }, machine.systemClock)
    return `${origin}${PREFIX}/hl/tickers?${query}`
  }
  const statusOf = async (at: string) => (await fetch(at)).status
  return { ...machine, origin, control, url, statusOf }
}

for (const clock of ['held', 'running'] as const)
  test(`a signature of the machine’s new time is fresh by a ${clock} clock`, async () => {
    const { control, url, statusOf, pass } = await serveOn({ clock })
    for (const setByMs of [-HOUR_MS, 24 * HOUR_MS, 300 - 24 * HOUR_MS, 7 * HOUR_MS]) {
      const before = url()
      pass(setByMs)
      expect([setByMs, await statusOf(url())]).toEqual([setByMs, 200])
      // A signature of a future time cannot be distinguished from a forged one.
      if (setByMs === -HOUR_MS) expect(await statusOf(before)).toBe(401)
      const aged = url()
      const { status, body } = await control('POST', `${CLOCK}/advance`, { ms: 40_000 })
      expect([status, body]).toEqual([200, expect.objectContaining({ id: 'default' })])
      expect([setByMs, await statusOf(aged), await statusOf(url())]).toEqual([setByMs, 401, 200])
    }
  })

test('a held clock ages no signature after the machine was set back either', async () => {
  const { url, statusOf, pass } = await serveOn({ clock: 'held' })
  pass(-HOUR_MS)
  expect(await statusOf(url())).toBe(200)
  const signed = url()
  pass(40_000)
  expect(await statusOf(signed)).toBe(200)
})

test('a session continues: neither its pushes nor its idle rule jump', async () => {
  const { origin, control, systemClock, pass } = await serveOn({ clock: 'held' })
  const query = signedQuery({ accessKey: 'demo' }, systemClock)
  const { socket, frames, closed, opened } = connectSocket(origin, `${PREFIX}/hl/ws?${query}`)
  await opened
  socket.send('{"method":"subscribe","subscription":{"type":"bbo","coin":"BTC"}}')
  await frames(2)
  for (const setByMs of [-HOUR_MS, 48 * HOUR_MS, -HOUR_MS]) {
    pass(setByMs)
    await control('POST', `${CLOCK}/advance`, { ms: 1000 })
    expect((await frames(1))[0]).toMatchObject({ channel: 'bbo' })
  }
  const journal = await control('GET', '/sandboxes/default/journal?limit=1000')
  const { entries } = journal.body as unknown as { entries: { seq: number; at: number }[] }
  const times = entries.map(({ at }) => at)
  expect(times).toEqual([...times].sort((a, b) => a - b))
  await control('POST', `${CLOCK}/advance`, { ms: 60_000 })
  expect(await closed).toBe(1006)
})
