import { wording } from '../../shell/words.ts'

export const say = wording({
  title: ['Demo', '演示'],
  about: ['A full-screen market with stories that play', '全屏市场与自动播放的演示故事'],
  stories: ['Stories', '故事'],
  next: ['Next', '下一步'],
  restart: ['Restart', '重新开始'],
  back: ['Back', '上一步'],
  stop: ['End the story', '结束故事'],
  leave: ['Back to the console', '返回控制台'],
  fullScreen: ['Full screen', '全屏'],
  menu: ['Choose a story', '选择故事'],
  over: ['The end', '完'],
  live: ['live', '实时'],
  away: [
    'The server does not answer; the demo goes on once it is back',
    '服务器暂时离线，恢复后自动继续',
  ],
  guest: ['You are a read-only guest.', '您是只读访客。'],
  step: ['{at} of {all}', '{at} / {all}'],
  auto: ['One after another', '循环播放'],
  hint: ['Space next · R restart · Esc ends', '空格 下一步 · R 重来 · Esc 结束'],
  whales: ['Whales', '巨鲸'],
  liquidations: ['Liquidations', '爆仓'],
  side: ['Side', '方向'],
  value: ['Value', '金额'],
  flaws: ['Stories that cannot be read', '无法读取的故事'],
})
