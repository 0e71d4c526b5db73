import { expect, test } from 'bun:test'
import { loadSuite } from './suite.ts'

test('the conformance suite is loaded in several slices', () => {
  const work = loadSuite()
  let slices = 0
  let step = work.next()
  for (; !step.done; step = work.next()) slices++
  expect(slices).toBeGreaterThan(5)
  expect(step.value?.allCases().length).toBeGreaterThan(100)
})
