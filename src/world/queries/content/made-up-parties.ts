/** Persons and companies that are made up, with a name in each language. */

import { type CompanyKind, companyName, personName } from '../../../random/made-up-names.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { BilingualText } from './bilingual-text.ts'

/** A company that invests, studies or builds. */
export const madeUpCompany = (random: RandomSource, trade: CompanyKind): BilingualText => ({
  cn: companyName(random.fork(trade), trade, 'cn'),
  en: companyName(random.fork(trade), trade, 'en'),
})

/** A person who is quoted. */
export const madeUpPerson = (random: RandomSource): BilingualText => ({
  cn: personName(random.fork('person'), 'cn'),
  en: personName(random.fork('person'), 'en'),
})
