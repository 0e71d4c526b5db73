/** Open questions of fills, liquidations, market and orders of the perpetual DEX, in Chinese. */
import type { PERPDEX_FILL_QUESTIONS } from '../../../../contract/questions/perpdex/fills.ts'
import type * as liquidations from '../../../../contract/questions/perpdex/liquidations.ts'
import type { PERPDEX_MARKET_QUESTIONS } from '../../../../contract/questions/perpdex/market.ts'
import type { PERPDEX_ORDER_QUESTIONS } from '../../../../contract/questions/perpdex/orders.ts'
import type { QuestionTexts } from './question-texts.ts'

export const PERPDEX_QUESTIONS: QuestionTexts<
  typeof PERPDEX_FILL_QUESTIONS &
    typeof liquidations.PERPDEX_LIQUIDATION_QUESTIONS &
    typeof PERPDEX_MARKET_QUESTIONS &
    typeof PERPDEX_ORDER_QUESTIONS
> = {
  'fill-form': {
    question: '按地址和按订单查询的成交采用哪种格式？',
    answers: { simple: '简化格式。', native: '原生格式，不含 `address`。' },
  },
  'twap-fill-form': {
    question: 'TWAP 的成交采用哪种格式？',
    answers: {
      slice: '`coin`、值为 B 或 A 的 `side`、`px`、`sz`、`time`、`twapId`。',
      native: '原生格式，与在其他成交接口上见过的相同。',
      simple: '简化格式。',
    },
  },
  'builder-fill-ids': {
    question: 'builder 的成交有 `tid` 和 `twapId` 吗？',
    answers: { present: '有。', absent: '没有。' },
  },
  'liquidation-window': {
    question: '不带 `interval` 时，强平汇总的时间窗口是多长？',
    answers: { '1m': '一分钟。', '1h': '一小时。', '1d': '一天。' },
  },
  'top-positions-interval': {
    question: '不带 `interval` 时，最大强平持仓列表返回什么？',
    answers: { '1d': '一天的数据。', refuse: 'HTTP 400：缺少该参数。' },
  },
  'estimated-heatmap-interval': {
    question: '不带 `interval` 时，预估强平热力图显示哪些持仓？',
    answers: { all: '所有当前持仓。', day: '最近一天内开仓的持仓。' },
  },
  'top-coins-window': {
    question: '查询持仓量最大的币种时，`interval` 有什么作用？',
    answers: {
      traded: '不计周期内没有成交的币种；其他币种的全部持仓都计入。',
      opened: '只计入周期内开仓的持仓。',
    },
  },
  'open-interest-step': {
    question: '持仓量历史相邻两点的间隔是多少？',
    answers: {
      few: '每个窗口至少三步：三天的窗口为一天，15 分钟的窗口为 5 分钟。',
      fine: '每个窗口至少二十四步：三天的窗口为一小时，15 分钟的窗口为一分钟。',
    },
  },
  'taker-delta-interval': {
    question: '不带 `interval` 时，累计主动买卖差返回什么？',
    answers: { hour: '最近一小时。', refuse: 'HTTP 400：缺少该参数。' },
  },
  'book-summary-unit': {
    question: '订单簿汇总中数量的单位是什么？',
    answers: { coin: '以币计。', usd: '价格 × 数量，以计价货币计。' },
  },
  'info-types': {
    question: '对在服务上见过被拒绝的类型，POST /info 会响应吗？',
    answers: {
      documented: '否：未知类型得到 HTTP 200，返回码为 "400"。',
      all: '是：原始模式的沙箱所具有的永续交易所的全部类型。',
    },
  },
  'order-form': {
    question: '按地址和按 id 查询的订单采用哪种格式？',
    answers: {
      flat: '扁平格式，`oid` 为文本。',
      nested: '`{order, status, statusTimestamp}`，与交易所相同。',
    },
  },
  'order-status-spelling': {
    question: '已撤销订单的状态如何拼写？',
    answers: {
      'by-form':
        '订单的简化格式用 `cancelled`；交易所的所有格式（嵌套订单、POST /info、推送）用 `canceled`。',
      cancelled: '一律为 `cancelled`。',
      canceled: '一律为 `canceled`。',
    },
  },
  'open-order-triggers': {
    question: '市场的当前委托包括等待触发的订单吗？',
    answers: { absent: '不包括，只有订单簿中的挂单。', present: '包括。' },
  },
  'distance-sign': {
    question: '大额挂单低于最新价时，`distPct` 为负吗？',
    answers: { signed: '是。', absolute: '否，从不为负。' },
  },
}
