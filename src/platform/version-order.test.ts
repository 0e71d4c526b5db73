import { expect, test } from 'bun:test'
import { isOlder } from './version-order.ts'

test.each([
  ['1.4.4', '1.4.5', true],
  ['1.4.5', '1.4.5', false],
  ['1.10.0', '1.9.9', false],
  ['0.9.9', '1.0.0', true],
  ['1.4.5-canary.1', '1.4.5', false],
  ['2.0.0', '1.4.5', false],
])('%s is older than %s: %p', (version, than, older) => {
  expect(isOlder(version, than)).toBe(older)
})
