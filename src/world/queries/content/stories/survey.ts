/** A research house asks institutions, and publishes what they say in parts. */
import { FIELDS } from './fields.ts'
import { story } from './story.ts'

export const survey = story(
  ({ random }) => {
    const share = random.between(28, 66)
    return {
      field: random.pick(FIELDS),
      asked: 10 * random.between(14, 60),
      share,
      sooner: random.between(Math.round(share / 4), Math.round(share / 2)),
      funds: share + random.between(3, 12),
      banks: share - random.between(3, 12),
      months: random.pick([6, 12, 18]),
    }
  },
  [
    {
      titles: [
        ['{firm}：{share}%受访机构将增加{field}投入', '{firm}: {share}% to spend more on {field}'],
        ['{firm}调查：{field}受{share}%机构关注', '{share}% look at {field}, finds {firm}'],
        ['{firm}访问{asked}家机构：{field}升温', '{firm} asks {asked} institutions about {field}'],
      ],
      leads: [
        [
          '{firm}对{asked}家机构的调查显示，{share}%计划在{months}个月内增加对{field}的投入。',
          '{share}% of {asked} firms will spend more on {field} in {months} months, says {firm}.',
        ],
      ],
      details: [
        ['{who}表示，分项结果将陆续公布。', 'Details follow in parts, says {who}.'],
        ['调查以电话方式进行。', 'The institutions were asked by phone.'],
        ['受访者包括基金和银行。', 'Funds and banks were asked.'],
      ],
    },
    {
      titles: [
        ['{firm}：基金对{field}更积极，银行仅{banks}%', '{firm}: funds ahead of banks in {field}'],
        [
          '{field}：{funds}%的基金与{banks}%的银行',
          '{field}: {funds}% of funds, {banks}% of banks',
        ],
        [
          '{firm}分项结果：{funds}%的基金看好{field}',
          '{funds}% of funds back {field}, says {firm}',
        ],
      ],
      leads: [
        [
          '{firm}公布分项结果：{funds}%的基金计划增加{field}投入，银行为{banks}%。',
          '{firm}: {funds}% of funds and {banks}% of banks plan to spend more on {field}.',
        ],
      ],
      details: [
        [
          '{ago}前公布的总体比例为{share}%。',
          'The share of all, published {ago} ago, is {share}%.',
        ],
        ['{who}认为差距来自监管要求。', '{who} puts the difference down to rules.'],
        ['共有{asked}家机构受访。', '{asked} institutions were asked.'],
      ],
    },
    {
      titles: [
        ['{firm}：{sooner}%机构已在{field}上投入', '{firm}: {sooner}% have begun with {field}'],
        ['{firm}调查收官：{field}仍处早期', '{firm} ends its survey: early days for {field}'],
        [
          '{field}落地率{sooner}%，{firm}称节奏偏慢',
          '{field}: {sooner}% have started, finds {firm}',
        ],
      ],
      leads: [
        [
          '{firm}发布调查最后一部分：{asked}家机构中仅{sooner}%已经在{field}上投入。',
          '{firm} ends its survey: {sooner}% of {asked} institutions have begun with {field}.',
        ],
      ],
      details: [
        ['计划投入的比例为{share}%。', '{share}% plan to.'],
        ['{who}表示，成本是主要障碍。', 'Cost is what holds them back, says {who}.'],
        ['上一部分于{ago}前公布。', 'The part before came out {ago} ago.'],
      ],
    },
  ],
)
