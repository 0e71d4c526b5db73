import { wording } from '../../shell/words.ts'

export const say = wording({
  title: ['Papers', '文档'],
  about: [
    'Documents in place, and the cast with what can be asked for',
    '内嵌文档，以及可查询的对象清单',
  ],
  cast: ['The cast', '对象清单'],
  castAbout: [
    'What can be asked for right now: coins, symbols, addresses, orders and ids of this sandbox.',
    '此刻可以查询的人与物：该沙箱的“测试卡号”。',
  ],
  swagger: ['Operations', '接口'],
  asyncapi: ['Sockets', '推送'],
  referencePage: ['Reference', '参考'],
  control: ['Control plane', '控制接口'],
  own: ['Open in a new window', '在新窗口打开'],
  documents: ['For programs', '供程序使用'],
  search: ['Find in the cast', '在清单中查找'],
  more: ['and {count} more', '另有 {count} 项'],
})
