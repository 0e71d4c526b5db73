/** Texts of the open questions, in Chinese. */

import type { AUTHENTICATION_QUESTIONS } from '../../../../../contract/questions/authentication.ts'
import type { CONTENT_QUESTIONS as CONTENT } from '../../../../../contract/questions/content.ts'
import type { DISTRIBUTOR_QUESTIONS } from '../../../../../contract/questions/distributor.ts'
import type { ERRORS_QUESTIONS } from '../../../../../contract/questions/errors.ts'
import type { INDICATOR_QUESTIONS } from '../../../../../contract/questions/indicator.ts'
import type { LIMITS_QUESTIONS } from '../../../../../contract/questions/limits.ts'
import type { MIX_QUESTIONS } from '../../../../../contract/questions/mix.ts'
import type { PERPDEX_FILL_QUESTIONS } from '../../../../../contract/questions/perpdex/fills.ts'
import type * as liquidations from '../../../../../contract/questions/perpdex/liquidations.ts'
import type { PERPDEX_MARKET_QUESTIONS } from '../../../../../contract/questions/perpdex/market.ts'
import type { PERPDEX_ORDER_QUESTIONS } from '../../../../../contract/questions/perpdex/orders.ts'
import type { SIGNAL_QUESTIONS } from '../../../../../contract/questions/signal.ts'
import type { SOCKETS_QUESTIONS } from '../../../../../contract/questions/sockets.ts'
import type { VENUE_QUESTIONS } from '../../../../../contract/questions/venue.ts'
import type { QUESTIONS } from '../../../../../contract/questions.ts'
import { MARKET_QUESTIONS } from './market-questions.ts'
import type { QuestionTexts } from './question-texts.ts'
import { TRADER_QUESTIONS } from './trader-questions.ts'

/** Open questions of trusts, alerts, news and indicators, in Chinese. */
const CONTENT_QUESTIONS: QuestionTexts<
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

/** Open questions of keys, refusals, limits and distributors, in Chinese. */
const ACCESS_QUESTIONS: QuestionTexts<
  typeof AUTHENTICATION_QUESTIONS &
    typeof ERRORS_QUESTIONS &
    typeof LIMITS_QUESTIONS &
    typeof DISTRIBUTOR_QUESTIONS
> = {
  'nonce-reuse': {
    question: '同一个 SignatureNonce 可以使用两次吗？',
    answers: {
      accept: '不保存 nonce。',
      reject: '在 Timestamp 有效期内重复使用的 nonce 视为签名无效。',
    },
  },
  'disabled-key': {
    question: '已停用的密钥得到什么响应？',
    answers: {
      signature: '与不存在的密钥相同：签名无效。',
      permission: 'HTTP 403，内容为 "Permission denied: KEY_DISABLED"。',
    },
  },
  'refusal-status': {
    question: '缺少参数和签名无效时，HTTP 状态码是什么？',
    answers: { http: 'HTTP 400 和 401。', ok: 'HTTP 200，返回码只在响应结构中。' },
  },
  'over-rate': {
    question: '密钥超过每分钟限频时得到什么响应？',
    answers: {
      200: 'HTTP 200，响应结构中的返回码为 "429"。',
      403: 'HTTP 403，返回码为 "403"，并带有在服务上见过的消息。',
      429: 'HTTP 429，返回码为 "429"。',
      'retry-after': '同上，并带有以秒为单位的 `Retry-After` 响应头。',
    },
  },
  'over-quota': {
    question: '密钥的月度配额用尽时得到什么响应？',
    answers: {
      200: 'HTTP 200，响应结构中的返回码为 "429"。',
      403: 'HTTP 403，返回码为 "403"，并带有在服务上见过的消息。',
      429: 'HTTP 429，返回码为 "429"。',
      'retry-after': '同上，并带有以秒为单位的 `Retry-After` 响应头。',
    },
  },
  'over-time-range': {
    question: '请求的时间范围超过等级允许的长度时会怎样？',
    answers: {
      refuse: 'HTTP 400，并说明允许的秒数。',
      cut: '悄悄缩短范围：起点更晚、行数更少或天数更少。',
    },
  },
  'default-time-range': {
    question: '接口的默认时间范围也受限制吗？',
    answers: {
      free: '否：只限制请求中给出的范围。请求给出周期行数时，按行数计算。',
      counts: '是，与明确请求相同：限额较小的密钥必须请求更短的范围。',
      cut: '无论明确请求的范围如何处理，默认范围都会被悄悄缩短。',
    },
  },
  'other-key-limits': {
    question: '不是子密钥的密钥有哪些限制？',
    answers: {
      none: '没有限制。',
      free: '每分钟 15 次请求，每月 20,000 次。',
      basic: '每分钟 30 次请求，每月 20,000 次。',
      standard: '每分钟 80 次请求，每月 500,000 次。',
      advanced: '每分钟 300 次请求，每月 1,500,000 次。',
      pro: '每分钟 1,200 次请求，每月 3,500,000 次。',
    },
  },
  'level-absent': {
    question: '对不存在的等级，GET 和 DELETE 返回什么？',
    answers: {
      400: 'HTTP 400，响应结构 C，与该组的其他拒绝相同。',
      404: 'HTTP 404，响应结构 C。',
    },
  },
  'level-delete-answer': {
    question: '删除等级的响应除 `success` 外还有哪些字段？',
    answers: {
      message: '`success` 和 `message`。',
      bare: '只有 `success`。',
      data: '`success`、`message`，以及为 null 的 `data`。',
    },
  },
  'distributor-refusal': {
    question: '拒绝分销商的请求时使用哪种响应结构？',
    answers: {
      'by-flaw': '任一层缺少字段时用 B；字段有误或请求体不是 JSON 时用 C。',
      C: '一律用 C。',
      B: '一律用 B，与其他组相同。',
    },
  },
  'sub-key-open-endpoints': {
    question: '子密钥可以调用不需要权限的接口（如 /coin）吗？',
    answers: {
      granted: '可以，只要其等级至少授予一项能打开数据接口的权限。',
      never: '不可以：等级只能授予 `perpdex` 的权限。',
    },
  },
  'sub-key-paths': {
    question: '子密钥在哪里创建和修改？',
    answers: { control: '仅在控制面。', mirrored: '也可以在 /distributor/sub-keys 下。' },
  },
}

/** Open questions of fills, liquidations, market and orders of the perpetual DEX, in Chinese. */
const PERPDEX_QUESTIONS: QuestionTexts<
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

/** Open questions of sockets and of the venue, in Chinese. */
const SOCKET_QUESTIONS: QuestionTexts<typeof SOCKETS_QUESTIONS & typeof VENUE_QUESTIONS> = {
  'republish-after': {
    question: '静默多久之后重发最近的快照？',
    answers: { '1s': '一秒。', '5s': '五秒。', '15s': '十五秒。' },
  },
  'republished-channels': {
    question: '`/ws` 的哪些静默频道会重发？',
    answers: {
      states: '推送完整状态的频道：订单簿、最优买卖价、K线、账户、当前委托。',
      books: '`l2Book` 和 `bbo`。',
      all: '全部；推送事件的频道重发其快照。',
    },
  },
  'stale-channels': {
    question: '重发的频道中，哪些带有 `stale`？',
    answers: {
      all: '全部，当其自身数据源静默达到 `stale-after` 时。',
      books: '`l2Book` 和 `bbo`。',
      l2Book: '仅 `l2Book`。',
    },
  },
  'stale-after': {
    question: '订单簿何时算过期？',
    answers: {
      '5s': '其时间 5 秒没有前进。',
      '10s': '其时间 10 秒没有前进。',
      '30s': '其时间 30 秒没有前进。',
    },
  },
  'stale-place': {
    question: '`stale` 在帧的什么位置？',
    answers: {
      data: '在 `data` 内；若 `data` 是列表，则与其并列。',
      frame: '与 `data` 并列。',
      both: '两处都有。',
    },
  },
  'trades-snapshot': {
    question: '成交频道的首个快照是什么？',
    answers: { recent: '最近十笔成交，最新的在前。', none: '起初不发送任何内容。' },
  },
  'address-channel-second-user': {
    question: '在同一个按地址订阅的 `/ws` 频道上订阅第二个用户会怎样？',
    answers: {
      replace: '第二个用户取代第一个。',
      both: '同时跟踪两个用户，与永续交易所相同。',
    },
  },
  'account-state-first': {
    question: '在 /ws/clearinghouse-state 添加地址后，会立即推送状态吗？',
    answers: { push: '状态紧随回复推送。', wait: '状态变化之前不推送。' },
  },
  'idle-close': {
    question: '空闲连接如何结束？',
    answers: { 1000: '以关闭码 1000 结束。', drop: '直接断开：客户端看到 1006。' },
  },
  'user-pong': {
    question: '用户频道对 ping 的回复是什么？',
    answers: { type: '`{"type":"pong"}`', channel: '`{"channel":"pong"}`' },
  },
  'revoked-sockets': {
    question: '密钥失去权限时，已打开的 WebSocket 会怎样？',
    answers: { closed: '正常关闭。', kept: '保持打开，但拒绝之后的所有订阅。' },
  },
  'socket-limits': {
    question: '没有等级限制的密钥可以有多少连接和订阅？',
    answers: { none: '数量不限。', venue: '与永续交易所的限制相同：10 个连接，1000 个订阅。' },
  },
  'venue-rate-limit': {
    question: '原始模式是否执行交易所的每分钟权重限频？',
    answers: { enforced: '每分钟 1200，超出后返回 HTTP 429。', off: '不限制。' },
  },
  'venue-greeting': {
    question: '原始模式是否用一行纯文本问候新连接？',
    answers: { none: '不问候。', text: '发送 `Websocket connection established.`。' },
  },
}

/** By id; the compiler requires every question and every answer. */
export const QUESTIONS_IN_CHINESE: QuestionTexts<typeof QUESTIONS> = {
  ...ACCESS_QUESTIONS,
  ...MARKET_QUESTIONS,
  ...CONTENT_QUESTIONS,
  ...PERPDEX_QUESTIONS,
  ...TRADER_QUESTIONS,
  ...SOCKET_QUESTIONS,
}
