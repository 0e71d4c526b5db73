/** `defineConfig`: the accepted and refused types are part of the product. */
import { expect, test } from 'bun:test'
import { type Config, defineConfig } from '../../src/entries/config.ts'

test('the settings are returned unchanged', () => {
  const config: Config = {
    serve: { port: 0, speed: 'max', epoch: 'tape', scenario: ['stale-book'], maxSockets: 5 },
    conform: { only: ['answer'], report: ['junit=a.xml'], subKey: 'k', subSecret: 's' },
  }
  expect(defineConfig(config)).toBe(config)
})

test('the compiler refuses unknown fields and values', () => {
  const wrong = [
    // @ts-expect-error: there is no such field
    defineConfig({ serve: { prot: 0 } }),
    // @ts-expect-error: there is no such section
    defineConfig({ tape: {} }),
    // @ts-expect-error: it is one of two words
    defineConfig({ serve: { epoch: 'old' } }),
    // @ts-expect-error: it is a number or max
    defineConfig({ serve: { speed: 'fast' } }),
    // @ts-expect-error: it is a list
    defineConfig({ serve: { scenario: 'calm' } }),
    // @ts-expect-error: it is of one run
    defineConfig({ serve: { json: true } }),
  ]
  expect(wrong).toHaveLength(6)
})
