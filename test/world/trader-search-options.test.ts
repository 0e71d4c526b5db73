/**
 * A search for traders is sorted, truncated and dated as requested, and refuses invalid requests.
 */
import { expect, test } from 'bun:test'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { TRADER_COLUMNS } from '../../src/contract/records/trader-search.ts'
import { isRefusal } from '../../src/contract/refusal.ts'
import {
  DAY_MS,
  everyTrader,
  factsAtTime,
  foundBy,
  nowMs,
  type SearchOptions,
  search,
  searchAllPages,
  sortedAddresses,
} from '../fixtures/trader-search.ts'

test('tags have a name in each language and can be searched by either', () => {
  const [row] = everyTrader.filter(({ tags }) => (tags?.length ?? 0) > 1)
  const inChinese = searchAllPages({ loadTags: true, lang: 'cn' })
  const same = inChinese.find(({ address }) => address === row?.address)
  expect(same?.tags?.length).toBe(row?.tags?.length as number)
  const expected = everyTrader.filter(({ tags }) =>
    (row?.tags ?? []).every((tag) => tags?.includes(tag)),
  )
  for (const tags of [row?.tags ?? [], same?.tags ?? []])
    expect(sortedAddresses(searchAllPages({ tags }))).toEqual(sortedAddresses(expected))
  expect(search({ tags: ['no such tag'] }).total).toBe(0)
})

test('any column but lists can be sorted by, both ways, with nulls last', () => {
  for (const field of TRADER_COLUMNS.filter((name) => !['pnlList', 'tags'].includes(name)))
    for (const dir of ['asc', 'DESC'] as const) {
      const rows = searchAllPages({ sort: { field, dir }, selects: [field] }).map(
        (row) => row[field],
      )
      const texts = rows.filter((value) => value !== null)
      expect(rows.slice(0, texts.length)).toEqual(texts)
      const keys = texts.map((value) => keyOf(field, String(value)))
      const rising = dir === 'asc' ? keys : keys.toReversed()
      for (const [place, key] of rising.slice(1).entries())
        expect(key >= (rising[place] as typeof key)).toBe(true)
    }
})

const keyOf = (field: string, text: string) =>
  field === 'address' ? text : field === 'oaLastOrderAt' ? Date.parse(text) : Number(text)

test('only the named addresses are included, in any case', () => {
  const chosen = sortedAddresses(everyTrader).slice(3, 9)
  expect(
    sortedAddresses(searchAllPages({ addrs: chosen.map((one) => one.toUpperCase()) })),
  ).toEqual(chosen)
})

test('invalid requests are refused by name', () => {
  const { traders } = factsAtTime(nowMs)
  const refused = (options: SearchOptions) =>
    traders.discover({ pageNum: 1, pageSize: 20, period: 7, ...options })
  const filter = (one: object) => refused({ filters: [{ field: 'winRate', val: 1 }, one as never] })
  const names = [
    filter({ field: 'nothing', val: 1 }),
    filter({ field: 'tags', op: '=', val: 1 }),
    filter({ field: 'winRate' }),
    filter({ field: 'oaLastOrderAt', val2: 'lately' }),
    refused({ selects: ['address', 'nothing'] }),
    refused({ sort: { field: 'nothing' } }),
    refused({ sort: { field: 'pnlList' } }),
  ].map((answer) => (isRefusal(answer) && answer.refused === 'invalid' ? answer.parameter : ''))
  expect(names).toEqual([
    ...['filters.1.field', 'filters.1.op', 'filters.1.val', 'filters.1.val'],
    ...['selects.1', 'sort.field', 'sort.field'],
  ])
})

test('columns are listed as any other allowed values', () => {
  const answer = factsAtTime(nowMs).traders.discover({
    pageNum: 1,
    pageSize: 20,
    period: 7,
    sort: { field: 'nothing' },
  })
  expect(answer).toMatchObject({ expected: `one of ${TRADER_COLUMNS.join(', ')}` })
})

const history = OPERATIONS.find(({ id }) => id === 'perpdex.tradersDiscoverHistory') as Operation

test('the past stays, and the future is now', () => {
  const query = {
    pageNum: 1,
    pageSize: 25,
    period: 7,
    selects: TRADER_COLUMNS,
    lang: 'en' as const,
  }
  const check = TypeCompiler.Compile(history.data)
  for (const timeMs of [nowMs - 9 * DAY_MS, nowMs - 60_000, nowMs + 60_000]) {
    const thenMs = Math.min(timeMs, nowMs)
    const then = foundBy(factsAtTime(thenMs).traders.discover(query))
    const page = foundBy(factsAtTime(nowMs).traders.discoverAt(timeMs, query))
    expect([...check.Errors(page)]).toEqual([])
    expect(page).toEqual({ ...then, list: then.list.map((row) => ({ ...row, time: thenMs })) })
  }
})
