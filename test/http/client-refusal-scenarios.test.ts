/** The client in scenarios of refusals. */
import { expect } from 'bun:test'
import type { Client } from '../../src/clients/service/client.ts'
import { failure } from '../fixtures/answered-client.ts'
import { recorded } from '../fixtures/client-market.ts'
import { marketUnder, reads, tickers } from '../fixtures/client-reads.ts'
import { controlCaller } from '../fixtures/control-caller.ts'
import { survives } from '../fixtures/survival.ts'

survives('rate-limited', () => marketUnder('rate-limited', { retries: 5 }), {
  'slow down on 429': async (patient) => {
    const { answered, tookMs } = await reads(patient, 12)
    // Every fourth of fifteen was refused, for half a minute.
    expect([answered, patient.requested.length]).toEqual([12, 15])
    expect(tookMs).toBeGreaterThanOrEqual(3 * 30_000)
    const bare = await reads(await marketUnder('rate-limited'), 12)
    expect(bare.errors.map(({ kind }) => kind)).toEqual(['rate', 'rate', 'rate'])
  },
})

survives('legacy-gateway', async () => null, {
  'the same refusals have': async () => {
    const outcomeOf = async (accessKey: string, call: (client: Client) => Promise<unknown>) => {
      const { client } = await marketUnder('legacy-gateway', {
        accessKey,
        secretKey: `${accessKey}-secret`,
      })
      const { kind, status, code } = await failure(call(client))
      return [kind, status, code]
    }
    expect(await outcomeOf('unknown', tickers)).toEqual(['signature', 401, ''])
    expect(await outcomeOf('unknown', ({ coin }) => coin.list())).toEqual([
      'signature',
      200,
      '1001',
    ])
    expect(await outcomeOf('demo-bare', tickers)).toEqual(['permission', 403, ''])
  },
})

survives('refused-with-200', () => marketUnder('refused-with-200'), {
  'check the envelope not': async (bare) => {
    const { errors } = await reads(bare, 6)
    expect(errors.map(({ kind }) => kind)).toEqual(['rate', 'rate'])
    const wrong = await marketUnder('refused-with-200', { secretKey: 'guessed' })
    expect(await failure(wrong.client.perpdex.tickers())).toMatchObject({
      kind: 'signature',
      status: 200,
    })
    const one = await marketUnder('refused-with-200', { retries: 3 })
    expect((await reads(one, 6)).answered).toBe(6)
  },
})

/** A key with a quota, under a scenario. */
const quotaed = (name: string, settings = {}) =>
  marketUnder(
    name,
    { accessKey: 'demo-sub', secretKey: 'demo-sub-secret', retries: 3, ...settings },
    // The test does not play a month of market.
    { end: 'hold' },
  )

survives('quota-exhausted', () => quotaed('quota-exhausted', { limitsRate: true }), {
  'know the quota before': async (spent) => {
    const { errors, answered } = await reads(spent, 6)
    expect([answered, errors.map(({ kind }) => kind)]).toEqual([3, ['quota', 'quota', 'quota']])
    expect(spent.requested).toHaveLength(6)
    expect(errors[0]?.message).toMatch(/perpdex\.tickers: 429 .*quota/i)
    const distributor = { accessKey: 'demo-partner', secretKey: 'demo-partner-secret' }
    const { client } = await marketUnder('quota-exhausted', distributor)
    expect(await client.distributor.quota({}, { checked: true })).toMatchObject({
      remaining_quota: expect.any(Number),
      used_quota: 0,
    })
  },
  'a key without a': async () => {
    expect((await reads(await marketUnder('quota-exhausted'), 6)).answered).toBe(6)
  },
})

survives('month-end', () => quotaed('month-end'), {
  'the quota is used': async (spent) => {
    const { errors } = await reads(spent, 2)
    expect(errors.map(({ kind }) => kind)).toEqual(['quota'])
  },
  'move the clock there': async (spent) => {
    const { registry, sandbox, machine } = spent
    const call = controlCaller(registry)
    const body = { to: 'next-month' }
    const moved = call('clock.advance', { params: { id: sandbox.id }, body })
    // It is answered when signatures from before and after are distinguishable.
    await machine.advance(2_000)
    expect((await moved).status).toBe(200)
    expect(new Date(sandbox.clock.nowMs()).getUTCDate()).toBe(1)
    expect((await reads(spent, 1)).answered).toBe(1)
  },
})

survives('signature-skew', () => marketUnder('signature-skew'), {
  'every signature is too': async ({ sandbox, requested, ...market }) => {
    expect((await reads({ sandbox, requested, ...market }, 1)).answered).toBe(1)
    const statuses = [...sandbox.journal.after(0)].flatMap((entry) =>
      entry.kind === 'request' ? [entry.status] : [],
    )
    expect(statuses).toEqual([401, 200])
    const [old = 0, corrected = 0] = requested.map((target) =>
      Number(new URLSearchParams(target.split('?')[1]).get('Timestamp')),
    )
    expect(corrected - old).toBeGreaterThanOrEqual(44)
  },
  'compare your clock with': async (market) => {
    const before = market.requested.length
    expect((await reads(market, 3)).answered).toBe(3)
    expect(market.requested).toHaveLength(before + 3)
    const trades = recorded()
    market.client.subscribe('trades', { coin: 'BTC' }, trades.listener, trades)
    await market.advance(5_000)
    expect([trades.kinds(), market.upgrades.length]).toEqual([['live'], 1])
    // A client with subscriptions only learns it from the refused upgrade.
    const other = await marketUnder('signature-skew')
    const books = recorded()
    other.client.subscribe('l2Book', { coin: 'BTC' }, books.listener, books)
    await other.advance(5_000)
    expect([books.kinds(), other.upgrades.length]).toEqual([['lost', 'live'], 2])
    const wrong = await marketUnder('signature-skew', { secretKey: 'guessed' })
    expect(await failure(wrong.client.perpdex.tickers())).toMatchObject({ kind: 'signature' })
    expect(wrong.requested).toHaveLength(2)
  },
})
