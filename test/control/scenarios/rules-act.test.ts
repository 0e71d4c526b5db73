/** Every rule of the library acts in a sandbox of its own, with that sandbox's keys. */
import { expect, test } from 'bun:test'
import { scenarioNames } from '../../../src/sandbox/scenario/scenario-library.ts'
import type { MemorySocket } from '../../../src/server/transport/memory/memory-transport.ts'
import { library, marketWithScenario, SCENARIOS_FOLDER } from './scenario-market.ts'

const withRules = scenarioNames(SCENARIOS_FOLDER).filter((name) => library(name).rules.length > 0)

/** A client's calls, of every kind that rules of the library are about. */
const REQUESTED = ['/hl/tickers', '/hl/whales/open-positions', '/coin', '/distributor/info']

test.each(withRules)('every rule of %s acts', async (name) => {
  const { open, ask, advance, cast, sandbox } = await marketWithScenario(name, { profile: 'raw' })
  const user = cast().openPositions[0]?.address
  const quiet = sandbox.world.coins
  const wanted = [
    ...quiet.flatMap((coin) => [
      { type: 'l2Book', coin },
      { type: 'bbo', coin },
      { type: 'trades', coin },
    ]),
    { type: 'candle', coin: 'BTC', interval: '1m' },
    { type: 'activeAssetCtx', coin: 'BTC' },
    { type: 'userFills', user },
    { type: 'clearinghouseState', user },
  ]
  const names = sandbox.faultInjection.activeScenarios.flatMap(({ scenario }) =>
    scenario.rules.map((rule) => rule.name),
  )
  expect(names).toHaveLength(library(name).rules.length)
  const idle = () => {
    const acted = [...sandbox.journal.after(0)].flatMap(({ rule }) => rule?.split(', ') ?? [])
    return names.filter((rule) => !acted.includes(rule))
  }
  let client: MemorySocket | null = null
  for (let second = 0; second < 70 && idle().length > 0; second += 5) {
    for (const where of REQUESTED)
      for (const role of ['full', 'sub', 'bare', 'nobody'] as const) ask(where, role)
    for (const type of ['metaAndAssetCtxs', 'clearinghouseState'])
      ask('/hl/info', 'full', { type, user })
    for (const coin of quiet) {
      ask(`/hl/open-interest/history/${coin}`)
      ask(`/hl/tickers/coin/${coin}`)
      ask('/hl/info', 'full', { type: 'l2Book', coin })
    }
    if (client === null || client.closeCode !== null) {
      const opened = open()
      client = 'frames' in opened ? opened : null
    }
    for (const subscription of wanted)
      client?.send(JSON.stringify({ method: 'subscribe', subscription }))
    client?.send('{"method":"ping"}')
    await advance(5_000)
  }
  expect(idle()).toEqual([])
})
