import { expect, test } from 'bun:test'
import { dice } from './dice.ts'
import { houseName, personName, type Tongue } from './prose.ts'

const TONGUES: Tongue[] = ['cn', 'tc', 'en']

test('a name depends on its dice alone, not on what was asked for before', () => {
  for (const tongue of TONGUES) {
    const first = [personName(dice(7, 'a'), tongue), houseName(dice(7, 'b'), 'capital', tongue)]
    personName(dice(8), tongue)
    const again = [personName(dice(7, 'a'), tongue), houseName(dice(7, 'b'), 'capital', tongue)]
    expect(again).toEqual(first)
  }
})

test('names are written in their language', () => {
  for (let seed = 0; seed < 100; seed++) {
    for (const tongue of ['cn', 'tc'] as const) {
      expect(personName(dice(seed), tongue)).toMatch(/^\p{Script=Han}{2,4}$/u)
      expect(houseName(dice(seed), 'research', tongue)).toMatch(/^\p{Script=Han}{2,4}研究院$/u)
    }
    expect(personName(dice(seed), 'en')).toMatch(/^\p{Script=Latin}[\p{Script=Latin}' -]+$/u)
    expect(houseName(dice(seed), 'technology', 'en')).toEndWith(' Labs')
  }
})

test('different dice give different names', () => {
  const names = Array.from({ length: 50 }, (_, seed) => personName(dice(seed), 'cn'))
  expect(new Set(names).size).toBeGreaterThan(40)
})
