/** Quotes of analysts at research houses: each house has a constant stance. */
import type { BilingualText } from '../bilingual-text.ts'
import { worded } from '../bilingual-text.ts'
import type { MarketView } from '../market-view.ts'
import { type Institution, institutionsOfKind } from '../stories/institutions.ts'
import type { CoinFigures } from './coin-figures.ts'

export interface Analyst {
  house: Institution
  who: BilingualText
}

/** An analyst to quote. */
export function analystFor(view: MarketView, name: string): Analyst {
  const random = view.random(name)
  const house = random.pick(institutionsOfKind(view.world)('research'))
  return { house, who: random.pick(house.people()) }
}

/** An analyst's statement about a coin. */
export function coinQuote(
  view: MarketView,
  { house, who }: Analyst,
  figures: CoinFigures,
): BilingualText {
  const parts = { ...figures, who, house: house.name }
  const random = view.random(`quote of ${house.name.en}`)
  return house.isFavourable ? worded(random, CONFIDENT, parts) : worded(random, CAUTIOUS, parts)
}

/** An analyst's statement about the market as a whole. */
export function marketQuote(view: MarketView, { house, who }: Analyst): BilingualText {
  const random = view.random(`market quote of ${house.name.en}`)
  const parts = { who, house: house.name }
  return house.isFavourable
    ? worded(random, CONFIDENT_OF_ALL, parts)
    : worded(random, CAUTIOUS_OF_ALL, parts)
}

const CONFIDENT = [
  [
    '{house}分析师{who}认为，只要守住{low}，{coin}仍有机会上看{high}。',
    '{who}, an analyst at {house}, sees room up to {high} as long as {coin} holds {low}.',
  ],
  [
    '“回调是机会”，{house}的{who}说，他关注的支撑位在{weekLow}。',
    '"Dips are for buying," says {who} of {house}, who watches {weekLow} as support.',
  ],
  [
    '{house}的{who}维持对{coin}的积极看法，并把{weekHigh}视为下一目标。',
    '{who} of {house} stays positive on {coin} and names {weekHigh} as the next target.',
  ],
] as const

const CAUTIOUS = [
  [
    '{house}分析师{who}提醒，若跌破{low}，{coin}下方空间将打开。',
    '{who}, an analyst at {house}, warns that below {low} the way down is open for {coin}.',
  ],
  [
    '“在{coin}站上{high}之前，我们保持观望”，{house}的{who}表示。',
    '"We stay on the side until {coin} is above {high}," says {who} of {house}.',
  ],
  [
    '{house}的{who}认为，HL上{turnover}的成交额不足以支撑持续上行。',
    '{who} of {house} does not think that {turnover} traded on HL carry a lasting rise.',
  ],
] as const

const CONFIDENT_OF_ALL = [
  [
    '{house}分析师{who}表示，资金仍在等待入场时机，中期看法不变。',
    '{who}, an analyst at {house}, sees money waiting to come in as before.',
  ],
  [
    '{house}的{who}认为，市场结构依然健康。',
    'The structure of the market is sound, finds {who} of {house}.',
  ],
] as const

const CAUTIOUS_OF_ALL = [
  [
    '{house}分析师{who}表示，短期仍需关注成交量能否持续。',
    'What counts now is whether volume lasts, says {who}, an analyst at {house}.',
  ],
  [
    '{house}的{who}建议降低杠杆，等待方向明朗。',
    '{who} of {house} would cut leverage and wait for a direction.',
  ],
] as const
