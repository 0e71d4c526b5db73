/** Open questions of trusts, alerts, news and indicators, in Chinese. */
import type { CONTENT_QUESTIONS as CONTENT } from '../../../../contract/questions/content.ts'
import type { INDICATOR_QUESTIONS } from '../../../../contract/questions/indicator.ts'
import type { MIX_QUESTIONS } from '../../../../contract/questions/mix.ts'
import type { SIGNAL_QUESTIONS } from '../../../../contract/questions/signal.ts'
import type { QuestionTexts } from './question-texts.ts'

export const CONTENT_QUESTIONS: QuestionTexts<
  typeof MIX_QUESTIONS & typeof SIGNAL_QUESTIONS & typeof CONTENT & typeof INDICATOR_QUESTIONS
> = {
  'fundco-scale-unit': {
    question: '基金信托总额的单位是什么？',
    answers: { coin: '币。', usd: '美元；没有价格的币种不计。' },
  },
  'nav-trades': {
    question: '导航项的 `trades` 是什么？',
    answers: {
      recent: '交易对的最新成交；指数没有。格式由我们自定。',
      empty: '始终为空数组。',
    },
  },
  'stock-market-form': {
    question: '股票市场是一条记录还是记录列表？',
    answers: {
      one: '`detail` 是一条记录：加密概念股指数。',
      list: '`detail` 是列表：先是指数，然后每只股票一条记录。',
    },
  },
  'alert-failure': {
    question: '提醒无法设置或删除时，服务如何告知？',
    answers: {
      result: '成功，但 `result` 为 "false"。',
      error: 'HTTP 200，`success` 为 false，并带有见过的文本。',
    },
  },
  'alert-repeats': {
    question: '已触发的提醒会再次触发吗？',
    answers: {
      once: '不会：只列出一次，时间为首次触发。',
      each: '会：每次条件成立都会列出。价格提醒只触发一次。',
    },
  },
  'strategy-signal-order': {
    question: '策略信号按什么顺序列出？',
    answers: { oldest: '最早的在前。', newest: '最新的在前。' },
  },
  'flash-createtime': {
    question: '`createtime` 选取哪些行业快讯？',
    answers: { older: '在此之前发布的快讯。', newer: '在此之后发布的快讯。' },
  },
  'news-absent': {
    question: '对不存在的 id，news-detail 返回什么？',
    answers: {
      403: 'HTTP 200，`success` 为 false，`errorCode` 为 403。',
      404: 'HTTP 404，`errorCode` 为 404。',
      null: '成功，`data` 为 null，与按 id 查询订单相同。',
    },
  },
  'news-language': {
    question: '中文新闻的 `language` 是文档记载的两个数字中的哪一个？',
    answers: { 0: '数字 0。', 10: '数字 10。' },
  },
  'news-list-language': {
    question: '新闻列表中的文章是什么语言？',
    answers: { both: '各用其原文语言。', cn: '全部为中文。', en: '全部为英文。' },
  },
  'rss-language': {
    question: '其他网站的新闻是什么语言？',
    answers: { cn: '全部为中文。', en: '全部为英文。', both: '各用其原文语言。' },
  },
  'indicator-form': {
    question: '指标的 `kline_data` 是什么内容？',
    answers: {
      columns: '每列一个列表：`{"time": [...], "value": [...]}`。',
      records: '每个周期一条记录：`[{"time": ..., "value": ...}]`。',
    },
  },
  'indicator-unknown': {
    question: '对不存在的交易对或指标，K线接口返回什么？',
    answers: { empty: '没有行，各列没有值。', refuse: 'HTTP 400，并指明交易对或参数的名称。' },
  },
  'kline-numbers': {
    question: '普通K线各行中的数值是文本吗？',
    answers: { number: 'JSON 数字。', text: '十进制文本，时间除外。' },
  },
  'kline-since': {
    question: '`since` 是K线的终点还是起点？',
    answers: {
      end: '最新的周期包含该时间。',
      begin: '最早的周期包含该时间；不带此参数时返回最新的K线。',
    },
  },
  'trading-pair-parts': {
    question: '交易对列表中，每个交易对的两个字符串是什么？',
    answers: {
      name: '代码 `btcswapusdt:binance` 和名称。',
      split: '代码拆成两部分：`btcswapusdt` 和 `binance`。',
    },
  },
  'large-trade-accounts': {
    question: '指标 aibst 的 `buyAccount` 和 `sellAccount` 是什么？',
    answers: {
      accounts: '以大单买入和卖出的账户数。',
      value: '以大单买入和卖出的金额，单位为美元。',
    },
  },
  'aggregate-trade-type': {
    question: '指标 aiaggtrade 的 `trade_type` 是什么？',
    answers: { side: '`buy` 或 `sell`。', market: '`spot` 或 `futures`。' },
  },
}
