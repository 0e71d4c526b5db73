/** Scenarios with lost or late responses, over a real port. */
import { expect } from 'bun:test'
import { client } from '../../src/clients/service/client.ts'
import type { ClientSettings } from '../../src/clients/service/settings.ts'
import { hostClock } from '../../src/clock/system-clock.ts'
import { tenantOf } from '../../src/sandbox/tenancy/tenant.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { library } from '../fixtures/feed-recorder.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { survives } from '../fixtures/survival.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

async function dialled(name: string, settings: Partial<ClientSettings>) {
  const { registry, sandbox } = await recordedRegistry({ scenarios: [library(name)] })
  const { origin } = await serveRegistry(registry)
  const sent: string[] = []
  const service = client({
    accessKey: 'demo',
    secretKey: 'demo-secret',
    baseUrl: origin,
    systemClock: fixedClock,
    send: (url, init) => {
      sent.push(url)
      return fetch(url, init)
    },
    ...settings,
  })
  return { service, sandbox, sent, origin }
}

/** Waits between attempts end at once; timeouts are not reached. */
const impatient = {
  ...fixedClock,
  startTimer: (delayMs: number, task: () => void) =>
    delayMs < 10_000 ? hostClock.runSoon(task) : hostClock.startTimer(delayMs, task),
}

/** A client whose waits between attempts end at once. */
const dropping = () => dialled('dropped-connections', { systemClock: impatient, retries: 9 })

survives('dropped-connections', dropping, {
  'a request without an': async () => {
    const { service, sandbox, sent } = await dropping()
    const query = { subType: 'macd:1:golden', symbol: 'btcswapusdt:binance' }
    const outcomes = []
    for (let turn = 0; turn < 6; turn++)
      outcomes.push(await service.signal.addAlert({ query }).catch(({ name }) => name))
    const failed = outcomes.filter((one) => one === 'ConnectionError')
    const { alerts } = tenantOf(sandbox, sandbox.keyOf('demo') ?? null)
    // The caller of a failed registration does not know its keys.
    expect([failed.length > 0, sent.length]).toEqual([true, 6])
    expect(alerts.list().length).toBeGreaterThan(outcomes.length - failed.length)
  },
  'repeat only requests that': async ({ service }) => {
    for (let turn = 0; turn < 12; turn++) expect(await service.perpdex.tickers()).not.toEqual([])
    const changing = await dropping()
    const outcomes = []
    for (let turn = 0; turn < 6; turn++)
      outcomes.push(
        await changing.service.signal.deleteAlert({ query: { id: 7 } }).catch(({ name }) => name),
      )
    expect(outcomes).toContain('ConnectionError')
    expect(changing.sent).toHaveLength(6)
  },
})

/** A client whose timeouts the test triggers. */
async function slowly() {
  const due: (() => void)[] = []
  const systemClock = {
    ...fixedClock,
    startTimer: (_: number, task: () => void) => {
      due.push(task)
      return () => due.splice(due.indexOf(task), 1)
    },
  }
  return { due, ...(await dialled('slow-server', { systemClock, retries: 3 })) }
}

survives('slow-server', slowly, {
  'set a timeout for': async ({ due, service, sent, sandbox, origin }) => {
    const late = service.perpdex.tickers({}, { timeoutMs: 500 }).catch((error) => error)
    while (sent.length === 0) await hostClock.yieldTurn()
    for (const fire of due) fire()
    expect(String(await late)).toContain('no answer within 500 ms')
    expect([sent.length, due.length]).toEqual([1, 0])
    const answered = service.perpdex.tickers()
    let isThere = false
    void answered.then(() => {
      isThere = true
    })
    // It has arrived by then: an earlier signature would have expired.
    while (sent.length === 1) await hostClock.yieldTurn()
    for (let turn = 0; turn < 5; turn++) await fetch(`${origin}/_control/health`)
    while (!isThere) {
      await sandbox.clock.advance(1000)
      await hostClock.yieldTurn()
    }
    expect((await answered).length).toBeGreaterThan(0)
  },
})
