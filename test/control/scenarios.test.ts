/** Scenarios by control call, in the journal, over a real network, and beyond a restart. */
import { expect, test } from 'bun:test'
import { hostClock } from '../../src/clock/system-clock.ts'
import { sandboxStateOf } from '../../src/sandbox/snapshot/state-parts.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { fakeRegistry, signed } from '../fixtures/fake-market.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { pause } from '../fixtures/pause.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { connectSocket, PREFIX, serve } from '../fixtures/test-server.ts'

const AT = '/sandboxes/default/scenario'
const SLOW = { title: 'Late', rules: [{ name: 'late', do: { delay: { ms: 500 } } }] }
const DEMO = { accessKey: 'demo' }

/** Waits until a request for tickers is in the journal, which is before its delay. */
async function arrived(control: Awaited<ReturnType<typeof serve>>['control']): Promise<void> {
  const journal = '/sandboxes/default/journal/count?operation=perpdex.tickers'
  const count = async () =>
    ((await control('GET', journal)).body as unknown as { count: number }).count
  while ((await count()) === 0) await pause()
}

test('a scenario is activated, stacked, shown and removed', async () => {
  const { control, origin } = await serve()
  const tickers = async () =>
    (await fetch(`${origin}${PREFIX}/hl/tickers?${signedQuery(DEMO)}`)).status
  const put = (body: object, method = 'PUT') => control(method, AT, body)
  const names = async () => {
    const { body } = await control('GET', AT)
    return (body as unknown as Shown).scenarios.map(({ name }) => name)
  }
  const away = { do: { refuse: { status: 503, body: 'away' } } }
  const mine = { name: 'mine', title: 'Away', rules: [away] }
  expect((await put(mine)).status).toBe(200)
  expect([await tickers(), await names()]).toEqual([503, ['mine']])
  await put({ title: 'More', rules: [] }, 'POST')
  expect(await names()).toEqual(['mine', 'inline'])
  const { body } = await control('GET', '/sandboxes/default')
  expect(body).toMatchObject({ scenarios: ['mine', 'inline'] })
  expect((await control('DELETE', `${AT}?name=nobody`)).status).toBe(404)
  await control('DELETE', `${AT}?name=mine`)
  expect([await tickers(), await names()]).toEqual([200, ['inline']])
  await control('DELETE', AT)
  expect(await names()).toEqual([])
})

interface Shown {
  scenarios: { name: string }[]
}

test('an invalid one changes nothing, and its error has the place', async () => {
  const { control } = await serve()
  await control('PUT', AT, SLOW)
  const malformed = await control('PUT', AT, {
    title: 'Malformed',
    rules: [{ do: { delay: { ms: -1 } } }],
  })
  expect([malformed.status, malformed.body.error]).toEqual([
    400,
    expect.stringContaining('scenario: rules.0.do.delay.ms'),
  ])
  const unknown = await control('PUT', AT, { name: '../calm' })
  expect([unknown.status, unknown.body.error]).toEqual([
    400,
    expect.stringContaining('there is no scenario "../calm"'),
  ])
  const made = await control('POST', '/sandboxes', { scenario: { title: 'Malformed', rules: 7 } })
  expect([made.status, made.body.error]).toEqual([400, expect.stringContaining('rules')])
  expect((await control('GET', AT)).body).toMatchObject({ scenarios: [{ title: 'Late' }] })
})

test('a sandbox can be created with one, which affects no other', async () => {
  const { control, origin } = await serve()
  const rules = [{ name: 'shut', do: { refuse: { as: 'permission', subject: 'HL_TICKERS' } } }]
  const made = await control('POST', '/sandboxes', { scenario: { title: 'Shut', rules } })
  const ask = async (key: object) => {
    const answer = await fetch(`${origin}${PREFIX}/hl/tickers?${signedQuery(key as typeof DEMO)}`)
    return [answer.status, ((await answer.json()) as { msg: string }).msg]
  }
  expect(await ask(made.body.keys.full)).toEqual([403, 'Permission denied: HL_TICKERS'])
  expect(await ask(DEMO)).toEqual([200, 'success'])
})

test('the journal names the rule that acted', async () => {
  const { control, origin, registry } = await serve()
  await control('PUT', AT, {
    title: 'Two',
    rules: [
      { name: 'late', on: { operation: '*' }, do: { delay: { ms: 1 } } },
      { name: 'silent', on: { channel: 'bbo' }, do: 'silence' },
    ],
  })
  const sent = fetch(`${origin}${PREFIX}/hl/tickers?${signedQuery(DEMO)}`)
  const client = connectSocket(origin, `${PREFIX}/hl/ws?${signedQuery(DEMO)}`)
  await client.opened
  client.socket.send('{"method":"subscribe","subscription":{"type":"bbo","coin":"BTC"}}')
  await client.frames(1)
  await arrived(control)
  await registry.get('default')?.clock.advance(1_000)
  await sent
  const rules = async (rule: string) => {
    const { body } = await control('GET', `/sandboxes/default/journal?rule=${rule}`)
    return (body as unknown as { entries: { kind: string; subject?: string }[] }).entries
  }
  expect((await rules('late')).map(({ kind }) => kind)).toEqual(['request'])
  const [silent] = await rules('silent')
  expect([silent?.kind, silent?.subject]).toEqual(['socket', 'bbo: 1 push became 0'])
})

test('delays run on the session clock, and connections are lost where they should be', async () => {
  const { control, origin, registry } = await serve()
  const sandbox = registry.get('default') as NonNullable<ReturnType<typeof registry.get>>
  const url = () => `${origin}${PREFIX}/hl/tickers?${signedQuery(DEMO)}`
  await control('PUT', AT, SLOW)
  let isHere = false
  const late = fetch(url()).then((answer) => {
    isHere = true
    return answer.status
  })
  await arrived(control)
  await sandbox.clock.advance(499)
  expect(isHere).toBe(false)
  await sandbox.clock.advance(1)
  expect(await late).toBe(200)

  const lost = async (where: string) => {
    await control('PUT', AT, { title: 'Lost', rules: [{ do: { drop: { where } } }] })
    const answer = await fetch(url()).catch(() => null)
    return [answer?.status ?? null, (await answer?.text().catch(() => null)) ?? null]
  }
  expect(await lost('before')).toEqual([null, null])
  expect(await lost('middle')).toEqual([200, null])
  expect(await lost('after')).toEqual([200, expect.stringContaining('"code":"0"')])

  await control('PUT', AT, { title: 'Slow', rules: [{ do: { throttle: { bytesPerSecond: 10 } } }] })
  const throttled = await fetch(url())
  let isWhole = false
  const full = throttled.text().finally(() => {
    isWhole = true
  })
  while (!isWhole) {
    await sandbox.clock.advance(1_000)
    await hostClock.yieldTurn()
  }
  expect(JSON.parse(await full).code).toBe('0')
})

test('an upgrade waits by the session clock, and a refused one has its Date', async () => {
  const { control, origin, registry } = await serve()
  const sandbox = registry.get('default') as NonNullable<ReturnType<typeof registry.get>>
  const on = { channel: '*' }
  await control('PUT', AT, { title: 'Late', rules: [{ on, do: { delay: { ms: 500 } } }] })
  const client = connectSocket(origin, `${PREFIX}/hl/ws?${signedQuery(DEMO)}`)
  let isOpen = false
  const opened = client.opened.then((is) => {
    isOpen = is
  })
  const acted = () => sandbox.faultInjection.activeScenarios[0]?.rules[0]?.actionCount ?? 0
  while (acted() === 0) await hostClock.yieldTurn()
  await sandbox.clock.advance(499)
  expect(isOpen).toBe(false)
  await sandbox.clock.advance(1)
  await opened
  expect(isOpen).toBe(true)
  await control('PUT', AT, { title: 'Ahead', rules: [{ do: { 'clock-skew': { s: 45 } } }] })
  const refused = await fetch(`${origin}${PREFIX}/hl/ws?${signedQuery(DEMO)}`)
  const ahead = new Date(fixedClock.nowMs() + 45_000).toUTCString()
  expect([refused.status, refused.headers.get('date')]).toEqual([401, ahead])
})

test('scenarios are in a snapshot, and continue from there', async () => {
  const registry = await fakeRegistry({ epoch: 'tape' })
  const sandbox = registry.get('default') as NonNullable<ReturnType<typeof registry.get>>
  const { parseScenario } = await import('../../src/sandbox/scenario/scenario-parser.ts')
  const shut = { name: 'shut', from: '20s', do: { refuse: { as: 'quota' } } }
  sandbox.faultInjection.add(parseScenario({ title: 'Shut later', rules: [shut] }, 'mine'))
  await sandbox.clock.advance(15_000)
  const copy = await registry.copy(sandboxStateOf(sandbox), { name: 'copy' })
  const ask = () =>
    memoryTransport(registry).request('GET', `/s/copy${PREFIX}/hl/tickers?${signed('demo', -1)}`)
      .status
  expect(ask()).toBe(200)
  await copy.clock.advance(5_000)
  expect(ask()).toBe(429)
  copy.reset()
  expect(copy.faultInjection.activeScenarios.map(({ scenario }) => scenario.name)).toEqual(['mine'])
})
