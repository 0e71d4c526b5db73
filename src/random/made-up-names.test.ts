import { expect, test } from 'bun:test'
import { companyName, type NameLanguage, personName } from './made-up-names.ts'
import { randomSource } from './random-source.ts'

const LANGUAGES: NameLanguage[] = ['cn', 'tc', 'en']

test('a name depends on its random source alone, not on the names made before', () => {
  for (const language of LANGUAGES) {
    const first = [
      personName(randomSource(7, 'a'), language),
      companyName(randomSource(7, 'b'), 'mining', language),
    ]
    personName(randomSource(8), language)
    const again = [
      personName(randomSource(7, 'a'), language),
      companyName(randomSource(7, 'b'), 'mining', language),
    ]
    expect(again).toEqual(first)
  }
})

test('names are written in their language', () => {
  for (let seed = 0; seed < 100; seed++) {
    for (const language of ['cn', 'tc'] as const) {
      expect(personName(randomSource(seed), language)).toMatch(/^\p{Script=Han}{2,4}$/u)
      expect(companyName(randomSource(seed), 'research', language)).toMatch(
        /^\p{Script=Han}{2}研究(院|所|中心)$/u,
      )
    }
    expect(personName(randomSource(seed), 'en')).toMatch(
      /^\p{Script=Latin}[\p{Script=Latin}' -]+$/u,
    )
    expect(companyName(randomSource(seed), 'technology', 'en')).toMatch(
      / (Labs|Network|Systems|Technologies)$/,
    )
  }
})

test('different seeds give different names', () => {
  const names = Array.from({ length: 50 }, (_, seed) => personName(randomSource(seed), 'cn'))
  expect(new Set(names).size).toBeGreaterThan(40)
})
