/**
 * Institutions in the news: companies and authorities with a name in each language, people and a
 * fixed stance.
 */
import { type CompanyKind, companyName, personName } from '../../../../random/made-up-names.ts'
import { type RandomSource, randomSource } from '../../../../random/random-source.ts'
import { perWorld } from '../../../world/cache.ts'
import type { BilingualText } from '../bilingual-text.ts'

export interface Institution {
  kind: CompanyKind
  name: BilingualText
  /** Its spokespeople; generated on first use, as they take most of the time. */
  people(): readonly BilingualText[]
  /** Whether a fund or a miner buys; whether an authority or a research house is positive. */
  isFavourable: boolean
}

/** Number of each kind. */
const COUNTS: Record<CompanyKind, number> = {
  capital: 32,
  technology: 42,
  bank: 20,
  mining: 16,
  authority: 10,
  research: 24,
}
const PEOPLE = 2

/** All of them, in an arbitrary order. */
export const institutionsOf = perWorld(({ meta: { seed } }) => {
  const taken = new Set<string>()
  return (Object.keys(COUNTS) as CompanyKind[])
    .flatMap((kind) =>
      Array.from({ length: COUNTS[kind] }, (_, at) => {
        const random = randomSource(seed, `${kind} institution ${at}`)
        return { institution: institution(random, kind, taken), rank: random.unit() }
      }),
    )
    .sort((a, b) => a.rank - b.rank)
    .map(({ institution }) => institution)
})

/** The institutions of a kind. */
export const institutionsOfKind = perWorld((world) => {
  const all = institutionsOf(world)
  return (kind: CompanyKind) => all.filter((one) => one.kind === kind)
})

function institution(random: RandomSource, kind: CompanyKind, taken: Set<string>): Institution {
  const isFavourable = random.chance(0.5)
  for (let attempt = 0; ; attempt++) {
    const own = random.fork(`name ${attempt}`)
    const name = { cn: companyName(own, kind, 'cn'), en: companyName(own, kind, 'en') }
    if (taken.has(name.cn) || taken.has(name.en)) continue
    taken.add(name.cn).add(name.en)
    return { kind, name, people: peopleOf(random), isFavourable }
  }
}

function peopleOf(random: RandomSource): Institution['people'] {
  let people: readonly BilingualText[] | null = null
  const made = (_: unknown, at: number) => person(random.fork(`person ${at}`))
  return () => {
    people ??= Array.from({ length: PEOPLE }, made)
    return people
  }
}

const person = (random: RandomSource): BilingualText => ({
  cn: personName(random, 'cn'),
  en: personName(random, 'en'),
})
