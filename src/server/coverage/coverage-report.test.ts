import { expect, test } from 'bun:test'
import { contractPoints } from '../../contract/coverage-points.ts'
import { addedCoverage, type CoverageFile } from './coverage-file.ts'
import { coverageOf, coverageReport, metPercent } from './coverage-report.ts'
import { requirementsWithPoints } from './requirement-points.ts'
import requirements from './requirements.json' with { type: 'json' }

const counts = (points: CoverageFile['points']) => ({
  points,
  questions: { 'over-rate=http': 1 },
  leniencies: {},
  beyond: { path: 2 },
})
const fileOf = (...ids: string[]) =>
  coverageOf(counts(Object.fromEntries(ids.map((id) => [id, { met: 1, handled: 0 }]))), ['calm'])

test('every requirement has points, and requirements.json is as it is generated', () => {
  expect(requirements).toEqual(requirementsWithPoints())
})

test('ids of points are unique, and their text is their own', () => {
  const ids = contractPoints().map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { text } of contractPoints()) expect(text).not.toContain('undefined')
})

test('a requirement is met by any of its points, and every point met is all of them', () => {
  const report = (...ids: string[]) => coverageReport(fileOf(...ids))
  const stateIn = (id: string, ...ids: string[]) =>
    report(...ids).items.find((one) => one.id === id)?.state
  expect(stateIn('limit.topTrades')).toBe('never')
  expect(stateIn('limit.topTrades', 'cap:perpdex.topTrades:limit')).toBe('met')
  expect(stateIn('limit.topTrades', 'parameter:perpdex.topTrades:limit')).toBe('never')
  const whole = report(...contractPoints().map(({ id }) => id), 'scenario:calm')
  expect(metPercent(whole)).toBe(100)
  for (const { total, met } of whole.totals) expect(met).toBe(total)
  expect(metPercent(report())).toBe(0)
})

test('files are added, and a scenario that is not of the library is in none', () => {
  const one = fileOf('operation:coin.list', 'scenario:calm', 'scenario:mine')
  expect(Object.keys(one.points)).toEqual(['operation:coin.list', 'scenario:calm'])
  const sum = addedCoverage(one, addedCoverage(one, fileOf('operation:coin.config')))
  expect(sum).toMatchObject({ runs: 3, beyond: { path: 6 }, questions: { 'over-rate=http': 3 } })
  expect(sum.points['operation:coin.list']).toEqual({ met: 2, handled: 0 })
  expect(sum.points['operation:coin.config']).toEqual({ met: 1, handled: 0 })
})

test('a group has its own points, and those of all', () => {
  const { items } = coverageReport(fileOf(), ['stock'])
  const points = items.filter(({ kind }) => kind !== 'requirement')
  expect(new Set(points.map(({ section }) => section))).toEqual(new Set(['all', 'stock']))
  expect(items.some(({ id }) => id === 'operation.coin.list')).toBe(false)
})
