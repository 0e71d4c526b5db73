/** A miner grows, and keeps or sells what it mines: always the one or always the other. */
import { counted, grouped, story } from './story.ts'

export const mining = story(
  ({ random, institution: { isFavourable } }) => {
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
  [
    {
      titles: [
        ['{firm}签下{power}电力合同', '{firm} contracts {power} of power'],
        ['{firm}锁定每度{price}美分电价', '{firm} fixes its power at {price} cents'],
        ['{firm}为扩产购入{power}电力', '{firm} buys {power} for an expansion'],
      ],
      leads: [
        [
          '{firm}签署{power}电力合同，电价每度{price}美分，用于扩建矿场。',
          '{firm} has contracted {power} at {price} cents a kilowatt-hour for a larger site.',
        ],
      ],
      details: [
        ['{who}表示，目前算力为 {before} EH/s。', 'It runs {before} EH/s now, says {who}.'],
        ['合同为期五年。', 'The contract is for five years.'],
        ['电力主要来自水电。', 'Most of the power is hydroelectric.'],
      ],
    },
    {
      titles: [
        ['{firm}新增 {added} EH/s 算力', '{firm} adds {added} EH/s'],
        ['{firm}算力升至 {whole} EH/s', '{firm} reaches {whole} EH/s'],
        ['{firm}扩建完成，新增 {added} EH/s', '{firm} completes a site of {added} EH/s'],
      ],
      leads: [
        [
          '{firm}新矿机投入运行，算力由 {before} EH/s 升至 {whole} EH/s。',
          '{firm} has switched on new machines: from {before} to {whole} EH/s.',
        ],
      ],
      details: [
        [
          '所需电力来自{ago}前签署的{power}合同。',
          'The power is that of the {power} contracted {ago} ago.',
        ],
        ['{who}称，设备故障率低于预期。', 'Fewer machines fail than expected, says {who}.'],
        ['电价为每度{price}美分。', 'A kilowatt-hour costs {price} cents.'],
      ],
    },
    {
      titles: [
        ['{firm}上月产出 {mined} BTC，{keeps}', '{firm} mined {mined} BTC last month and {keeps}'],
        ['{firm}公布月度产量：{mined} BTC', '{firm} reports {mined} BTC for the month'],
        ['{firm}持有 {held} BTC', '{firm} holds {held} BTC'],
      ],
      leads: [
        [
          '{firm}上月产出 {mined} BTC，{keeps}；目前持有 {held} BTC。',
          '{firm} mined {mined} BTC last month and {keeps}; it holds {held} BTC.',
        ],
      ],
      details: [
        [
          '算力为 {whole} EH/s，{ago}前完成扩建。',
          'It runs {whole} EH/s since an expansion {ago} ago.',
        ],
        ['{who}表示，这一做法不会改变。', 'That will not change, says {who}.'],
        ['该公司没有负债到期。', 'No debt of the company falls due.'],
      ],
    },
  ],
)
