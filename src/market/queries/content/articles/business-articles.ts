/** Articles about institutions. */

import { DAY_MS, later, MINUTE_MS, type TapeMs } from '../../../../clock/instant.ts'
import type { RandomSource } from '../../../../random/random-source.ts'
import { phrase, worded } from '../bilingual-text.ts'
import type { MarketView } from '../market-view.ts'
import { businessEvent, EVENT_MS } from '../stories/business-events.ts'
import type { StoryText } from '../stories/story.ts'
import { analystFor } from './analyst-quotes.ts'
import type { ArticleText } from './coin-articles.ts'
import { coinFigures } from './coin-figures.ts'

/** Time that an article takes to write. */
const WRITING_MS = 10 * MINUTE_MS

/** Number of the event on which an article of an instant is: one newer than its writing. */
export const reportedEvent = (atMs: TapeMs): number => Math.floor((atMs - WRITING_MS) / EVENT_MS)

/** An article on it. */
export function businessArticle(view: MarketView, column: number): ArticleText {
  const random = view.random(`business in column ${column}`)
  const scheduled = businessEvent(view.world, later(view.atMs, -WRITING_MS), random)
  return storyArticle(view, column, scheduled, random)
}

/** An article on an institution's action; `random` chooses the words. */
export function storyArticle(
  view: MarketView,
  column: number,
  { title, lead, details }: StoryText,
  random: RandomSource,
): ArticleText {
  const { house, who } = analystFor(view, `analyst of column ${column}`)
  const parts = { who, house: house.name }
  const remark = house.isFavourable
    ? worded(random, WELCOMING, parts)
    : worded(random, DOUBTFUL, parts)
  const market = marketLine(view)
  return {
    title,
    describe: lead,
    paragraphs: [phrase('{a}{b}', '{a} {b}', pairOf(details)), remark, ...market],
    source: house.name,
  }
}

const pairOf = ([a, b]: ArticleText['paragraphs']) => ({ a: a ?? '', b: b ?? '' })

/** Present state of the leading coin. */
function marketLine(view: MarketView): ArticleText['paragraphs'] {
  const [first] = view.markets
  if (!first || view.pxAgo(first.of, DAY_MS) === null) return []
  const figures = coinFigures(view, first)
  return [worded(view.random('line'), MARKET_LINES, figures)]
}

const MARKET_LINES = [
  [
    '消息公布后，{coin}报{price}，1小时{hour}，24小时{day}。',
    '{coin} stood at {price} after the news, {hour} in an hour and {day} in 24.',
  ],
  [
    '截至发稿，{coin}报{price}，24小时成交额{turnover}。',
    '{coin} trades at {price} on a turnover of {turnover} in 24 hours.',
  ],
] as const

const WELCOMING = [
  [
    '{house}分析师{who}认为，这反映出机构对基础设施的需求仍在增长。',
    '{who}, an analyst at {house}, sees demand among institutions growing.',
  ],
  [
    '{house}的{who}评价称，这对行业是积极信号。',
    '{who} of {house} calls it a good sign for the industry.',
  ],
] as const

const DOUBTFUL = [
  [
    '{house}分析师{who}提醒，落地节奏取决于监管与成本。',
    'How fast it goes will depend on rules and costs, warns {who}, an analyst at {house}.',
  ],
  [
    '{house}的{who}认为，影响需要更长时间才能显现。',
    'It will take longer to see what comes of it, thinks {who} of {house}.',
  ],
] as const
