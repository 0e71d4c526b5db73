/** The guarantees of rules in any scenario: in a separate sandbox, with its own keys. */
import { expect, test } from 'bun:test'
import { magicCoin } from '../../../src/sandbox/fault-injection.ts'
import { putScenario } from '../../../src/sandbox/market-events/scenario-coins.ts'
import { parseScenario, parseScenarioYaml } from '../../../src/sandbox/scenario/scenario-parser.ts'
import { sandboxStateOf } from '../../../src/sandbox/snapshot/state-parts.ts'
import { controlCaller } from '../../fixtures/control-caller.ts'
import { json, marketUnder, receivedFrames, statuses } from './scenario-market.ts'

const TICKERS = '/hl/tickers'
const rules = (...given: object[]) => parseScenario({ title: 'Mine', rules: given }, 'mine')

test('an upgrade that is delayed waits, by the session clock', async () => {
  const late = { name: 'late', on: { channel: '*' }, do: { delay: { ms: 500 } } }
  const { socket, advance, sandbox } = await marketUnder(rules(late))
  const client = socket({ type: 'bbo', coin: 'BTC' })
  await advance(499)
  expect(client.frames).toEqual([])
  await advance(1)
  expect(receivedFrames(client)[0]?.channel).toBe('subscriptionResponse')
  const named = [...sandbox.journal.after(0)].filter(({ rule }) => rule === 'late')
  expect(named.map(({ kind }) => kind)).toEqual(['socket'])
})

test('held-back pushes are released when a rule is removed, and when it ends', async () => {
  const on = { channel: 'l2Book' }
  const held = { name: 'held', on, for: '20s', do: { burst: { size: 10_000 } } }
  const books = { type: 'l2Book', coin: 'BTC' }
  const plain = await marketUnder(null)
  const reference = plain.socket(books)
  await plain.advance(20_000)
  const all = receivedFrames(reference, 'l2Book')
  for (const end of ['removed', 'over']) {
    const { socket, advance, sandbox } = await marketUnder(rules(held))
    const client = socket(books)
    await advance(19_999)
    expect(receivedFrames(client, 'l2Book')).toEqual([])
    if (end === 'removed') sandbox.faultInjection.remove()
    await advance(1)
    expect(receivedFrames(client, 'l2Book')).toEqual(all)
  }
})

test('a snapshot keeps the counters of rules, and the state of their random sources', async () => {
  const away = { refuse: { status: 503, body: 'away' } }
  const scenario = rules(
    { name: 'third', on: { operation: '*', everyNth: 3 }, do: away },
    { name: 'once', on: { operation: '*' }, times: 2, do: { status: { status: 299 } } },
    { name: 'chance', on: { operation: '*', probability: 0.5 }, do: { status: { status: 298 } } },
  )
  const { registry, sandbox, ask } = await marketUnder(scenario)
  statuses(4, () => ask(TICKERS))
  const state = sandboxStateOf(sandbox)
  const next = statuses(20, () => ask(TICKERS))
  await registry.replace('own', JSON.parse(JSON.stringify(state)))
  expect(statuses(20, () => ask(TICKERS))).toEqual(next)
  expect(new Set(next)).toEqual(new Set([200, 298, 503]))
})

test('other scenarios continue unchanged when one is removed', async () => {
  const third = {
    name: 'third',
    on: { operation: '*', everyNth: 3 },
    do: { refuse: { as: 'rate' } },
  }
  const { sandbox, ask } = await marketUnder(rules(third))
  sandbox.faultInjection.add(parseScenario({ title: 'Other', rules: [] }, 'other'))
  statuses(2, () => ask(TICKERS))
  sandbox.faultInjection.remove('other')
  expect(ask(TICKERS).status).toBe(429)
})

test('a refusal names the request, and the limit of its key', async () => {
  const { ask } = await marketUnder(rules({ name: 'all', do: { refuse: { as: 'permission' } } }))
  expect(json(ask('/hl/whales/open-positions')).msg).toBe(
    'Permission denied: HL_WHALES_OPEN_POSITIONS',
  )
  const { ask: plain, sandbox } = await marketUnder(null)
  const where = (code: string) => `/hl/open-interest/history/${magicCoin(code)}`
  expect(json(plain(where('403'))).msg).toBe('Permission denied: HL_OPEN_INTEREST_HISTORY')
  const perMinute = sandbox.limitsOf(sandbox.keys.sub).ratePerMinute
  expect(json(plain(where('429'), 'sub')).msg).toBe(
    `too many requests: at most ${perMinute} a minute`,
  )
})

test('the journal has the key of a request or upgrade that a rule refused', async () => {
  const refuse = (as: string) => ({ name: as, do: { refuse: { as } } })
  const { ask, open, sandbox } = await marketUnder(rules(refuse('quota')))
  ask(TICKERS)
  open()
  const { accessKey } = sandbox.keys.full
  const entries = [...sandbox.journal.after(0)]
  expect(entries.map(({ kind, key, rule }) => [kind, key, rule])).toEqual([
    ['request', accessKey, 'quota'],
    ['socket', accessKey, 'quota'],
  ])
  const away = { name: 'away', do: { refuse: { status: 503, body: 'away' } } }
  sandbox.faultInjection.set(rules(away))
  open()
  const last = [...sandbox.journal.after(2)].map((entry) => 'status' in entry && entry.status)
  expect(last).toEqual([503])
})

test('a coin is found by any name, and an unknown coin or key is refused', async () => {
  const { ask, sandbox, cast, socket } = await marketUnder(null)
  const put = async (on: object, fault: unknown = 'empty') => {
    const scenario = rules({ name: 'named', on, do: fault })
    const work = putScenario(sandbox, scenario, (one) => sandbox.faultInjection.set(one))
    await sandbox.turns.run(sandbox, work)
  }
  const symbol = cast().symbols.find((one) => one.startsWith('btcswap')) ?? ''
  for (const name of ['BTC', 'bitcoin', symbol]) {
    await put({ coin: name })
    expect(json(ask('/hl/open-interest/history/BTC')).data).toEqual([])
    expect(json(ask('/hl/open-interest/history/ETH')).data.length).toBeGreaterThan(0)
  }
  await put({ coin: 'BTC', channel: 'l2Book' }, 'empty-book')
  const [book] = receivedFrames(socket({ type: 'l2Book', coin: 'BTC' }), 'l2Book')
  expect(book?.data.levels).toEqual([[], []])
  await expect(put({ coin: 'BTX' })).rejects.toThrow(
    'scenario: rules.0.on.coin is wrong: there is no coin "BTX", did you mean "BTC"?',
  )
  await expect(put({ coin: 'unlisted-coin' })).rejects.toThrow(
    'scenario: rules.0.on.coin is wrong: there is no coin "unlisted-coin", there are: BTC, ETH,',
  )
  await expect(put({ key: 'nobody' })).rejects.toThrow(
    'scenario: rules.0.on.key is wrong: there is no key of sandbox own "nobody"',
  )
  await expect(put({ coin: 'BTX', key: 'nobody' })).rejects.toThrow(
    /on\.key is wrong: [^\n]*\nscenario: rules\.0\.on\.coin is wrong: /,
  )
  await put({ key: sandbox.keys.sub.accessKey }, { refuse: { as: 'quota' } })
  expect([ask(TICKERS).status, ask(TICKERS, 'sub').status]).toEqual([200, 429])
  const text = `title: Mine
rules:
  - on: {coin: BTX}
    do: empty
`
  const ofFile = marketUnder(parseScenarioYaml('mine', 'mine.yaml', text))
  await expect(ofFile).rejects.toThrow('mine.yaml:3: rules.0.on.coin is wrong: there is no coin')
  const ofDemo = marketUnder(rules({ on: { key: 'demo' }, do: 'empty' }))
  await expect(ofDemo).rejects.toThrow('there is no key of sandbox own "demo"')
})

test('the name of a library scenario with other rules is refused', async () => {
  const { registry } = await marketUnder(null)
  const call = controlCaller(registry)
  const body = { name: 'calm', title: 'Mine', rules: [] }
  const answer = await call('scenario.set', { params: { id: 'own' }, body })
  expect([answer.status, answer.body.error]).toEqual([
    400,
    '"calm" is a scenario of the library: send only its name, or give your own another name',
  ])
  const own = await call('scenario.set', { params: { id: 'own' }, body: { ...body, name: 'mine' } })
  expect(own.status).toBe(200)
})

test('after a reset the journal and its connections are numbered from 1', async () => {
  const { socket, sandbox } = await marketUnder(null)
  const first = () => {
    socket({ type: 'bbo', coin: 'BTC' })
    const [entry] = sandbox.journal.after(0)
    return entry && [entry.seq, 'connection' in entry && entry.connection]
  }
  expect(first()).toEqual([1, 1])
  sandbox.reset()
  expect(first()).toEqual([1, 1])
})
