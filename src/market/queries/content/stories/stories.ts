/**
 * Stories of institutions in stages: each stage follows from those before it. Their texts are in
 * seed/news-stories.json, and the facts that fill the slots of the texts are here.
 */
import texts from '../../../../../seed/news-stories.json' with { type: 'json' }
import type { RandomSource } from '../../../../random/random-source.ts'
import type { NewsStory } from '../../../events/market-event.ts'
import { coinsOfTape } from '../../../rows/coins.ts'
import type { World } from '../../../world/world.ts'
import { type BilingualText, someOf, type TemplatePart, worded } from '../bilingual-text.ts'
import { type Institution, institutionsOfKind } from './institutions.ts'

/** A story at an institution. */
export interface StorySetting {
  world: World
  institution: Institution
  /** The same in all stages and in all feeds. */
  random: RandomSource
}

export interface StoryText {
  title: BilingualText
  lead: BilingualText
  details: BilingualText[]
}

/** Values of a stage that do not depend on the story. */
export interface StageContext {
  /** Chooses the words, not the facts. */
  random: RandomSource
  /** Time since the previous stage. */
  ago: BilingualText
}

/** Number of stages of a story. */
export const stagesOf = (name: NewsStory): number => texts.stories[name].length

/** The text of a stage of a story. */
export function storyText(
  name: NewsStory,
  setting: StorySetting,
  stage: number,
  { random, ago }: StageContext,
): StoryText {
  const { titles, leads, details } = stageOf(name, stage)
  const { institution } = setting
  const common = { firm: institution.name, who: random.pick(institution.people()), ago }
  const parts = { ...common, ...FACTS[name](setting) }
  const say = (wordings: readonly BilingualText[], name: string) =>
    worded(random.fork(name), wordings, parts)
  return {
    title: capitalised(say(titles, 'title')),
    lead: say(leads, 'lead'),
    details: someOf(random.fork('details'), details, 2).map((one) => say([one], 'detail')),
  }
}

/** Text choices of a stage: any combination of them is consistent. */
interface Stage {
  titles: readonly BilingualText[]
  leads: readonly BilingualText[]
  details: readonly BilingualText[]
}

function stageOf(name: NewsStory, at: number): Stage {
  const stage = texts.stories[name][at]
  if (!stage) throw new Error(`the story ${name} has no stage ${at}`)
  return stage
}

/** The facts of each story, the same in all its stages; `firm`, `who` and `ago` are common. */
const FACTS: Record<NewsStory, (setting: StorySetting) => Record<string, TemplatePart>> = {
  // A company raises money and grows.
  financing: ({ world, random }) => {
    const sum = random.between(3, 60)
    return {
      sum: millions(sum),
      round: texts.rounds[sum < 8 ? 'seed' : sum < 25 ? 'seriesA' : 'seriesB'],
      lead: random.pick(institutionsOfKind(world)('capital')).name,
      field: random.pick(texts.fields),
      staff: random.between(25, 240),
      hires: random.between(8, 60),
    }
  },
  // A fund either builds up a position or reduces it.
  'fund-position': (setting) => {
    const { random, institution } = setting
    const part = random.between(4, 40)
    const way = institution.isFavourable
      ? { cn: '增持', en: 'adds to', noun: '增持', plan: 'build up', done: 'has bought' }
      : { cn: '减持', en: 'trims', noun: '减持', plan: 'reduce', done: 'has sold' }
    return {
      coin: positionCoin(setting),
      acts: { cn: way.cn, en: way.en },
      plans: { cn: way.noun, en: way.plan },
      did: { cn: way.noun, en: way.done },
      part: millions(part),
      whole: millions(3 * part),
      limit: random.between(2, 9),
    }
  },
  // A bank applies for a licence, and an authority decides according to its stance.
  licence: ({ world, random }) => {
    const authority = random.pick(institutionsOfKind(world)('authority'))
    const isGranted = authority.isFavourable
    return {
      authority: authority.name,
      service: random.pick(texts.services),
      pages: 10 * random.between(12, 60),
      clients: random.between(12, 90),
      decides: isGranted ? { cn: '批准', en: 'grants' } : { cn: '驳回', en: 'turns down' },
      decided: isGranted ? { cn: '批准', en: 'granted' } : { cn: '驳回', en: 'turned down' },
      because: isGranted
        ? { cn: '该局认为其内部控制符合要求', en: 'it finds the controls sufficient' }
        : { cn: '该局认为其内部控制仍有不足', en: 'it finds the controls insufficient' },
      next: isGranted
        ? { cn: '将分阶段开放服务', en: 'will open the service in stages' }
        : { cn: '将搁置该项服务', en: 'will shelve the service' },
      follows: isGranted
        ? { cn: '首批客户', en: 'first clients of' }
        : { cn: '不再推进', en: 'end of the plans for' },
    }
  },
  // A miner grows, and always either keeps or sells its coins.
  mining: ({ random, institution: { isFavourable } }) => {
    const before = random.between(8, 40)
    const added = random.between(2, 9)
    const mined = random.between(90, 520)
    return {
      added,
      whole: before + added,
      before,
      power: counted(10 * random.between(4, 25), '兆瓦', 'megawatts'),
      price: `${(random.between(31, 62) / 10).toFixed(1)}`,
      mined,
      keeps: isFavourable
        ? { cn: '全部留存', en: 'keeps all of it' }
        : { cn: '出售其中大部分', en: 'sells most of it' },
      held: grouped(isFavourable ? 12 * mined : 2 * mined),
    }
  },
  // A fund is raised, from the plan to its first investment.
  'new-fund': ({ random }) => {
    const sum = 20 * random.between(3, 30)
    return {
      sum: millions(sum),
      first: millions(Math.round(sum * 0.45)),
      ticket: millions(random.between(3, 14)),
      field: random.pick(texts.fields),
      backers: random.between(11, 60),
    }
  },
  // A company builds a product: test, audit, launch, first figures.
  product: ({ world, random }) => ({
    field: random.pick(texts.fields),
    testers: grouped(50 * random.between(3, 40)),
    flaws: random.between(1, 6),
    users: grouped(1000 * random.between(6, 90)),
    version: `${random.between(1, 4)}.${random.between(0, 9)}`,
    auditor: random.pick(institutionsOfKind(world)('research')).name,
  }),
  // An authority makes a rule: consultation, responses, the rule, its first day.
  'rule-making': ({ random, institution: { isFavourable } }) => ({
    topic: random.pick(texts.topics),
    days: counted(random.between(4, 9) * 5, '天', 'days'),
    letters: random.between(40, 380),
    aim: isFavourable
      ? { cn: '简化要求', en: 'simplify what is asked of firms' }
      : { cn: '收紧要求', en: 'tighten what is asked of firms' },
    share: random.between(52, 81),
    firms: random.between(25, 140),
  }),
  // A research house surveys institutions, and publishes the results in parts.
  survey: ({ random }) => {
    const share = random.between(28, 66)
    return {
      field: random.pick(texts.fields),
      asked: 10 * random.between(14, 60),
      share,
      sooner: random.between(Math.round(share / 4), Math.round(share / 2)),
      funds: share + random.between(3, 12),
      banks: share - random.between(3, 12),
      months: random.pick([6, 12, 18]),
    }
  },
}

/** Coin of a fund's position: one of the leading ones. */
const positionCoin = ({ world, random }: StorySetting): string => {
  const coins = [...coinsOfTape(world).values()].filter(({ instrument }) => instrument.dex === '')
  return random.pick(
    coins.length === 0 ? ['BTC'] : coins.slice(0, 6).map(({ asset }) => asset.show),
  )
}

const capitalised = ({ cn, en }: BilingualText): BilingualText => ({
  cn,
  en: `${en.slice(0, 1).toUpperCase()}${en.slice(1)}`,
})

/** An amount in millions of dollars. */
const millions = (count: number): BilingualText => ({
  cn: count >= 100 ? `${count / 100}亿美元` : `${100 * count}万美元`,
  en: `$${count} million`,
})

/** A whole number, in English with thousands separators. */
const grouped = (count: number): BilingualText => ({
  cn: String(count),
  en: String(count).replace(/\B(?=(\d{3})+$)/g, ','),
})

/** A number with its unit in each language. */
const counted = (count: number, cn: string, en: string): BilingualText => ({
  cn: `${count}${cn}`,
  en: `${count} ${en}`,
})
