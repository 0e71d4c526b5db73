/** Open questions of stocks, futures, indexes and coins, in Chinese. */
import type { COIN_QUESTIONS } from '../../../../../contract/questions/coin.ts'
import type { FUTURES_QUESTIONS } from '../../../../../contract/questions/futures.ts'
import type { INDEX_QUESTIONS } from '../../../../../contract/questions/index.ts'
import type { STOCK_QUESTIONS } from '../../../../../contract/questions/stock.ts'
import type { QuestionTexts } from './question-texts.ts'

export const MARKET_QUESTIONS: QuestionTexts<
  typeof STOCK_QUESTIONS & typeof FUTURES_QUESTIONS & typeof INDEX_QUESTIONS & typeof COIN_QUESTIONS
> = {
  'stock-times': {
    question: '股票数据的时间单位是什么？',
    answers: { ms: '毫秒。', s: '秒。' },
  },
  'stock-ticker-form': {
    question: '股票行情和公司的 `ticker` 是什么？',
    answers: { key: '与请求一致，`i:mstr:nasdaq`。', symbol: '仅为代码，`MSTR`。' },
  },
  'stock-quote-close': {
    question: '盘中股票行情的 `close` 是什么？',
    answers: { present: '最新价。', previous: '前一日的收盘价。' },
  },
  'stock-quote-day': {
    question: '股票行情有 `open_today`、`start_ts` 和 `end_ts` 吗？',
    answers: { absent: '没有。', present: '有。' },
  },
  'stock-change-rate': {
    question: '`change_rate` 是百分数吗？',
    answers: { percent: '1.5 表示 1.5%。', fraction: '0.015 表示 1.5%。' },
  },
  'stock-no-market': {
    question: '未指定市场时，对哪些股票排名？',
    answers: { all: '两个市场的股票。', none: '不返回股票。' },
  },
  'stock-unknown': {
    question: '请求不存在的公司得到什么响应？',
    answers: {
      500: 'HTTP 500。',
      refuse: 'HTTP 400，内容为 "Unsupported symbol"。',
      null: '成功，`data` 为 null。',
    },
  },
  'unknown-pair': {
    question: '对不存在的交易对，完整深度和聚合深度返回什么？',
    answers: { refuse: 'HTTP 400，内容为 "Unsupported symbol"。', empty: '空订单簿。' },
  },
  'unknown-symbol': {
    question: '对不存在的代码，衍生品历史数据返回什么？',
    answers: { refuse: 'HTTP 400，内容为 "Unsupported symbol"。', empty: '空列表。' },
  },
  'latest-depth-size': {
    question: '不带 `size` 时，latest-depth 每边返回多少档？',
    answers: { 20: '20 档。', 100: '100 档。', 500: '与上限相同：500 档。' },
  },
  'history-coverage': {
    question: '哪些币种和周期有资金费率和持仓量？',
    answers: {
      all: '契约列出的全部。',
      seen: '仅 BTC，资金费率仅有 5m、15m、30m 和 8h；其余返回空列表。',
    },
  },
  'history-excess': {
    question: '`start_time` 之后的周期多于 `limit` 时，返回哪些？',
    answers: { newest: '`end_time` 之前最新的。', oldest: '`start_time` 之后最早的。' },
  },
  'funding-history-code': {
    question: '资金费率历史的 `code` 是文本还是数字？',
    answers: { text: '文本 `"0"`。', integer: '数字 `0`。' },
  },
  'coin-margin-coins': {
    question: '哪些币种有币本位合约的持仓量？',
    answers: {
      all: '所有有币本位合约的币种。',
      btc: '仅 BTC；其他币种得到 HTTP 400，内容为 "Only BTC-related symbols are supported"。',
    },
  },
  'quiet-liquidations': {
    question: '某周期没有强平时，强平历史显示什么？',
    answers: { zero: '一条全为零的记录。', absent: '不显示。' },
  },
  'estimated-liquidation-cells': {
    question: '预估强平各单元格中的数值是文本吗？',
    answers: { text: '十进制文本。', number: 'JSON 数字。' },
  },
  'futures-interest-fields': {
    question: '合约持仓列表中的 `trade` 和 `vol_coin` 是什么？',
    answers: {
      interest: '持仓量：其价值，以及以币计的数量。',
      turnover: '24 小时成交：成交额，以及以币计的成交量。',
    },
  },
  'index-info-signature': {
    question: '指数说明无需签名就能访问吗？',
    answers: { signed: '不能，与其他接口一样需要签名。', open: '能，任何人都可以访问。' },
  },
  'index-without-price': {
    question: '有没有价格的指数吗？',
    answers: {
      none: '没有。',
      dash: '有，其他市场的两个：`i:vix:cboe` 和 `i:diniw:ice`，所有数值均为 `-`。',
    },
  },
  'index-unknown': {
    question: '请求不存在的指数键得到什么响应？',
    answers: {
      304: 'HTTP 200，errorCode 为 304，`invalid_key`。',
      400: 'HTTP 400，errorCode 为 400，`invalid_key`。',
    },
  },
  'coin-ticker-variant': {
    question: '币种行情采用文档记载的两种格式中的哪一种？',
    answers: {
      current: '含 7 日涨跌幅和净流入。',
      older: '不含上述字段，但有 `usdt_funding_rate` 和 `usd_funding_rate`。',
    },
  },
}
