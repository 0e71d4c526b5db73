/**
 * Made-up names of people and companies in three languages, from a random source. Numbers and facts
 * never come from faker.
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

/** The business of a company. */
export type CompanyKind = keyof typeof COMPANY_SUFFIXES

/** The name of a company: after a founder or a town; in Chinese of two signs of good luck. */
export function companyName(
  random: RandomSource,
  kind: CompanyKind,
  language: NameLanguage,
): string {
  const suffix = random.pick(COMPANY_SUFFIXES[kind][language])
  return `${companyStem(random, kind, language)}${suffix}`
}

function companyStem(random: RandomSource, kind: CompanyKind, language: NameLanguage): string {
  const { person, location } = seededFaker(random, language)
  // A Chinese town is used without the word for a town.
  if (LOCAL_KINDS.includes(kind)) return location.city().replace(/市$/u, '')
  if (language === 'en') return person.lastName()
  const signs = GOOD_SIGNS[language]
  const first = random.between(0, signs.length - 1)
  const step = random.between(1, signs.length - 1)
  return `${signs[first]}${signs[(first + step) % signs.length]}`
}

/** Companies named after their location. */
const LOCAL_KINDS: readonly CompanyKind[] = ['mining', 'authority']

/** Characters of Chinese company names. */
const GOOD_SIGNS = {
  cn: '瑞恒信盛泰远汇联智创云星海天元华博安嘉宏鼎德明正和润通达启维景方朗诚',
  tc: '瑞恆信盛泰遠匯聯智創雲星海天元華博安嘉宏鼎德明正和潤通達啟維景方朗誠',
}

const COMPANY_SUFFIXES = {
  capital: {
    cn: ['资本', '创投', '资管', '投资'],
    tc: ['資本', '創投', '資管', '投資'],
    en: [' Capital', ' Ventures', ' Asset Management', ' Partners'],
  },
  research: {
    cn: ['研究院', '研究所', '研究中心'],
    tc: ['研究院', '研究所', '研究中心'],
    en: [' Research', ' Analytics', ' Insights'],
  },
  technology: {
    cn: ['科技', '网络', '实验室', '数据'],
    tc: ['科技', '網絡', '實驗室', '數據'],
    en: [' Labs', ' Network', ' Systems', ' Technologies'],
  },
  bank: {
    cn: ['银行', '信托', '托管'],
    tc: ['銀行', '信託', '託管'],
    en: [' Bank', ' Trust', ' Custody'],
  },
  mining: {
    cn: ['矿业', '算力', '能源'],
    tc: ['礦業', '算力', '能源'],
    en: [' Mining', ' Hash', ' Digital Power'],
  },
  authority: {
    cn: ['金融监管局', '证券监管委员会'],
    tc: ['金融監管局', '證券監管委員會'],
    en: [' Financial Authority', ' Securities Commission'],
  },
} as const

/** Seeded anew for each name, so that a name depends on its random source alone. */
function seededFaker(random: RandomSource, language: NameLanguage): Faker {
  const faker = fakers[language]()
  faker.seed(random.between(0, 2 ** 31 - 1))
  return faker
}

let areLoaded = false

/**
 * Loads the data of names, a part a slice, before the first of them: loading is slow, and a server
 * must start fast.
 */
export function* loadNames(): Generator<undefined, void, void> {
  if (areLoaded) return
  // The common part takes as long as the largest language.
  require('@faker-js/faker/locale/base')
  yield
  for (const load of Object.values(fakers)) {
    load()
    yield
  }
  areLoaded = true
}

const fakers: Record<NameLanguage, () => Faker> = {
  cn: () => require('@faker-js/faker/locale/zh_CN').faker,
  tc: () => require('@faker-js/faker/locale/zh_TW').faker,
  en: () => require('@faker-js/faker/locale/en').faker,
}
