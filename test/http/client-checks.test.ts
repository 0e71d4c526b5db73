/** Optional checks of answers by the contract's schemas. */
import { expect, test } from 'bun:test'
import { AnswerError } from '../../src/clients/service/errors.ts'
import { answered, failure } from '../fixtures/answered-client.ts'

test('the checks: shape, rows of a batch, numbers as text', async () => {
  const ticker = { coin: 'BTC', price: '101' }
  const tickers = (data: unknown) => JSON.stringify({ code: '0', msg: 'success', data })
  const requested = (data: unknown, settings = {}) =>
    answered([{ body: tickers(data) }], settings).service.perpdex
  expect(await requested([{ coin: 'BTC', price: 101 }]).tickers()).toEqual([
    { coin: 'BTC', price: 101 },
  ] as never)
  const wrong = await failure(
    requested([ticker, { coin: 'ETH', price: 7 }], { checksAnswers: true }).tickers(),
  )
  expect(wrong).toBeInstanceOf(AnswerError)
  expect([wrong.path, wrong.message]).toEqual([
    '[1].price',
    expect.stringContaining('data[1].price should be string like'),
  ])
  expect(await requested([ticker], { checksAnswers: true }).tickers()).toEqual([ticker])
  const more = [{ ...ticker, markPrice: '102' }]
  expect(await requested(more).tickers({}, { checked: true })).toEqual(more)

  const addresses = ['0x01', '0x02', '0x03']
  const cut = await failure(
    requested([]).tradersAccounts({ body: { addresses } }, { checked: true }),
  )
  expect(cut.message).toContain('3 rows, one for each address, not 0')
  const info = requested({ coin: 'BTC', time: 1, levels: [] })
  const body = { type: 'l2Book', coin: 'BTC' } as const
  expect((await failure(info.info({ body }, { checked: true }))).path).toBe('.levels')
})
