/** Open questions of sockets and of the venue, in Chinese. */
import type { SOCKETS_QUESTIONS } from '../../../../contract/questions/sockets.ts'
import type { VENUE_QUESTIONS } from '../../../../contract/questions/venue.ts'
import type { QuestionTexts } from './question-texts.ts'

export const SOCKET_QUESTIONS: QuestionTexts<typeof SOCKETS_QUESTIONS & typeof VENUE_QUESTIONS> = {
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
