/** Stories of institutions in stages: each stage follows from those before it. */
import type { RandomSource } from '../../../../random/random-source.ts'
import type { World } from '../../../world/world.ts'
import {
  type BilingualText,
  type SlotsOf,
  someOf,
  type TemplatePart,
  type Wording,
  worded,
} from '../bilingual-text.ts'
import type { Institution } from './institutions.ts'

/** A story at an institution. */
export interface StorySetting {
  world: World
  institution: Institution
  /** The same in all stages and in all feeds. */
  random: RandomSource
}

/** Text choices of a stage. */
export interface Stage {
  titles: readonly Wording[]
  /** The news in one sentence. */
  leads: readonly Wording[]
  /** Further statements; any combination is consistent. */
  details: readonly Wording[]
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

/** A story and its number of stages; `tell` returns the text of one. */
export interface Story {
  stages: number
  tell(setting: StorySetting, stage: number, telling: StageContext): StoryText
}

type CommonSlot = 'firm' | 'who' | 'ago'

type OwnSlots<S extends Stage> = Exclude<SlotsOf<S[keyof Stage][number][number]>, CommonSlot>

/** Declares a story; the compiler checks that its facts fill all slots of its stages. */
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

/** An amount in millions of dollars. */
export const millions = (count: number): BilingualText => ({
  cn: count >= 100 ? `${count / 100}亿美元` : `${100 * count}万美元`,
  en: `$${count} million`,
})

/** A whole number, in English with thousands separators. */
export const grouped = (count: number): BilingualText => ({
  cn: String(count),
  en: String(count).replace(/\B(?=(\d{3})+$)/g, ','),
})

/** A number with its unit in each language. */
export const counted = (count: number, cn: string, en: string): BilingualText => ({
  cn: `${count}${cn}`,
  en: `${count} ${en}`,
})

/** Business fields of companies, and of rules. */
export const FIELDS: readonly BilingualText[] = [
  { cn: '链上数据分析', en: 'on-chain analytics' },
  { cn: '跨链桥安全', en: 'bridge security' },
  { cn: '稳定币支付', en: 'stablecoin payments' },
  { cn: '机构托管', en: 'institutional custody' },
  { cn: '零知识证明', en: 'zero-knowledge proofs' },
  { cn: '去中心化存储', en: 'decentralised storage' },
  { cn: '代币化债券', en: 'tokenised bonds' },
  { cn: '链上身份', en: 'on-chain identity' },
  { cn: '再质押', en: 'restaking' },
  { cn: '预言机', en: 'price oracles' },
  { cn: '账户抽象', en: 'account abstraction' },
  { cn: '永续合约', en: 'perpetual contracts' },
]

/** Topics of rules. */
export const TOPICS: readonly BilingualText[] = [
  { cn: '稳定币储备', en: 'stablecoin reserves' },
  { cn: '客户资产隔离', en: 'the segregation of client assets' },
  { cn: '杠杆上限', en: 'leverage limits' },
  { cn: '质押服务', en: 'staking services' },
  { cn: '加密资产广告', en: 'advertising of crypto assets' },
  { cn: '交易所资本要求', en: 'capital requirements for exchanges' },
  { cn: '代币化证券', en: 'tokenised securities' },
  { cn: '反洗钱核查', en: 'money-laundering checks' },
]
