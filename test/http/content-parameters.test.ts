/** The parameters of content operations; their answers agree with the market. */
import { expect, test } from 'bun:test'
import {
  bodyCredentials,
  contentRequests,
  PREFIX,
  signedAhead,
} from '../fixtures/content-requests.ts'

test('exchanges are selected in any form of memberIds, five at most', async () => {
  const { get, transport } = await contentRequests()
  const raw = (query: string) =>
    JSON.parse(
      transport.request('GET', `${PREFIX}/content/exchange-listing-flash?${query}&${signedAhead()}`)
        .body,
    )
  const usual = get('exchange-listing-flash', { language: 'en' }).data
  expect(usual.length).toBe(20)
  for (const { title, newsType } of usual) {
    expect(title).toMatch(/^(Binance|Bitget) will (list|delist) \w+\/\w+$/)
    expect(newsType).toBe(2)
  }
  for (const form of [
    'memberIds[]=477&memberIds[]=1509',
    'memberIds%5B%5D=1509&memberIds%5B%5D=477',
    'memberIds=477,1509',
    'memberIds=1509&memberIds=477',
    'memberIds=',
  ])
    expect(raw(`language=en&${form}`).data).toEqual(usual)
  const five = raw('memberIds=1,2,3,4,5,477')
  expect([five.errorCode, five.data]).toEqual([200, []])
  expect(raw('memberIds=1,2,3,4,477').data.length).toBe(20)
  const titles = raw('language=en&memberIds=1001&pageSize=100').data as { title: string }[]
  expect(titles.length).toBeGreaterThan(25)
  for (const { title } of titles) expect(title).toStartWith('OKX will')
  expect(raw('memberIds=477,x')).toMatchObject({ code: '400', data: null })
})

test('insights agree with the coin ticker, in every language', async () => {
  const { post, transport, cast } = await contentRequests()
  const { coinKeys } = cast()
  const text = transport.request(
    'GET',
    `${PREFIX}/coin/ticker?coin_list=${coinKeys.join(',')}&${signedAhead()}`,
  ).body
  const tickers = JSON.parse(text).data
  const requested = ['nothing', ...coinKeys]
  for (const language of ['CN', 'TC', 'EN']) {
    const { data } = post({ coinKeys: requested, language, extra: { a: 1 }, ...bodyCredentials() })
    expect(data.list.map(({ coinKey }: { coinKey: string }) => coinKey)).toEqual(coinKeys)
    data.list.forEach((one: Record<string, string>, at: number) => {
      const { price_usd, degree_24h_usd } = tickers[at]
      expect([one.price, one.degree]).toEqual([price_usd, degree_24h_usd])
      expect(one.trend).toBe(Number(degree_24h_usd) < 0 ? 'fall' : 'rise')
      const { interpret = '', predition = '' } = one
      expect(interpret.replaceAll(',', '')).toContain(price_usd)
      expect(interpret).toContain(`${String(degree_24h_usd).replace('-', '')}%`)
      expect(predition).not.toMatch(/[{}]|undefined/)
      expect(/[\u4e00-\u9fff]/.test(interpret + predition)).toBe(language !== 'EN')
    })
  }
  const usual = post({ coinKeys: ['bitcoin'], ...bodyCredentials() })
  expect(usual).toEqual(post({ coinKeys: ['bitcoin'], language: 'CN', ...bodyCredentials() }))
  expect(post({ coinKeys: ['nothing'], ...bodyCredentials() }).data).toEqual({ list: [] })
})
