/** What institutions do, told in stages: each stage follows from those before it. */
import type { RandomSource } from '../../../../random/random-source.ts'
import type { World } from '../../../world/world.ts'
import type { BilingualText, TemplatePart } from '../bilingual-text.ts'
import { type SlotsOf, someOf, type Wording, worded } from '../grammar.ts'
import type { Institution } from './institutions.ts'

/** A story as it goes at an institution. */
export interface StorySetting {
  world: World
  institution: Institution
  /** The same in all stages, and whoever tells them. */
  random: RandomSource
}

/** What is told at a stage: a choice of each is told. */
export interface Stage {
  titles: readonly Wording[]
  /** The news in one sentence. */
  leads: readonly Wording[]
  /** What is to be said besides; together they contradict nothing. */
  details: readonly Wording[]
}

export interface StoryText {
  title: BilingualText
  lead: BilingualText
  details: BilingualText[]
}

/** What every stage knows without the story. */
export interface StageTelling {
  /** Chooses the words, not the facts. */
  random: RandomSource
  /** How long ago the stage before was. */
  ago: BilingualText
}

/** A story of so many stages; `tell` gives the text of one. */
export interface Story {
  stages: number
  tell(setting: StorySetting, stage: number, telling: StageTelling): StoryText
}

type CommonSlot = 'firm' | 'who' | 'ago'

type OwnSlots<S extends Stage> = Exclude<SlotsOf<S[keyof Stage][number][number]>, CommonSlot>

/** A story whose facts fill all slots of its stages: the compiler sees to it. */
export function story<const S extends Stage>(
  facts: (setting: StorySetting) => Record<OwnSlots<S>, TemplatePart>,
  stages: readonly S[],
): Story {
  return {
    stages: stages.length,
    tell(setting, at, { random, ago }) {
      const { titles, leads, details } = stages[at] as Stage
      const { institution } = setting
      const common = { firm: institution.name, who: random.pick(institution.people()), ago }
      const parts = { ...common, ...facts(setting) } as Record<string, TemplatePart>
      const say = (wordings: readonly Wording[], name: string) =>
        worded<Wording>(random.fork(name), wordings, parts as never)
      return {
        title: capitalised(say(titles, 'title')),
        lead: say(leads, 'lead'),
        details: someOf(random.fork('details'), details, 2).map((one) => say([one], 'detail')),
      }
    },
  }
}

const capitalised = ({ cn, en }: BilingualText): BilingualText => ({
  cn,
  en: `${en.slice(0, 1).toUpperCase()}${en.slice(1)}`,
})

/** So many millions of dollars. */
export const millions = (count: number): BilingualText => ({
  cn: count >= 100 ? `${count / 100}亿美元` : `${100 * count}万美元`,
  en: `$${count} million`,
})

/** A whole number, in English with its thousands apart. */
export const grouped = (count: number): BilingualText => ({
  cn: String(count),
  en: String(count).replace(/\B(?=(\d{3})+$)/g, ','),
})

/** A number with its unit in each language. */
export const counted = (count: number, cn: string, en: string): BilingualText => ({
  cn: `${count}${cn}`,
  en: `${count} ${en}`,
})
