/** The client in scenarios of answers. */
import { expect } from 'bun:test'
import type { Client } from '../../src/clients/service/client.ts'
import { newsItems } from '../../src/clients/service/requests/pages.ts'
import { instantMs } from '../../src/clients/service/requests/request.ts'
import { failure } from '../fixtures/answered-client.ts'
import { clientMarket } from '../fixtures/client-market.ts'
import { marketUnder, reads } from '../fixtures/client-reads.ts'
import { survives } from '../fixtures/survival.ts'

survives('null-bodies', () => marketUnder('null-bodies'), {
  'a null body under': async (bare) => {
    const { errors } = await reads(bare, 4)
    expect(errors.map(({ name, kind, code }) => [name, kind, code])).toEqual([
      ['ServiceError', 'rate', ''],
      ['ServiceError', 'rate', ''],
    ])
    expect((await reads(await marketUnder('null-bodies', { retries: 3 }), 8)).answered).toBe(8)
  },
})

survives('html-errors', () => marketUnder('html-errors'), {
  'check status and content': async (bare) => {
    const { errors } = await reads(bare, 4)
    expect(errors.map(({ name }) => name)).toEqual(['AnswerError', 'AnswerError'])
    expect(errors[0]).toMatchObject({ status: 502, kind: 'unavailable' })
    expect(errors[0]?.message).toContain('(502, text/html)')
    expect(errors[0]?.message).not.toMatch(/unexpected|token|parse/i)
    expect((await reads(await marketUnder('html-errors', { retries: 3 }), 8)).answered).toBe(8)
  },
})

survives('cut-short', () => marketUnder('cut-short', { checksAnswers: true }), {
  'an answer as long': async (cut) => {
    const whole = await clientMarket()
    const addresses = [...new Set(Object.values(whole.cast().addresses))]
    const requested = addresses.slice(0, 6)
    const accounts = (client: Client) =>
      client.perpdex.tradersAccounts({ body: { addresses: requested } })
    const { errors, answered } = await reads(cut, 12, accounts)
    expect([requested.length, answered + errors.length]).toEqual([6, 12])
    const words = errors.map(({ message }) => message)
    expect(words.some((one) => one.includes('not JSON'))).toBe(true)
    expect(words.some((one) => one.includes('6 rows, one for each address, not 3'))).toBe(true)
    // A page of three is not the last one.
    const paged = await marketUnder('cut-short', { retries: 3 })
    const scheduled = new Set<number>()
    await reads(paged, 1, async ({ content }) => {
      for await (const { id } of newsItems(content)) {
        scheduled.add(id)
        if (scheduled.size > 60) return
      }
    })
    expect(scheduled.size).toBeGreaterThan(60)
  },
})

survives('wrong-content-type', () => marketUnder('wrong-content-type', { checksAnswers: true }), {
  'a valid body can': async (market) => {
    expect((await reads(market, 3)).answered).toBe(3)
  },
})

survives('code-as-number', () => marketUnder('code-as-number'), {
  'code can be a': async (bare) => {
    expect((await reads(bare, 3)).answered).toBe(3)
    const checked = await marketUnder('code-as-number', { checksAnswers: true })
    const { errors } = await reads(checked, 1)
    expect(errors[0]).toMatchObject({ name: 'AnswerError', path: '[0].price' })
  },
})

/** With the types of `info` that some services lack. */
const everyInfo = { questions: { 'info-types': 'all' } }

survives('not-a-number', () => marketUnder('not-a-number', { checksAnswers: true }, everyInfo), {
  'premium may be nan': async ({ client, cast }) => {
    const body = { type: 'metaAndAssetCtxs' } as const
    const refused = await failure(client.perpdex.info({ body }))
    expect(String(refused)).toMatch(/premium should be/)
    const scheduled = await client.perpdex.info({ body }, { checked: false })
    const [context] = scheduled?.[1] ?? []
    expect([context?.midPx, context?.impactPxs]).toEqual([null, null])
    const address = cast().openPositions[0]?.address ?? ''
    const [state] = await client.perpdex.tradersClearinghouseState({
      body: { addresses: [address] },
    })
    const prices = state?.state.assetPositions.map(({ position }) => position.liquidationPx)
    expect(prices).toContain(null)
  },
})

survives('other-units', () => marketUnder('other-units'), {
  'recognise seconds and milliseconds': async (seconds) => {
    const timeOf = async ({ client }: { client: Client }) =>
      (await client.stock.quotes())[0]?.timestamp ?? 0
    const [one, other] = [await timeOf(seconds), await timeOf(await clientMarket())]
    expect(one).toBeLessThan(other)
    expect(Math.floor(instantMs(one) / 1000)).toBe(Math.floor(instantMs(other) / 1000))
  },
})

survives('unstable-order', () => marketUnder('unstable-order', { checksAnswers: true }), {
  'sort by the field': async ({ client, cast }) => {
    const calm = await clientMarket()
    const ask = { path: { address: cast().addresses.maker ?? '' }, query: { limit: 50 } }
    const byTime = <T extends { time: number; oid?: number }>(list: T[]) =>
      list.map((one) => JSON.stringify(one)).toSorted()
    const scheduled = (await client.perpdex.fillsOfAddress(ask)) as { time: number }[]
    const were = (await calm.client.perpdex.fillsOfAddress(ask)) as { time: number }[]
    expect(scheduled).not.toEqual(were)
    expect(byTime(scheduled)).toEqual(byTime(were))
    const pages = [client, calm.client].map(({ perpdex }) =>
      perpdex.smartFind({ body: { period: 7 } }),
    )
    const [one, other] = await Promise.all(pages)
    expect([Array.isArray(one), Array.isArray(other)]).toEqual([false, true])
  },
})
