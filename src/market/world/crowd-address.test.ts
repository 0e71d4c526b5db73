import { expect, test } from 'bun:test'
import { crowdAddress } from './crowd-address.ts'

const FIRST = 100_000_000_000
const addresses = Array.from({ length: 4_000 }, (_, n) => crowdAddress(FIRST + 131 * n))

test('every order of the crowd has an address, always the same one', () => {
  for (const address of addresses) expect(address).toMatch(/^0x[0-9a-f]{40}$/)
  expect(crowdAddress(FIRST)).toBe(addresses[0] as string)
})

test('there are many accounts, and few of them trade most', () => {
  const counts = [...Map.groupBy(addresses, (address) => address).values()]
    .map(({ length }) => length)
    .sort((a, b) => b - a)
  expect(counts.length).toBeGreaterThan(1_000)
  const largest = counts.slice(0, Math.ceil(counts.length / 10)).reduce((sum, n) => sum + n, 0)
  expect(largest / addresses.length).toBeGreaterThan(0.3)
})
