/** Open questions of positions, traders and whales of the perpetual DEX, in Chinese. */

import type * as positions from '../../../../../contract/questions/perpdex/positions.ts'
import type { PERPDEX_TRADER_QUESTIONS } from '../../../../../contract/questions/perpdex/traders.ts'
import type { PERPDEX_WHALE_QUESTIONS } from '../../../../../contract/questions/perpdex/whales.ts'
import type { QuestionTexts } from './question-texts.ts'

export const TRADER_QUESTIONS: QuestionTexts<
  typeof positions.PERPDEX_POSITION_QUESTIONS &
    typeof PERPDEX_TRADER_QUESTIONS &
    typeof PERPDEX_WHALE_QUESTIONS
> = {
  'completed-by-time-form': {
    question: '按时间查询的已平仓交易采用哪种格式？',
    answers: {
      paged: '已平仓交易的 `{list, total, pageNum, pageSize}`。',
      seen: '无分页的列表，含 `direction`、`closePrice`、`totalFee`、`marginMode`，时间为文本。',
    },
  },
  'completed-by-time-coin': {
    question: '小写的 `coin` 能过滤按时间查询的已平仓交易吗？',
    answers: { ignored: '不能：只有 `Coin` 可以。', counts: '能，与 `Coin` 相同。' },
  },
  'trader-period': {
    question: '不带 `period` 时，最佳交易和账户数据返回什么？',
    answers: { 0: '全部时间。', 7: '七天。', refuse: 'HTTP 400：缺少该参数。' },
  },
  'position-interval': {
    question: '不带 `interval` 时，持仓的盈亏和成交返回什么？',
    answers: { '1h': '按小时。', refuse: 'HTTP 400：缺少该参数。' },
  },
  'position-absent': {
    question: '不存在的已平仓持仓返回什么 HTTP 状态码？',
    answers: { 200: 'HTTP 200，返回码为 "400"。', 400: 'HTTP 400。' },
  },
  'position-liquidation-name': {
    question: '持仓历史中强平价的字段名是什么？',
    answers: { liquidationPx: '`liquidationPx`。', liqPrice: '`liqPrice`，且仅在持仓未平时存在。' },
  },
  'pnl-point-names': {
    question: '盈亏曲线每个点的两个字段叫什么？',
    answers: {
      documented: '盈亏接口中为 `time` 和 `pnl`，`pnlList` 中为 `ts` 和 `v`。',
      short: '一律为 `ts` 和 `v`，与见过的相同。',
      long: '一律为 `time` 和 `pnl`。',
    },
  },
  'dex-unknown': {
    question: '请求不存在的 `dex` 得到什么响应？',
    answers: {
      refuse:
        'HTTP 400，并列出已知名称；订阅被拒绝，WebSocket 不会打开。' +
        '两种答案下，未知 dex 的 universe 均为 null。',
      empty: '空账户的数据：零和空列表。',
    },
  },
  'portfolio-builder-dexes': {
    question: '投资组合的账户价值包括 builder dex 上的权益吗？',
    answers: {
      'left-out': '不包括：最后一点是 `totalValue`。',
      counted: '包括：最后一点是 `totalValue` 加 `builderPerpValue`。',
    },
  },
  'window-days': {
    question: '不带 `days` 时，回撤和净流入返回什么？',
    answers: { 7: '一周。', 30: '一个月。', refuse: 'HTTP 400：缺少该参数。' },
  },
  'drawdown-net-in': {
    question: '回撤的 `netIn` 涵盖哪段时间？',
    answers: { between: '从高点到低点。', window: '请求的全部天数：净流入的 `netPerpIn`。' },
  },
  'batch-drawdown-keys': {
    question: '批量回撤的字段如何拼写？',
    answers: {
      capitals: '`Address`、`High`、`Low`、`MaxDrawdown`、`NetIn`。',
      both: '上述字段，以及 `address`、`high`、`low`、`maxDrawdown`、`netIn`。',
    },
  },
  'batch-most': {
    question: '批量查询账户或账户状态时，返回多少个地址？',
    answers: { 50: '前 50 个。', 2000: '前 2000 个。' },
  },
  'account-mode': {
    question: '账户的现货与永续共用保证金吗？',
    answers: {
      'by-account': '因账户而异：约四分之一的账户为统一保证金。',
      separated: '所有账户都不共用：`totalValue` 为现货、永续、质押与金库之和。',
      unified:
        '所有账户都共用：`spotValue` 与现货余额中的美元包含主 dex 的权益，`totalValue` 不再重复计入。',
    },
  },
  'page-beyond-last': {
    question: '搜索或分页列表的页码超过最后一页时，返回什么？',
    answers: {
      last: '再次返回可请求的最后一页，因此一直读到空页的循环不会结束。',
      refuse: 'HTTP 400：页码无效。',
    },
  },
  'smart-find-form': {
    question: '查找聪明钱返回列表还是分页？',
    answers: { list: '无分页的列表。', page: '分页：`list`、`total`、`pageNum`、`pageSize`。' },
  },
  'whale-funding-sign': {
    question: '巨鲸的 `fundingFee` 在支付时为正，还是在收取时为正？',
    answers: { paid: '支付时为正。', received: '收取时为正。' },
  },
  'whale-ratio-order': {
    question: '巨鲸多头占比的历史是最早的在前，还是最新的在前？',
    answers: { oldest: '最早的在前。', newest: '最新的在前。' },
  },
  'whale-event-coin': {
    question: '巨鲸动态会使用客户端发送的 `coin` 吗？',
    answers: { filtered: '会。', ignored: '不会，返回所有币种。' },
  },
}
