/** Articles about one coin: its day, its flow, its positions, its week. */

import { type BilingualText, someOf, worded } from '../bilingual-text.ts'
import { inTurn, type MarketView, type PricedMarket } from '../market-view.ts'
import { analystFor, coinQuote } from './analyst-quotes.ts'
import { type CoinFigures, coinFigures } from './coin-figures.ts'

/** An article about a coin from one of several angles, which take turns. */
export function coinArticle(view: MarketView, market: PricedMarket, turn: number): ArticleText {
  const random = view.random(`article on ${market.of.coin}`)
  const figures = coinFigures(view, market)
  const angles = market.of.kind === 'perp' ? ANGLES : ANGLES.filter((one) => one !== POSITIONS)
  const { titles, leads, details } = inTurn<Angle>(angles, turn)
  const others = CONTEXT.filter(
    (one) => one !== details && (market.of.kind === 'perp' || one !== OPEN),
  )
  const analyst = analystFor(view, `analyst of ${market.of.coin}`)
  const say = (wordings: readonly AngleWording[], name: string) =>
    worded<AngleWording>(random.fork(name), wordings, figures)
  return {
    title: say(titles, 'title'),
    describe: say(leads, 'lead'),
    paragraphs: [
      say(details, 'details'),
      ...someOf(random, others, random.between(1, 2)).map((one, at) => say(one, `context ${at}`)),
      coinQuote(view, analyst, figures),
    ],
    source: analyst.house.name,
  }
}

/** A coin's move in an hour and in a day as a headline. */
export const moveHeadline = (view: MarketView, figures: CoinFigures): BilingualText =>
  worded(view.random('headline'), HEADLINES, figures)

const HEADLINES = [
  ['{coin}现报{price}，1小时{hour}', '{coin} at {price}, {hour} in an hour'],
  ['{coin}报{price}，24小时{day}', '{coin} trades at {price}, {day} in a day'],
  ['行情：{coin} 1小时{hour}，现价{price}', 'Markets: {coin} {hour} in an hour, at {price}'],
  ['{coin}一周{week}，现报{price}', '{coin} {week} in a week, now at {price}'],
] as const

const RANGE = [
  [
    '24小时内{coin}最高{high}，最低{low}，HL成交量{volume}，成交额{turnover}，{busier}。',
    'Over 24 hours {coin} moved between {low} and {high}; HL turned over {turnover}, {busier}.',
  ],
  [
    '24小时区间为{low}至{high}，现价较高点低{below}，较低点高{above}。',
    'The price is {below} below its 24-hour high of {high}, {above} above its low of {low}.',
  ],
] as const

const FLOW = [
  [
    'HL上主动买入{bought}，主动卖出{sold}，资金{way}{net}。',
    'Takers on HL bought for {bought} and sold for {sold}, a {way} of {net}.',
  ],
  [
    '从HL主动成交看，24小时{way}{net}，其中买入{bought}。',
    'By takers on HL there was a {way} of {net} in 24 hours; they bought for {bought}.',
  ],
] as const

const OPEN = [
  [
    'HL合约持仓{interest}，24小时{interestMove}；每小时资金费率{rate}，{payers}。',
    'Open interest on HL is {interest}, {interestMove} in 24 hours; at {rate} an hour {payers}.',
  ],
  [
    'HL上的持仓价值为{interest}，资金费率为每小时{rate}，{payers}。',
    'Positions on HL are worth {interest}; the funding rate is {rate} an hour, and {payers}.',
  ],
] as const

const WEEK = [
  [
    '7天来{coin}{week}，区间为{weekLow}至{weekHigh}，HL累计成交{weekTurnover}。',
    'In a week {coin} is {week}, between {weekLow} and {weekHigh}; HL turned over {weekTurnover}.',
  ],
  [
    '从一周看，价格在{weekLow}与{weekHigh}之间波动，整体{week}。',
    'Within a week the price was between {weekLow} and {weekHigh}; all in all it is {week}.',
  ],
] as const

const CONTEXT = [RANGE, FLOW, OPEN, WEEK] as const

const DAY = {
  titles: [
    ['{coin}行情分析：24小时{day}，现报{price}', '{coin} in review: {day} in a day to {price}'],
    ['{coin} 24小时{day}，HL成交额{turnover}', '{coin} is {day} in a day; HL sees {turnover}'],
    ['{coin}报{price}，距24小时高点{below}', '{coin} at {price}, {below} below its day high'],
    ['{coin}日内波动于{low}与{high}之间', '{coin} moves between {low} and {high}'],
  ],
  leads: [
    [
      '{coin}现报{price}，24小时{day}，HL成交额{turnover}。',
      '{coin} trades at {price}, {day} over 24 hours; turnover on HL is {turnover}.',
    ],
    [
      '截至发稿，{coin}报{price}，1小时{hour}，24小时{day}。',
      '{coin} stands at {price}: {hour} in an hour, {day} in 24.',
    ],
  ],
  details: RANGE,
} as const

const MONEY = {
  titles: [
    ['{coin} HL 24小时{way}{net}', '{coin}: {way} of {net} on HL in a day'],
    ['资金观察：HL上{coin}主动买入{bought}', 'Takers on HL buy {coin} for {bought} in a day'],
    ['{coin} HL成交额{turnover}，{busier}', '{coin} turns over {turnover} on HL, {busier}'],
  ],
  leads: [
    [
      '{coin} 24小时HL成交{turnover}，{busier}；主动成交{way}{net}，价格{day}。',
      '{coin} turned over {turnover} on HL in a day, {busier}; takers left a {way} of {net}.',
    ],
  ],
  details: FLOW,
} as const

const POSITIONS = {
  titles: [
    [
      '{coin} HL合约持仓{interest}，24小时{interestMove}',
      '{coin} open interest on HL at {interest}, {interestMove}',
    ],
    ['{coin}报{price}，资金费率{rate}，{payers}', '{coin} at {price}, funding at {rate}: {payers}'],
    [
      '合约数据：{coin}持仓{interestMove}，价格{day}',
      '{coin}: positions {interestMove}, price {day}',
    ],
  ],
  leads: [
    [
      'HL上{coin}永续合约持仓价值{interest}，24小时{interestMove}；价格同期{day}，报{price}。',
      '{coin}: {interest} open on HL, {interestMove} in a day; the price is {day}, at {price}.',
    ],
  ],
  details: OPEN,
} as const

const SEVEN_DAYS = {
  titles: [
    ['{coin}周度回顾：7天{week}', "{coin}'s week: {week} to {price}"],
    ['一周{coin}：{weekLow}至{weekHigh}', 'A week of {coin} between {weekLow} and {weekHigh}'],
    ['{coin} 7天HL成交{weekTurnover}', '{coin} turns over {weekTurnover} on HL in seven days'],
  ],
  leads: [
    [
      '{coin} 7天{week}，24小时{day}，现报{price}；7天HL成交额{weekTurnover}。',
      '{coin} is {week} in seven days and {day} in one, at {price}; HL turned over {weekTurnover}.',
    ],
  ],
  details: WEEK,
} as const

const ANGLES = [DAY, MONEY, POSITIONS, SEVEN_DAYS] as const

type Angle = (typeof ANGLES)[number]
type AngleWording = (Angle[keyof Angle] | (typeof CONTEXT)[number])[number]

/** An article in both languages. */
export interface ArticleText {
  title: BilingualText
  /** First paragraph, one or two sentences. */
  describe: BilingualText
  /** Further paragraphs. */
  paragraphs: BilingualText[]
  source: BilingualText
}
