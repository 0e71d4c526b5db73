import { expect, test } from 'bun:test'
import { bareHost, portOrigin } from './port.ts'

test('an IPv6 address has brackets in an address, and none for a socket', () => {
  for (const host of ['::1', '[::1]']) {
    expect(portOrigin(host, 4010)).toBe('http://[::1]:4010')
    expect(bareHost(host)).toBe('::1')
  }
  expect(portOrigin('127.0.0.1', 4010)).toBe('http://127.0.0.1:4010')
})
