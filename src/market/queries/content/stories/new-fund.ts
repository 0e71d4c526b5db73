/** A fund is raised, from the plan to its first investment. */
import { FIELDS, millions, story } from './story.ts'

export const newFund = story(
  ({ random }) => {
    const sum = 20 * random.between(3, 30)
    return {
      sum: millions(sum),
      first: millions(Math.round(sum * 0.45)),
      ticket: millions(random.between(3, 14)),
      field: random.pick(FIELDS),
      backers: random.between(11, 60),
    }
  },
  [
    {
      titles: [
        ['{firm}计划募集{sum}加密基金', '{firm} sets out to raise {sum} for a crypto fund'],
        ['{firm}启动新基金募集，目标{sum}', '{firm} opens a new fund with a target of {sum}'],
        ['{firm}拟设{sum}基金，聚焦{field}', '{firm} plans a fund of {sum} for {field}'],
      ],
      leads: [
        [
          '{firm}向投资者表示，计划募集一只规模{sum}的基金，重点投向{field}。',
          '{firm} has told investors that it plans a fund of {sum}, with a focus on {field}.',
        ],
      ],
      details: [
        ['{who}表示，首次关账预计在数日内完成。', '{who} expects a first close within days.'],
        [
          '基金存续期为十年，管理费低于行业平均水平。',
          'The fund is to run for ten years, at a fee below the usual one.',
        ],
        [
          '该机构此前的基金主要投向早期项目。',
          'Its earlier funds went mostly into young companies.',
        ],
      ],
    },
    {
      titles: [
        ['{firm}新基金首次关账{first}', '{firm} reaches a first close at {first}'],
        ['{firm}新基金已到位{first}，目标{sum}', '{firm} has {first} of the {sum} it wants'],
        ['{firm}首轮募集{first}', '{firm} collects {first} in its first close'],
      ],
      leads: [
        [
          '{firm}的新基金完成首次关账，规模{first}，目标仍为{sum}。',
          "{firm}'s new fund has reached a first close at {first}; its target stays {sum}.",
        ],
      ],
      details: [
        ['该基金于{ago}前公布。', 'The fund was announced {ago} ago.'],
        [
          '{who}称，投资者以家族办公室和养老金为主。',
          'Family offices and pension funds are in it, says {who}.',
        ],
        ['资金将分批投向{field}。', 'The money will go into {field} step by step.'],
      ],
    },
    {
      titles: [
        ['{firm}以{sum}完成基金募集', '{firm} closes its fund at {sum}'],
        [
          '{firm}{sum}新基金募集完毕，{backers}家机构参与',
          '{backers} investors in as {firm} closes at {sum}',
        ],
        ['{firm}新基金达到{sum}目标', "{firm}'s new fund reaches its {sum} target"],
      ],
      leads: [
        [
          '{firm}宣布基金募集完成，规模{sum}，共有{backers}家机构参与。',
          '{firm} has closed its fund at {sum}; {backers} institutions took part.',
        ],
      ],
      details: [
        [
          '首次关账在{ago}前完成，当时到位{first}。',
          'A first close {ago} ago had brought {first}.',
        ],
        ['{who}表示，首批项目已在尽职调查中。', 'First companies are being looked at, says {who}.'],
        ['基金将重点关注{field}。', 'Its focus is on {field}.'],
      ],
    },
    {
      titles: [
        ['{firm}新基金首投{field}项目', "{firm}'s new fund makes its first bet, on {field}"],
        ['{firm}向{field}团队投资{ticket}', '{firm} puts {ticket} into a team for {field}'],
        ['{firm}领投{ticket}，押注{field}', '{firm} leads a round of {ticket} in {field}'],
      ],
      leads: [
        [
          '{firm}动用新基金向一家从事{field}的初创公司投资{ticket}。',
          '{firm} has put {ticket} of its new fund into a young company that works on {field}.',
        ],
      ],
      details: [
        ['该基金{ago}前以{sum}完成募集。', 'The fund closed at {sum} {ago} ago.'],
        ['{who}将加入该公司董事会。', '{who} joins the board of the company.'],
        [
          '被投公司计划在一年内将团队扩大一倍。',
          'The company wants to double its staff within a year.',
        ],
      ],
    },
  ],
)
