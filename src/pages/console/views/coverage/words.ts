/** Texts of the coverage view. */
import { wording } from '../../shell/words.ts'

export const say = wording({
  title: ['Coverage', '契约覆盖'],
  about: [
    'Which sentences of the contract clients of this sandbox have met',
    '此沙盒的客户端遇到过契约的哪些条款',
  ],
  share: [
    '{percent} % of the requirements were met: {met} of {total}.',
    '已遇到 {percent} % 的要求：{total} 条中的 {met} 条。',
  ],
  kind: ['Kind', '类别'],
  requirement: ['Requirements', '要求'],
  operation: ['Operations', '接口'],
  parameter: ['Parameters', '参数'],
  cap: ['Caps', '上限截断'],
  refusal: ['Refusals', '拒绝'],
  channel: ['Channels', '频道'],
  transition: ['Transitions', '状态变化'],
  scenario: ['Scenarios', '场景'],
  state: ['State', '状态'],
  never: ['Never met', '从未遇到'],
  met: ['Met', '已遇到'],
  handled: ['Handled', '已妥善处理'],
  of: ['Of', '总数'],
  item: ['What is met', '内容'],
  section: ['Section', '章节'],
  count: ['Times', '次数'],
  shownBy: ['Shown by', '判断依据'],
  sequel: ['the next step of the client', '客户端的下一步'],
  claim: ['a claim', '客户端的声明'],
  questions: ['Rests on open questions', '基于未决问题'],
  leniencies: ['Accepted beyond the contract', '超出契约但被接受'],
  beyond: ['Not in the contract', '契约中没有'],
})

export type Word = Parameters<typeof say>[0]
