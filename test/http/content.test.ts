/** News and flashes for clients: exact forms, pages, languages, and times. */
import { expect, test } from 'bun:test'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import { bodyCredentials, contentRequests } from '../fixtures/content-requests.ts'

type Item = { id: number; createtime: number; title: string; content: string; language: string }

test('every example is answered in exactly the declared form', async () => {
  const { get, post } = await contentRequests()
  const mine = OPERATIONS.filter(({ id }) => id.startsWith('content.'))
  expect(mine.length).toBe(7)
  for (const { path, method, data, examples } of mine) {
    const check = TypeCompiler.Compile(data)
    for (const { query, body } of examples) {
      const answer =
        method === 'GET'
          ? get(path.replace('/content/', ''), query)
          : post({ ...(body as object), ...bodyCredentials() })
      expect([path, answer.success, answer.errorCode]).toEqual([path, true, 200])
      expect([path, [...check.Errors(answer.data)].slice(0, 2)]).toEqual([path, []])
      expect(JSON.stringify(answer.data).length).toBeGreaterThan(100)
    }
  }
})

test('paging by createtime returns every flash once, newest first', async () => {
  const { get, nowS } = await contentRequests()
  const all: Item[] = []
  for (let page = 0; page < 15; page++) {
    const last = all.at(-1)?.createtime
    const query = last === undefined ? {} : { createtime: String(last) }
    const { data } = get('flashList', { language: 'en', ...query })
    expect(data.length).toBe(20)
    all.push(...data)
  }
  const times = all.map(({ createtime }) => createtime)
  expect(times[0]).toBeLessThanOrEqual(nowS())
  expect(times).toEqual([...new Set(times)].sort((a, b) => b - a))
  expect(new Set(all.map(({ id }) => id)).size).toBe(300)
})

test('new flashes are added at the head, and earlier ones do not change', async () => {
  for (const path of ['flashList', 'newsflash', 'news-list', 'square/market/news-list']) {
    const { get, sandbox, nowS } = await contentRequests({ epoch: 'tape' })
    const before = get(path).data
    let added = 0
    for (let minute = 1; minute <= 19; minute++) {
      await sandbox.clock.advance(60_000)
      const { data } = get(path)
      expect(data[0].createtime ?? data[0].pubDate).toBeLessThanOrEqual(nowS())
      added = data.findIndex((one: Item) => Bun.deepEquals(one, before[0]))
      const rest = data.slice(added)
      expect(added).toBeGreaterThanOrEqual(0)
      expect(rest).toEqual(before.slice(0, rest.length))
    }
    if (path === 'flashList') expect(added).toBeGreaterThan(5)
  }
})

test('a flash has one id and time in all languages, and its text in each', async () => {
  const { get } = await contentRequests()
  const letters = { cn: /[价币为时亿单]/, tc: /[價幣為時億單]/, en: /^[\x20-\x7e]*$/ }
  const listed = { memberIds: '477,1509,1001', pageSize: '100' }
  const listings = (language: string) => get('exchange-listing-flash', { ...listed, language }).data
  for (const read of [
    (language: string) => get('newsflash', { language }).data,
    (language: string) => get('flashList', { language }).data,
    listings,
  ]) {
    const [cn, tc, en] = ['cn', 'tc', 'en'].map(read) as [Item[], Item[], Item[]]
    const same = (items: Item[]) => items.map(({ id, createtime }) => [id, createtime])
    expect(same(tc)).toEqual(same(cn))
    expect(same(en)).toEqual(same(cn))
    cn.forEach((item, at) => {
      expect([item.language, tc[at]?.language, en[at]?.language]).toEqual(['cn', 'tc', 'en'])
      for (const text of [en[at]?.title, en[at]?.content]) expect(text).toMatch(letters.en)
      expect(item.content).not.toMatch(letters.tc)
      expect(tc[at]?.content).not.toMatch(letters.cn)
      expect(`${item.title}${item.content}${en[at]?.content}`).not.toMatch(/[{}]|undefined|NaN/)
    })
    expect(cn.map(({ content }) => content).join('')).toMatch(letters.cn)
  }
  expect(get('newsflash').data).toEqual(get('newsflash', { language: 'cn' }).data)
  expect(get('newsflash', { language: 'fr' }).status).toBe(400)
})

test('pages of news have at most 20 items, and each has its text', async () => {
  const { get, cast } = await contentRequests()
  const page = (query: Record<string, string>) => get('news-list', query).data
  expect(page({ pageSize: '500' })).toEqual(page({}))
  expect(page({ page: '2', pageSize: '3' })).toEqual(page({ pageSize: '6' }).slice(3))
  expect(page({ page: '999999' })).toEqual([])
  const news = page({})
  expect(news.length).toBe(20)
  expect(news.slice(0, 10).map(({ id }: Item) => id)).toEqual((cast() as never as Ids).newsIds)
  expect(new Set(news.map(({ language }: Item) => language))).toEqual(new Set([10, 11] as never))
  for (const item of news) {
    const { content, source, ...rest } = get('news-detail', { id: String(item.id) }).data
    expect(rest).toEqual(item)
    expect(content).toContain(item.describe)
    expect(/[\u4e00-\u9fff]/.test(content + source)).toBe(item.language === 10)
  }
  expect(get('square/market/news-list', { pageSize: '99' }).data.length).toBe(20)
})

type Ids = { newsIds: number[] }

test('a future article does not exist', async () => {
  const { get, sandbox } = await contentRequests()
  const ids = () => get('news-list').data.map(({ id }: Item) => id)
  const before = ids()
  await sandbox.clock.advance(19 * 60_000)
  const [coming] = ids()
  expect(before).not.toContain(coming)
  expect(get('news-detail', { id: String(coming) }).errorCode).toBe(200)
  const early = await contentRequests()
  expect(early.get('news-detail', { id: String(coming) })).toEqual({
    status: 200,
    success: false,
    errorCode: 403,
    error: 'there is no such article',
    data: null,
  })
  for (const id of ['0', '-1', '40', String(coming + 1), String(coming + 64), '999999999999'])
    expect(early.get('news-detail', { id }).errorCode).toBe(403)
})
