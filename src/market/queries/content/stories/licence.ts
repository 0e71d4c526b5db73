/** A bank applies for a licence, and an authority decides according to its stance. */
import { institutionsOfKind } from './institutions.ts'
import { type StorySetting, story } from './story.ts'

const SERVICES = [
  { cn: '加密资产托管', en: 'the custody of crypto assets' },
  { cn: '稳定币发行', en: 'the issue of a stablecoin' },
  { cn: '加密资产交易', en: 'trading in crypto assets' },
  { cn: '质押服务', en: 'staking services' },
]

const authorityOf = ({ world, random }: StorySetting) =>
  random.pick(institutionsOfKind(world)('authority'))

export const licence = story(
  (setting) => {
    const authority = authorityOf(setting)
    const { random } = setting
    const isGranted = authority.isFavourable
    return {
      authority: authority.name,
      service: random.pick(SERVICES),
      pages: 10 * random.between(12, 60),
      clients: random.between(12, 90),
      decides: isGranted ? { cn: '批准', en: 'grants' } : { cn: '驳回', en: 'turns down' },
      decided: isGranted ? { cn: '批准', en: 'granted' } : { cn: '驳回', en: 'turned down' },
      because: isGranted
        ? { cn: '该局认为其内部控制符合要求', en: 'it finds the controls sufficient' }
        : { cn: '该局认为其内部控制仍有不足', en: 'it finds the controls insufficient' },
      next: isGranted
        ? { cn: '将分阶段开放服务', en: 'will open the service in stages' }
        : { cn: '将搁置该项服务', en: 'will shelve the service' },
      follows: isGranted
        ? { cn: '首批客户', en: 'first clients of' }
        : { cn: '不再推进', en: 'end of the plans for' },
    }
  },
  [
    {
      titles: [
        ['{firm}向{authority}申请{service}牌照', '{firm} asks {authority} to license {service}'],
        ['{firm}拟开展{service}', '{firm} wants a licence for {service}'],
        ['{authority}收到{firm}的{service}申请', '{authority} has an application from {firm}'],
      ],
      leads: [
        [
          '{firm}已向{authority}提交{service}牌照申请，文件共{pages}页。',
          '{firm} has applied to {authority} for a licence for {service}, on {pages} pages.',
        ],
      ],
      details: [
        ['{who}表示，审查期通常为数日至数周。', 'A review takes days to weeks, says {who}.'],
        ['在获批前不会开展相关业务。', 'Nothing is offered before there is a licence.'],
        ['约{clients}家机构客户表示有兴趣。', 'About {clients} institutions have shown interest.'],
      ],
    },
    {
      titles: [
        ['{authority}开始审查{firm}的申请', '{authority} begins to review {firm}'],
        ['{firm}的{service}申请进入审查', "{firm}'s licence for {service} is under review"],
        [
          '{authority}受理{firm}{pages}页申请材料',
          '{authority} accepts the {pages} pages of {firm}',
        ],
      ],
      leads: [
        [
          '{authority}确认材料齐全，开始审查{firm}的{service}申请。',
          '{authority} finds the papers complete and has begun to review {firm} for {service}.',
        ],
      ],
      details: [
        ['申请于{ago}前提交。', 'The application was made {ago} ago.'],
        ['{who}称，已安排现场检查。', 'A visit on site is arranged, says {who}.'],
        ['结果公布前该局不作评论。', 'The authority does not comment before its decision.'],
      ],
    },
    {
      titles: [
        [
          '{authority}{decides}{firm}的{service}牌照',
          '{authority} {decides} the licence of {firm}',
        ],
        ['{firm}的{service}申请被{decided}', '{firm}: licence for {service} {decided}'],
      ],
      leads: [
        [
          '{authority}{decided}{firm}的{service}牌照申请，{because}。',
          '{authority} has {decided} the licence of {firm} for {service}: {because}.',
        ],
      ],
      details: [
        ['审查自{ago}前开始。', 'The review had begun {ago} ago.'],
        ['{who}表示尊重该决定。', '{who} says that the bank accepts the decision.'],
        ['决定即日生效。', 'The decision takes effect at once.'],
      ],
    },
    {
      titles: [
        ['{firm}{next}：{service}', '{firm} {next}'],
        ['{firm}{service}业务后续：{follows}', '{firm}: {follows} {service}'],
      ],
      leads: [
        [
          '在{authority}{ago}前作出决定后，{firm}表示{next}。',
          '{firm} {next}, {ago} after the decision of {authority} on {service}.',
        ],
      ],
      details: [
        [
          '{who}称，约{clients}家机构客户已获通知。',
          'About {clients} institutions were told, says {who}.',
        ],
        ['该行其他业务不受影响。', 'Its other business is not affected.'],
      ],
    },
  ],
)
