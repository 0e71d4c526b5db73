/** Texts of the library scenarios, in Chinese, by name. */

/** The title of each, and what a client must cope with. */
export const SCENARIOS_IN_CHINESE: Readonly<
  Record<string, readonly [title: string, guidance: string]>
> = {
  'already-subscribed': [
    '订阅确认与 pong 丢失',
    '没有收到确认，订阅也可能已生效；若重复订阅，会收到 `alreadySubscribed`，这不是错误。',
  ],
  'broken-feed': [
    '推送丢失、延迟、合并，或比上一条更旧',
    '行情会有缺口，时间会倒退。请保留最新状态，缺数据时重新获取快照。',
  ],
  calm: ['一切符合契约', '无需应对。没有启用场景时，沙箱就是这样。'],
  'capital-addresses': ['地址含有大写字母', '比较地址时不区分大小写；`0xAB…` 的推送属于 `0xab…`。'],
  'code-as-number': [
    '返回码与数值的类型改变',
    '`code` 可能是字符串，也可能是数字：请按字符串比较，数值的两种形式都要接受。',
  ],
  'crossed-book': [
    '订单簿先交叉，后为空',
    '买一价高于卖一价说明订单簿已损坏，不是便宜货；空订单簿没有价格。',
  ],
  'cut-short': [
    '响应被悄悄截断',
    '长度等于上限的响应可能不完整；批量结果可能变少；半个响应体不是 JSON。',
  ],
  'dropped-connections': [
    'HTTP 连接在响应之前、途中或之后断开',
    '没有收到响应的请求也可能已被执行。只重试可以安全重复的请求。',
  ],
  'flaky-sockets': [
    'WebSocket 连接每半分钟断开一次',
    '用新签名重连并重新订阅全部频道，不要把快照当作新成交。',
  ],
  'html-errors': [
    '网关返回自己的 HTML 页面',
    '解析 JSON 之前先检查状态码和内容类型；报告状态码，而不是解析器的错误。',
  ],
  'legacy-gateway': [
    '错误采用旧网关的格式',
    '同样的拒绝有不同的状态码和响应结构，且没有 `code`；签名错误时状态码为 200。',
  ],
  'legacy-shapes': [
    '所有在服务上见过、但文档未记载的格式',
    '这些格式与文档不同，均由客户端作者实际观察到。',
  ],
  'liquidation-cascade': [
    '市场在连环强平中下跌',
    '每秒数百条推送，K线跳动，持仓消失。任何队列都不能无限增长。',
  ],
  'listing-day': [
    '新币上线：没有历史，订单簿只有一边',
    '该币起初不存在，随后数值为 null，列表为空，订单簿有一边是空的。',
  ],
  maintenance: [
    '服务停机两分钟',
    'WebSocket 以 1012 关闭，所有请求得到 503 和 `Retry-After`。请等待，不要不停重试，并自动恢复。',
  ],
  'market-halt': [
    '一个币种停止交易一分钟',
    '某币种没有成交、订单簿不再变化，并不是连接故障；其他币种照常。',
  ],
  'mixed-users': ['同一连接上有多个用户的推送', '按 `user` 过滤；最新的订阅不会终止之前的订阅。'],
  'month-end': [
    '月度配额只剩一次请求，且即将月末',
    '配额用尽后，按服务时钟在每月一日重置。用 `clock/advance {"to": "next-month"}` 把时钟拨到那时。',
  ],
  'not-a-number': [
    '比率为 NaN，价格为 null',
    '`premium` 可能是 "NaN"；`midPx`、`liquidationPx` 和 `impactPxs` 可能是 null。',
  ],
  'null-bodies': [
    '拒绝的响应体是 `null`',
    '429 的响应体为 `null` 时没有 `code`；其他响应体也可能缺少 `code` 或 `msg`。',
  ],
  'other-units': ['时间以秒而非毫秒为单位', '按数值大小区分秒与毫秒，而不是按接口。'],
  'permission-lost': [
    '会话期间失去权限',
    '请求突然得到 403，已打开的 WebSocket 被关闭。重试无济于事，请报告问题。',
  ],
  'quota-exhausted': [
    '月度配额只剩三次请求',
    '在配额用尽之前就要知道余量，用尽时用文字告知用户。没有配额限制的密钥不受影响。',
  ],
  'rate-limited': [
    '每第四个请求触发限频',
    '收到 429 时放慢速度，按响应要求的时间等待，不要丢失任何请求。',
  ],
  'reconnect-storm': [
    '所有 WebSocket 同时关闭，一段时间内大多数升级请求被拒绝',
    '每次重连前等待更久，并加入随机时间，避免上千个客户端在同一秒重连。',
  ],
  'refused-subscription': [
    '订阅被拒绝，只有一帧说明',
    '`error` 帧是唯一的迹象。忽略它，被拒绝的订阅看起来就像平静的市场。',
  ],
  'refused-with-200': [
    '状态码 200 下的错误，以及表示限频的 403',
    '检查响应结构中的返回码，而不只是状态码。',
  ],
  'repeated-fills': [
    '成交重复到达，且顺序错乱',
    '用 `tid` 识别重复的成交，而不是 `oid` 或到达顺序。',
  ],
  'reused-address': [
    '地址中的签名过期后，WebSocket 断开',
    '每次连接都重新签名地址；40 秒前签名的地址不会再被接受。',
  ],
  'signature-skew': [
    '服务时钟快 45 秒',
    '所有签名都已过期，只有 401 说明这一点。先将本机时钟与 `Date` 响应头比较，再怀疑密钥。',
  ],
  'silent-feed': [
    '不再有推送，连接也不关闭',
    'pong 照常到达，但没有数据。请监测每个数据流静默了多久，过久则重连。',
  ],
  'slow-consumer': [
    '客户端读取太慢',
    '帧在服务端排队，最终被丢弃；`stat` 显示 `queueLen` 和 `discardedCount`。',
  ],
  'slow-server': [
    '响应需要数秒，有些传输缓慢',
    '为每个请求设置超时，限制等待中的请求数，不要重复提交延迟的订单。',
  ],
  'snapshot-again': [
    'WebSocket 以 1000 关闭，并重发已知数据',
    '正常关闭后同样需要重连，之后的快照包含已知的成交。',
  ],
  'stale-book': [
    '订单簿停止更新，其他一切照常',
    '连接正常，心跳有回应，成交照常到达。只有 `time` 和 `stale` 表明订单簿已过期：' +
      '不要据此交易，也不要把连接正常当作行情正常。',
  ],
  'unstable-order': ['列表每次顺序不同', '按需要的字段自行排序；应有分页时，也要接受列表。'],
  'wrong-content-type': [
    'JSON 的内容类型却是文本',
    '有效的响应体可能带有 application/json 以外的内容类型。',
  ],
}
