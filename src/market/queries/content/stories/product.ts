/** A company builds a product: test, audit, launch, first figures. */

import { institutionsOfKind } from './institutions.ts'
import { FIELDS, grouped, story } from './story.ts'

export const product = story(
  ({ world, random }) => ({
    field: random.pick(FIELDS),
    testers: grouped(50 * random.between(3, 40)),
    flaws: random.between(1, 6),
    users: grouped(1000 * random.between(6, 90)),
    version: `${random.between(1, 4)}.${random.between(0, 9)}`,
    auditor: random.pick(institutionsOfKind(world)('research')).name,
  }),
  [
    {
      titles: [
        ['{firm}启动{field}产品公测', '{firm} opens a public test for {field}'],
        [
          '{firm}测试网上线，{testers}人参与',
          '{firm} goes live on a test network with {testers} testers',
        ],
        [
          '{firm}邀请{testers}名用户试用{field}产品',
          '{firm} invites {testers} users to try {field}',
        ],
      ],
      leads: [
        [
          '{firm}启动{field}产品公开测试，首批{testers}名用户参与。',
          '{firm} has begun a public test of its product for {field} with {testers} users.',
        ],
      ],
      details: [
        [
          '{who}表示，测试通过后将进行独立审计。',
          'An independent audit follows the test, says {who}.',
        ],
        ['测试期间不涉及真实资金。', 'No real money is involved in the test.'],
        ['软件版本为{version}。', 'The software is version {version}.'],
      ],
    },
    {
      titles: [
        ['{auditor}完成对{firm}的审计', '{auditor} completes its audit of {firm}'],
        ['{firm}公布审计结果：{flaws}处问题均已修复', '{firm} mends {flaws} findings of an audit'],
        ['{firm}{field}产品通过审计', "{firm}'s product for {field} passes its audit"],
      ],
      leads: [
        [
          '{auditor}完成对{firm}{field}产品的审计，发现的{flaws}处问题均已修复。',
          '{auditor} has audited {firm} for {field}; all {flaws} findings have been mended.',
        ],
      ],
      details: [
        [
          '公开测试于{ago}前开始，共有{testers}名用户参与。',
          'The public test began {ago} ago with {testers} users.',
        ],
        ['{who}称，报告全文已公开。', 'The report is public, says {who}.'],
        ['没有一处问题被评为严重。', 'None of the findings was rated critical.'],
      ],
    },
    {
      titles: [
        ['{firm}正式推出{field}产品', '{firm} launches its product for {field}'],
        ['{firm} {version} 版上线，面向{field}', '{firm} releases version {version} for {field}'],
        ['{firm}的{field}服务今日开放', "{firm}'s service for {field} opens"],
      ],
      leads: [
        [
          '{firm}正式上线{field}产品 {version} 版，分阶段向用户开放。',
          '{firm} has launched version {version} of its product for {field}; it opens in stages.',
        ],
      ],
      details: [
        ['{ago}前，{auditor}公布了审计结果。', '{auditor} published its audit {ago} ago.'],
        ['{who}负责该产品。', '{who} leads the product.'],
        ['参与测试的{testers}名用户可优先使用。', 'The {testers} testers are let in first.'],
      ],
    },
    {
      titles: [
        ['{firm}：{field}产品首批用户达{users}', '{firm} counts {users} users in {field}'],
        ['{firm}上线后用户数达到{users}', '{users} users for {firm} after its launch'],
        ['{firm}公布{field}产品首批数据', '{firm} gives first figures for {field}'],
      ],
      leads: [
        [
          '{firm}表示，{field}产品上线{ago}以来，用户数达到{users}。',
          '{firm} counts {users} users of its product for {field}, {ago} after its launch.',
        ],
      ],
      details: [
        ['{who}称，系统运行稳定，没有中断。', 'There was no interruption, says {who}.'],
        ['下一个版本预计在年内推出。', 'The next version is due within the year.'],
        ['该公司没有公布收入数据。', 'The company gave no figures of revenue.'],
      ],
    },
  ],
)
