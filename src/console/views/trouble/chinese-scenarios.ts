/** Titles and guidance of the built-in scenarios in Chinese, by their English titles. */
export const CHINESE_SCENARIOS: Readonly<
  Record<string, readonly [title: string, guidance: string]>
> = {
  'Everything as the contract says': ['一切符合契约', '无需处理。未启用场景时，沙箱即如此。'],
  'Sockets close with 1000 and repeat known data': [
    '连接以 1000 关闭，并重发已知数据',
    '正常关闭后同样需要重连；重连后的快照包含已知的成交。',
  ],
  'JSON with the content type of text': [
    'JSON 的内容类型为文本',
    '有效的正文也可能不是 application/json 类型。',
  ],
  "The service's clock is 45 seconds ahead": [
    '服务端时钟快 45 秒',
    '所有签名都已过期，只有 401 说明这一点。怀疑密钥之前，先用 `Date` 头核对时钟。',
  ],
  'One request of the monthly quota is left, and the month ends soon': [
    '月度配额仅剩一次，且即将跨月',
    '配额用尽后，按服务端时钟在每月 1 日恢复。用 `clock/advance {"to": "next-month"}` 拨到那时。',
  ],
  'All sockets close at once, and most upgrades are refused for a while': [
    '所有连接同时断开，一段时间内大多数升级被拒绝',
    '每次重连前等待更久并加入随机量，避免上千个客户端在同一秒重连。',
  ],
  'The client reads too slowly': [
    '客户端读取过慢',
    '帧在服务端排队，最终被丢弃；`stat` 给出 `queueLen` 和 `discardedCount`。',
  ],
  'Answers are silently cut': [
    '应答被悄然截断',
    '长度达到上限的应答可能不完整；批量应答可能更短；半个正文不是 JSON。',
  ],
  'Subscriptions are refused, and only a frame says so': [
    '订阅被拒绝，只有一帧说明',
    '`error` 帧是唯一的迹象；忽略它，被拒绝的订阅看起来就像行情清淡。',
  ],
  'Pushes are lost, late, bundled or older than the previous one': [
    '推送丢失、延迟、合并，或早于上一条',
    '数据流有缺口，时间会倒退。保留最新状态；有缺失时获取快照。',
  ],
  'Every form that was observed at the service but is not documented': [
    '所有观察到但文档未写明的形式',
    '与文档不同的形式；均由客户端作者实际观察到。',
  ],
  'Codes and numbers change their type': [
    '代码与数字的类型变化',
    '`code` 可能是字符串或数字：按字符串比较；数字的两种形式都要接受。',
  ],
  'Addresses contain capital letters': [
    '地址含大写字母',
    '比较地址时不区分大小写；`0xAB…` 的推送属于 `0xab…`。',
  ],
  'Pushes of several users on one connection': [
    '一个连接上有多个用户的推送',
    '按 `user` 过滤；新的订阅不会结束之前的订阅。',
  ],
  'Books stop changing while everything else continues': [
    '订单簿停止更新，其余一切照常',
    '连接未断，心跳有应答，成交照常推送。只有 `time` 和 `stale` 表明订单簿已过期：不要据此交易，也不要以连接未断判断数据流正常。',
  ],
  'HTTP connections are lost before, during and after answers': [
    'HTTP 连接在应答之前、途中、之后断开',
    '没有应答的请求可能已被执行；只重发可以重复的请求。',
  ],
  'Answers take seconds, and some arrive slowly': [
    '应答需数秒，部分应答传输缓慢',
    '为每个请求设置超时，限制等待中的请求数；迟到的订单不要发送两次。',
  ],
  'Sockets are lost every half minute': [
    '连接每半分钟断开',
    '以新的签名重连，重新订阅全部内容；不要把快照当作新的成交。',
  ],
  'A socket is lost after the signature of its address has expired': [
    '连接断开时，其地址的签名已过期',
    '每次连接都重新签名；40 秒前签名的地址不会再被接受。',
  ],
  'Three requests of the monthly quota are left': [
    '月度配额仅剩三次',
    '在配额用尽之前了解余量，用尽时明确告知用户。没有配额的密钥不受影响。',
  ],
  'Lists have a different order each time': [
    '列表顺序每次不同',
    '按所需字段排序；也要接受以列表代替分页。',
  ],
  'The service is down for two minutes': [
    '服务中断两分钟',
    '连接以 1012 关闭，所有请求返回 503 和 `Retry-After`。等待，不要连续重试，并自动恢复。',
  ],
  'The market falls in a cascade of liquidations': [
    '连环强平，行情下跌',
    '一秒内数百条推送，K 线跳空，持仓消失。任何队列都不得无限增长。',
  ],
  'A refusal whose body is `null`': [
    '拒绝的正文为 `null`',
    '429 的正文为 `null` 时没有 `code`；其他正文也可能缺少 `code` 或 `msg`。',
  ],
  'Fills arrive twice, and in the wrong order': [
    '成交重复且乱序到达',
    '以 `tid` 识别重复的成交，而不是 `oid` 或到达次序。',
  ],
  'Books are crossed, then empty': [
    '订单簿先交叉，后为空',
    '最优买价高于最优卖价说明订单簿有误，并非套利机会；空订单簿没有价格。',
  ],
  'Errors under status 200, and 403 that means slow down': [
    '状态 200 下的错误，以及表示限频的 403',
    '检查应答的外层结构，而不只是状态码。',
  ],
  'Nothing is pushed any more, and nothing is closed': [
    '不再推送，也不断开',
    '有 pong，但没有数据。测量每个数据流的静默时间，过长则重连。',
  ],
  'Times in seconds instead of milliseconds': [
    '时间以秒代替毫秒',
    '按数值大小识别秒与毫秒，而不是按接口。',
  ],
  'Trading of one coin stops for a minute': [
    '一个币种停止交易一分钟',
    '某币种没有成交、订单簿过期，并不是连接错误；其他币种照常。',
  ],
  'Acknowledgements and pongs are lost': [
    '确认与 pong 丢失',
    '没有确认的订阅也可能已生效；重复订阅时返回 `alreadySubscribed`，这不是错误。',
  ],
  'Errors in the form of the older gateway': [
    '旧网关形式的错误',
    '同样的拒绝，状态码和外层结构不同，没有 `code`；签名错误时状态为 200。',
  ],
  'A new coin is listed, without history and with half a book': [
    '新币上线，没有历史，订单簿只有一侧',
    '该币种起初不存在；之后数字为 null，列表为空，订单簿一侧为空。',
  ],
  'Permissions are lost during a session': [
    '会话中失去权限',
    '请求突然返回 403，已打开的连接被关闭。重试无用，请上报问题。',
  ],
  'Every fourth request exceeds the rate limit': [
    '每四次请求有一次超出频率限制',
    '收到 429 时降速，按应答要求的时间等待，不丢失任何请求。',
  ],
  'A gateway answers with its own HTML pages': [
    '网关以自己的 HTML 页面应答',
    '解析 JSON 之前先检查状态码与内容类型；报告状态码，而不是解析器的错误。',
  ],
  'Ratios are NaN and prices are null': [
    '比率为 NaN，价格为 null',
    '`premium` 可能为 "NaN"；`midPx`、`liquidationPx` 和 `impactPxs` 可能为 null。',
  ],
}
