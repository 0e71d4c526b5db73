/**
 * Names of people and houses that nobody bears on purpose, in three languages, from dice.
 * Only names: what adds up or must be true is never left to faker.
 */
import type { Faker } from '@faker-js/faker'
import type { Dice } from './dice.ts'

/** Simplified Chinese, traditional Chinese, English. */
export type Tongue = 'cn' | 'tc' | 'en'

/** A person's full name. */
export function personName(dice: Dice, tongue: Tongue): string {
  const { person } = seeded(dice, tongue)
  if (tongue !== 'en') return person.fullName()
  // Without titles: a columnist signs as no "Dr." and no "DDS".
  return `${person.firstName()} ${person.lastName()}`
}

/** What a house does: it invests, studies or builds. */
export type Trade = 'capital' | 'research' | 'technology'

/** The name of a house, after one of its founders. */
export function houseName(dice: Dice, trade: Trade, tongue: Tongue): string {
  const { person } = seeded(dice, tongue)
  const [family, given] = [person.lastName(), person.firstName()]
  const chinese = given.length > 1 ? given : `${family}${given}`
  return `${tongue === 'en' ? family : chinese}${HOUSES[trade][tongue]}`
}

const HOUSES: Record<Trade, Record<Tongue, string>> = {
  capital: { cn: '资本', tc: '資本', en: ' Capital' },
  research: { cn: '研究院', tc: '研究院', en: ' Research' },
  technology: { cn: '科技', tc: '科技', en: ' Labs' },
}

/** Seeded anew for each name, so that a name depends on its dice alone. */
function seeded(dice: Dice, tongue: Tongue): Faker {
  const faker = fakers[tongue]()
  faker.seed(dice.between(0, 2 ** 31 - 1))
  return faker
}

// Loaded when a name is asked for: they are slow to load, and a server must not be.
const fakers: Record<Tongue, () => Faker> = {
  cn: () => require('@faker-js/faker/locale/zh_CN').faker,
  tc: () => require('@faker-js/faker/locale/zh_TW').faker,
  en: () => require('@faker-js/faker/locale/en').faker,
}
