/** An authority makes a rule: consultation, responses, the rule, its first day. */
import { counted, story, TOPICS } from './story.ts'

export const ruleMaking = story(
  ({ random, institution: { isFavourable } }) => ({
    topic: random.pick(TOPICS),
    days: counted(random.between(4, 9) * 5, '天', 'days'),
    letters: random.between(40, 380),
    aim: isFavourable
      ? { cn: '简化要求', en: 'simplify what is asked of firms' }
      : { cn: '收紧要求', en: 'tighten what is asked of firms' },
    share: random.between(52, 81),
    firms: random.between(25, 140),
  }),
  [
    {
      titles: [
        ['{firm}就{topic}公开征求意见', '{firm} consults on {topic}'],
        ['{firm}拟修订{topic}规则', '{firm} wants new rules for {topic}'],
        ['{firm}：{topic}新规征求意见为期{days}', '{firm} asks for views on {topic} within {days}'],
      ],
      leads: [
        [
          '{firm}就{topic}规则公开征求意见，为期{days}，目的是{aim}。',
          '{firm} has opened a consultation of {days} on {topic}, in order to {aim}.',
        ],
      ],
      details: [
        ['{who}表示，约{firms}家机构将受影响。', 'It concerns about {firms} firms, says {who}.'],
        ['现行规则在新规生效前继续适用。', 'Present rules stay until then.'],
        ['草案已全文公布。', 'The draft has been published in full.'],
      ],
    },
    {
      titles: [
        ['{firm}收到{letters}份关于{topic}的意见', '{firm} has {letters} letters on {topic}'],
        ['{topic}：{share}%的意见支持{firm}草案', '{share}% support {firm} on {topic}'],
        ['{firm}公布{topic}意见摘要', '{firm} publishes what it heard on {topic}'],
      ],
      leads: [
        [
          '{firm}迄今收到{letters}份关于{topic}的意见，其中{share}%支持草案。',
          '{firm} has received {letters} letters on {topic} so far; {share}% support its draft.',
        ],
      ],
      details: [
        ['征求意见于{ago}前开始。', 'The consultation was opened {ago} ago.'],
        ['{who}称，方向不变：{aim}。', 'The aim stays to {aim}, says {who}.'],
        ['反对意见主要涉及过渡期。', 'Those against it want more time.'],
      ],
    },
    {
      titles: [
        ['{firm}通过{topic}新规', '{firm} adopts its rule on {topic}'],
        [
          '{firm}敲定{topic}规则，{firms}家机构受影响',
          "{firm}'s rule on {topic} will bind {firms} firms",
        ],
        ['{topic}新规落地：{firm}{aim}', '{firm} to {aim}: {topic}'],
      ],
      leads: [
        [
          '{firm}通过{topic}新规，以{aim}，适用于约{firms}家机构。',
          '{firm} has adopted a rule on {topic} to {aim}; it binds about {firms} firms.',
        ],
      ],
      details: [
        [
          '{ago}前公布的{letters}份意见大多被采纳。',
          'Most of the {letters} letters of {ago} ago were heeded.',
        ],
        ['{who}表示，规则将在数日内生效。', 'It takes effect within days, says {who}.'],
        ['小型机构有更长的过渡期。', 'Small firms are given more time.'],
      ],
    },
    {
      titles: [
        ['{firm}的{topic}新规生效', "{firm}'s rule on {topic} takes effect"],
        ['{topic}新规今起适用于{firms}家机构', '{topic}: {firms} firms under a new rule of {firm}'],
      ],
      leads: [
        [
          '{firm}{ago}前通过的{topic}新规正式生效。',
          'The rule on {topic} that {firm} adopted {ago} ago has taken effect.',
        ],
      ],
      details: [
        [
          '{who}称，首次检查将在季度末进行。',
          'First checks come at the end of the quarter, says {who}.',
        ],
        ['规则旨在{aim}。', 'The rule is to {aim}.'],
        ['约{firms}家机构已提交声明。', 'About {firms} firms have filed their statements.'],
      ],
    },
  ],
)
