/** A fund either builds up a position or reduces it. */
import { coinsOfTape } from '../../../rows/coins.ts'
import { millions, type StorySetting, story } from './story.ts'

/** Coin of a fund's position: one of the leading ones. */
const positionCoin = ({ world, random }: StorySetting): string => {
  const coins = [...coinsOfTape(world).values()].filter(({ instrument }) => instrument.dex === '')
  return random.pick(
    coins.length === 0 ? ['BTC'] : coins.slice(0, 6).map(({ asset }) => asset.show),
  )
}

export const fundPosition = story(
  (setting) => {
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
  [
    {
      titles: [
        ['{firm}计划{plans}{coin}', '{firm} plans to {plans} its position in {coin}'],
        ['{firm}：未来数周将{plans}{coin}', '{firm} to {plans} its {coin} over weeks'],
        ['{firm}将分批{plans}{whole}的{coin}', '{firm} to {plans} {coin} by {whole} in steps'],
      ],
      leads: [
        [
          '{firm}在致投资者的信中表示，将在未来数周内分批{plans}约{whole}的{coin}。',
          '{firm} has told investors that it will {plans} {coin} by {whole} over weeks.',
        ],
      ],
      details: [
        [
          '{who}称，单一资产占比不超过{limit}%。',
          'No asset is to be more than {limit}% of the fund, says {who}.',
        ],
        [
          '交易将通过多个场所执行，以减少冲击。',
          'Orders will be split over venues, so as not to move the price.',
        ],
        ['信中未提及其他资产。', 'The letter mentions no other asset.'],
      ],
    },
    {
      titles: [
        ['{firm}{acts}{part}的{coin}', '{firm} {acts} {coin} by {part}'],
        ['{firm}按计划{acts}{coin}', '{firm} {acts} its {coin} as planned'],
        ['{firm}披露{acts}{coin}，涉及{part}', '{firm} {acts} {coin}, {part} so far'],
      ],
      leads: [
        [
          '{firm}披露，已{did}约{part}的{coin}，为{ago}前公布计划的三分之一。',
          '{firm} {did} {coin} for {part}, a third of what it announced {ago} ago.',
        ],
      ],
      details: [
        ['{who}表示，进度与市场流动性相符。', 'The pace follows liquidity, says {who}.'],
        ['计划总规模仍为{whole}。', 'The plan as a whole stays at {whole}.'],
        ['该机构未使用杠杆。', 'It uses no leverage.'],
      ],
    },
    {
      titles: [
        ['{firm}完成{whole}的{coin}{plans}计划', '{firm} completes its {whole} plan for {coin}'],
        ['{firm}：{coin}{plans}计划已执行完毕', '{firm} is through with its {coin} programme'],
        ['{firm}{coin}调仓结束，共{whole}', '{firm} ends its {coin} programme after {whole}'],
      ],
      leads: [
        [
          '{firm}表示，其{coin}{plans}计划已全部执行，总额约{whole}。',
          '{firm} {did} {coin} for {whole} in all; its programme is complete.',
        ],
      ],
      details: [
        ['{ago}前该机构披露进度为三分之一。', 'A third of it was done {ago} ago.'],
        ['{who}称，短期内没有进一步调整。', 'Nothing further is planned for now, says {who}.'],
        ['占比上限维持在{limit}%。', 'The ceiling of {limit}% for one asset stays.'],
      ],
    },
  ],
)
