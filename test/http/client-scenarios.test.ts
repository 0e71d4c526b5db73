/** What the client makes of the scenarios of requests. */
import { expect, test } from 'bun:test'
import { SURVIVAL } from '../../scripts/client-survival.ts'
import type { Client } from '../../src/client/client.ts'
import { instantMs } from '../../src/client/requests/instant.ts'
import type { ClientSettings } from '../../src/client/settings.ts'
import { failure } from '../fixtures/answered-client.ts'
import { clientMarket } from '../fixtures/client-market.ts'
import { library } from '../fixtures/feed-recorder.ts'
import { skewedService } from '../fixtures/skewed-service.ts'
import { survives } from '../fixtures/survival.ts'

const market = (name: string, settings: Partial<ClientSettings> = {}, options = {}) =>
  clientMarket({ scenarios: [library(name)], settings, ...options })

type Market = Awaited<ReturnType<typeof market>>

/** So many reads, one after another, while time goes on: what was answered, and what was not. */
async function reads({ client, advance }: Market, count: number, read = tickers) {
  const outcomes: unknown[] = []
  let isOver = false
  const all = (async () => {
    for (let turn = 0; turn < count; turn++)
      outcomes.push(await read(client).catch((error: unknown) => error))
    isOver = true
  })()
  while (!isOver) await advance(1000)
  await all
  const errors = outcomes.filter((one) => one instanceof Error) as (Error & { kind?: string })[]
  return { answered: outcomes.length - errors.length, errors }
}

const tickers = (client: Client): Promise<unknown> => client.perpdex.tickers()

survives('rate-limited', async () => {
  const patient = await market('rate-limited', { retries: 5 })
  expect((await reads(patient, 12)).answered).toBe(12)
  const bare = await reads(await market('rate-limited'), 12)
  expect(bare.errors.map(({ kind }) => kind)).toEqual(['rate', 'rate', 'rate'])
})

survives('null-bodies', async () => {
  expect((await reads(await market('null-bodies', { retries: 3 }), 8)).answered).toBe(8)
  const { errors } = await reads(await market('null-bodies'), 4)
  expect(errors.map(({ name, kind }) => [name, kind])).toEqual([
    ['ServiceError', 'rate'],
    ['ServiceError', 'rate'],
  ])
})

survives('html-errors', async () => {
  expect((await reads(await market('html-errors', { retries: 3 }), 8)).answered).toBe(8)
  const { errors } = await reads(await market('html-errors'), 4)
  expect(errors.map(({ name }) => name)).toEqual(['AnswerError', 'AnswerError'])
  expect(errors[0]).toMatchObject({ status: 502, kind: 'unavailable' })
})

survives('cut-short', async () => {
  const whole = await clientMarket()
  const addresses = [...new Set(Object.values(whole.cast().addresses))]
  const asked = addresses.slice(0, 6)
  const accounts = (client: Client) =>
    client.perpdex.tradersAccounts({ body: { addresses: asked } })
  const { errors, answered } = await reads(
    await market('cut-short', { checksAnswers: true }),
    12,
    accounts,
  )
  expect([asked.length, answered + errors.length]).toEqual([6, 12])
  const words = errors.map(({ message }) => message)
  expect(words.some((one) => one.includes('not JSON'))).toBe(true)
  expect(words.some((one) => one.includes('6 rows, one for each address, not 3'))).toBe(true)
})

survives('wrong-content-type', async () => {
  expect(
    (await reads(await market('wrong-content-type', { checksAnswers: true }), 3)).answered,
  ).toBe(3)
})

survives('code-as-number', async () => {
  expect((await reads(await market('code-as-number'), 3)).answered).toBe(3)
  const { errors } = await reads(await market('code-as-number', { checksAnswers: true }), 1)
  expect(errors[0]).toMatchObject({ name: 'AnswerError', path: '[0].price' })
})

survives('not-a-number', async () => {
  const { client, cast } = await market(
    'not-a-number',
    { checksAnswers: true },
    { questions: { 'info-types': 'all' } },
  )
  const told = await failure(client.perpdex.info({ body: { type: 'metaAndAssetCtxs' } }))
  expect(String(told)).toMatch(/premium should be/)
  const address = cast().openPositions[0]?.address ?? ''
  const body = { addresses: [address] }
  const [state] = await client.perpdex.tradersClearinghouseState({ body })
  const prices = state?.state.assetPositions.map(({ position }) => position.liquidationPx)
  expect(prices).toContain(null)
})

survives('other-units', async () => {
  const [seconds, calm] = [await market('other-units'), await clientMarket()]
  const timeOf = async ({ client }: Pick<Market, 'client'>) =>
    (await client.stock.quotes())[0]?.timestamp ?? 0
  const [one, other] = [await timeOf(seconds), await timeOf(calm)]
  expect(one).toBeLessThan(other)
  expect(Math.floor(instantMs(one) / 1000)).toBe(Math.floor(instantMs(other) / 1000))
})

survives('unstable-order', async () => {
  const { client, cast } = await market('unstable-order', { checksAnswers: true })
  const calm = await clientMarket()
  const ask = { path: { address: cast().addresses.maker ?? '' }, query: { limit: 50 } }
  const byTime = <T extends { time: number; oid?: number }>(list: T[]) =>
    list.map((one) => JSON.stringify(one)).toSorted()
  const told = (await client.perpdex.fillsOfAddress(ask)) as { time: number }[]
  const were = (await calm.client.perpdex.fillsOfAddress(ask)) as { time: number }[]
  expect(told).not.toEqual(were)
  expect(byTime(told)).toEqual(byTime(were))
  expect(await client.perpdex.smartFind({ body: { period: 7 } })).toBeDefined()
})

survives('legacy-gateway', async () => {
  const kinds = async (accessKey: string, call: (client: Client) => Promise<unknown>) => {
    const { client } = await market('legacy-gateway', {
      accessKey,
      secretKey: `${accessKey}-secret`,
    })
    return (await failure(call(client))).kind as unknown
  }
  expect(await kinds('nobody', tickers)).toBe('signature')
  expect(await kinds('nobody', ({ coin }) => coin.list())).toBe('signature')
  expect(await kinds('demo-bare', tickers)).toBe('permission')
})

survives('refused-with-200', async () => {
  const { errors } = await reads(await market('refused-with-200'), 6)
  expect(errors.map(({ kind }) => kind)).toEqual(['rate', 'rate'])
  const wrong = await market('refused-with-200', { secretKey: 'guessed' })
  expect(await failure(wrong.client.perpdex.tickers())).toMatchObject({ kind: 'signature' })
  const one = await market('refused-with-200', { retries: 3 })
  expect((await reads(one, 6)).answered).toBe(6)
})

/** A key with a quota, under a scenario. */
const quotaed = (name: string, settings = {}) =>
  market(
    name,
    { accessKey: 'demo-sub', secretKey: 'demo-sub-secret', retries: 3, ...settings },
    // Nobody waits for a month of market.
    { end: 'hold' },
  )

survives('quota-exhausted', async () => {
  const spent = await quotaed('quota-exhausted', { limitsRate: true })
  const { errors, answered } = await reads(spent, 6)
  expect([answered, errors.map(({ kind }) => kind)]).toEqual([3, ['quota', 'quota', 'quota']])
  expect(spent.requested).toHaveLength(6)
})

survives('month-end', async () => {
  const spent = await quotaed('month-end')
  const { errors } = await reads(spent, 2)
  expect(errors.map(({ kind }) => kind)).toEqual(['quota'])
  await spent.sandbox.clock.advance(32 * 86_400_000)
  expect((await reads(spent, 1)).answered).toBe(1)
})

survives('signature-skew', async () => {
  // The service's clock is what its answers show, 45 seconds ahead of the machine's.
  const service = skewedService(45)
  expect(await service.client.perpdex.tickers()).toEqual([])
  expect(service.offsetsS).toEqual([0, 45])
})

test('every scenario of the library has its test', async () => {
  const names = [...new Bun.Glob('*.yaml').scanSync('scenarios')].map((file) => file.slice(0, -5))
  expect(Object.keys(SURVIVAL).sort()).toEqual(names.sort())
  const files = [...new Bun.Glob('test/*/client-*scenarios.test.ts').scanSync('.')]
  const texts = await Promise.all(files.map((file) => Bun.file(file).text()))
  const tested = texts.flatMap((text) => [...text.matchAll(/^survives\('([\w-]+)'/gm)])
  expect(tested.map(([, name = '']) => name).sort()).toEqual(names.sort())
})
