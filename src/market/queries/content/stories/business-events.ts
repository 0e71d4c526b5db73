/**
 * Events of institutions by time: every twenty minutes one of them reaches the next stage of its
 * story. Each feed chooses its own events and words.
 */

import type { TapeMs } from '../../../../clock/instant.ts'
import { DAY_MS, HOUR_MS } from '../../../../clock/instant.ts'
import type { CompanyKind } from '../../../../random/made-up-names.ts'
import { type RandomSource, randomSource } from '../../../../random/random-source.ts'
import type { NewsStory } from '../../../events/market-event.ts'
import type { World } from '../../../world/world.ts'
import type { BilingualText } from '../bilingual-text.ts'
import { fundPosition } from './fund-position.ts'
import { institutionsOf, institutionsOfKind } from './institutions.ts'
import { licence } from './licence.ts'
import { newFund } from './new-fund.ts'
import { product } from './product.ts'
import { ruleMaking } from './rule-making.ts'
import { counted, FIELDS, grouped, millions, type Story, type StoryText, story } from './story.ts'

/** A miner grows, and always either keeps or sells its coins. */
const mining = story(
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

/** A research house surveys institutions, and publishes the results in parts. */
const survey = story(
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

/** A company raises money and grows. */
const ROUNDS = [
  { cn: '种子轮', en: 'seed' },
  { cn: ' A 轮', en: 'series A' },
  { cn: ' B 轮', en: 'series B' },
] as const

const financing = story(
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

export const EVENT_MS = 20 * 60_000

/** Stories of each kind of institution, in sequence. */
const STORIES: Record<CompanyKind, readonly Story[]> = {
  capital: [newFund, fundPosition],
  technology: [product, financing],
  bank: [licence],
  mining: [mining],
  authority: [ruleMaking],
  research: [survey],
}

/** Number of institutions shuffled from round to round, so that none has fixed hours. */
const SHUFFLED = 12

/** The newest event at an instant; `random` chooses the words. */
export function businessEvent(world: World, atMs: TapeMs, random: RandomSource): StoryText {
  const all = institutionsOf(world)
  const slotOf = (timeMs: TapeMs) => Math.floor(timeMs / EVENT_MS)
  const number = slotOf(atMs) - slotOf(world.meta.historyStartMs)
  const round = Math.floor(number / all.length)
  const place = number - round * all.length
  const block = Math.floor(place / SHUFFLED) * SHUFFLED
  const order = shuffledBlock(world, round, block)
  const at = block + (order[place - block] as number)
  const institution = all[at] as (typeof all)[number]
  const before = shuffledBlock(world, round - 1, block).indexOf(at - block)
  const agoMs = (number - ((round - 1) * all.length + block + before)) * EVENT_MS
  const stories = STORIES[institution.kind]
  const scheduled = storyOf(stories, round + at)
  const own = randomSource(world.meta.seed, `story ${scheduled.number} of institution ${at}`)
  const setting = { world, institution, random: own }
  return scheduled.story.tell(setting, scheduled.stage, { random, ago: agoText(agoMs) })
}

/** The story of a scheduled news event, which begins at its instant. */
export function scheduledStory(
  world: World,
  name: NewsStory,
  atMs: TapeMs,
  random: RandomSource,
): StoryText {
  const { story, kind } = SCHEDULED[name]
  const own = randomSource(world.meta.seed, `story told at ${atMs}`)
  const institution = own.pick(institutionsOfKind(world)(kind))
  const setting = { world, institution, random: own.fork('facts') }
  return story.tell(setting, 0, { random, ago: agoText(DAY_MS) })
}

const SCHEDULED: Record<NewsStory, { story: Story; kind: CompanyKind }> = {
  financing: { story: financing, kind: 'technology' },
  'fund-position': { story: fundPosition, kind: 'capital' },
  licence: { story: licence, kind: 'bank' },
  mining: { story: mining, kind: 'mining' },
  'new-fund': { story: newFund, kind: 'capital' },
  product: { story: product, kind: 'technology' },
  'rule-making': { story: ruleMaking, kind: 'authority' },
  survey: { story: survey, kind: 'research' },
}

/** A block of places in the order of a round. */
function shuffledBlock(world: World, round: number, block: number): number[] {
  const { seed } = world.meta
  const random = randomSource(seed, `round ${round} of institutions from ${block}`)
  const count = Math.min(SHUFFLED, institutionsOf(world).length - block)
  return Array.from({ length: count }, (_, at) => ({ at, rank: random.unit() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ at }) => at)
}

/** Story of an institution's n-th turn, and its stage. */
function storyOf(stories: readonly Story[], turn: number) {
  const length = stories.reduce((sum, { stages }) => sum + stages, 0)
  const cycle = Math.floor(turn / length)
  let stage = turn - cycle * length
  let at = 0
  while (stage >= (stories[at] as Story).stages) stage -= (stories[at++] as Story).stages
  return { story: stories[at] as Story, stage, number: cycle * stories.length + at }
}

/** `2天`, `2 days`; hours below a day. */
function agoText(ms: number): BilingualText {
  if (ms < DAY_MS) {
    const hours = Math.max(1, Math.round(ms / HOUR_MS))
    return { cn: `${hours}小时`, en: hours === 1 ? 'an hour' : `${hours} hours` }
  }
  const days = Math.round(ms / DAY_MS)
  return { cn: `${days}天`, en: days === 1 ? 'a day' : `${days} days` }
}
