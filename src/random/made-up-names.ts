/**
 * Made-up names of people and companies in three languages, from a random source.
 * Only names: numbers and facts never come from faker.
 */
import type { Faker } from '@faker-js/faker'
import type { RandomSource } from './random-source.ts'

/** Simplified Chinese, traditional Chinese, English. */
export type NameLanguage = 'cn' | 'tc' | 'en'

/** A person's full name. */
export function personName(random: RandomSource, language: NameLanguage): string {
  const { person } = seededFaker(random, language)
  if (language !== 'en') return person.fullName()
  // Without titles: a columnist signs as no "Dr." and no "DDS".
  return `${person.firstName()} ${person.lastName()}`
}

/** What a company does: it invests, studies or builds. */
export type CompanyKind = 'capital' | 'research' | 'technology'

/** The name of a company, after one of its founders. */
export function companyName(
  random: RandomSource,
  kind: CompanyKind,
  language: NameLanguage,
): string {
  const { person } = seededFaker(random, language)
  const [family, given] = [person.lastName(), person.firstName()]
  const chinese = given.length > 1 ? given : `${family}${given}`
  return `${language === 'en' ? family : chinese}${COMPANY_SUFFIXES[kind][language]}`
}

const COMPANY_SUFFIXES: Record<CompanyKind, Record<NameLanguage, string>> = {
  capital: { cn: '资本', tc: '資本', en: ' Capital' },
  research: { cn: '研究院', tc: '研究院', en: ' Research' },
  technology: { cn: '科技', tc: '科技', en: ' Labs' },
}

/** Seeded anew for each name, so that a name depends on its random source alone. */
function seededFaker(random: RandomSource, language: NameLanguage): Faker {
  const faker = fakers[language]()
  faker.seed(random.between(0, 2 ** 31 - 1))
  return faker
}

// Loaded with the first name: they load slowly, and a server must start fast.
const fakers: Record<NameLanguage, () => Faker> = {
  cn: () => require('@faker-js/faker/locale/zh_CN').faker,
  tc: () => require('@faker-js/faker/locale/zh_TW').faker,
  en: () => require('@faker-js/faker/locale/en').faker,
}
