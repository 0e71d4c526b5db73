/** A company raises money and grows. */
import { FIELDS } from './fields.ts'
import { institutionsOfKind } from './institutions.ts'
import { millions, story } from './story.ts'

const ROUNDS = [
  { cn: '种子轮', en: 'seed' },
  { cn: ' A 轮', en: 'series A' },
  { cn: ' B 轮', en: 'series B' },
] as const

export const financing = story(
  ({ world, random }) => {
    const sum = random.between(3, 60)
    return {
      sum: millions(sum),
      round: ROUNDS[sum < 8 ? 0 : sum < 25 ? 1 : 2],
      lead: random.pick(institutionsOfKind(world)('capital')).name,
      field: random.pick(FIELDS),
      staff: random.between(25, 240),
      hires: random.between(8, 60),
    }
  },
  [
    {
      titles: [
        ['{firm}完成{sum}{round}融资', '{firm} raises {sum} in a {round} round'],
        ['{lead}领投{firm}{round}融资', '{lead} leads the {round} round of {firm}'],
        ['{firm}获{sum}投资，用于{field}', '{firm} gets {sum} for {field}'],
      ],
      leads: [
        [
          '{firm}宣布完成{sum}{round}融资，由{lead}领投，资金将用于{field}业务。',
          '{firm} has raised {sum} in a {round} round led by {lead}, for its work on {field}.',
        ],
      ],
      details: [
        ['{who}表示，公司现有{staff}名员工。', 'The company has {staff} people, says {who}.'],
        ['估值没有公布。', 'The valuation was not disclosed.'],
        ['{lead}将获得一个董事席位。', '{lead} gets a seat on the board.'],
      ],
    },
    {
      titles: [
        ['{firm}将招聘{hires}人，扩充{field}团队', '{firm} to hire {hires} people for {field}'],
        ['融资后{firm}扩员{hires}人', '{firm} adds {hires} posts after its round'],
        ['{firm}团队将由{staff}人扩大', '{firm} to grow from {staff} people'],
      ],
      leads: [
        [
          '{firm}计划新招{hires}人，主要从事{field}研发；目前有{staff}名员工。',
          '{firm} wants to hire {hires} people, most of them for {field}; it has {staff} now.',
        ],
      ],
      details: [
        ['该公司{ago}前完成{sum}融资。', 'It raised {sum} {ago} ago.'],
        ['{who}称，一半职位面向工程师。', 'Half of the posts are for engineers, says {who}.'],
        ['招聘将持续到年底。', 'Hiring goes on until the end of the year.'],
      ],
    },
    {
      titles: [
        ['{firm}与{lead}合作拓展{field}业务', '{firm} works with {lead} on {field}'],
        ['{firm}签下{field}首个大客户', '{firm} signs its first large client for {field}'],
        ['{firm}{field}业务进入商用阶段', "{firm}'s work on {field} goes commercial"],
      ],
      leads: [
        [
          '{firm}宣布其{field}业务签下首个大型客户，由投资方{lead}引荐。',
          '{firm} has signed a first large client for {field}, introduced by its investor {lead}.',
        ],
      ],
      details: [
        ['{ago}前该公司宣布扩招{hires}人。', 'It announced {hires} new posts {ago} ago.'],
        ['{who}表示，合同期为三年。', 'The contract is for three years, says {who}.'],
        ['客户名称未公布。', 'The name of the client was not given.'],
      ],
    },
  ],
)
