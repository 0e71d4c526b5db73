import { wording } from '../shell/words.ts'

/** Texts shared by several views. */
export const say = wording({
  notForGuests: ['Read-only guests cannot change anything here.', '只读访客不能在此更改。'],
  close: ['Close', '关闭'],
  loading: ['Loading…', '加载中…'],
  nothing: ['Nothing yet', '暂无数据'],
  again: ['Try again', '重试'],
  failed: ['This could not be shown', '无法显示'],
  copy: ['Copy', '复制'],
  copied: ['Copied', '已复制'],
  noMatch: ['Nothing matches', '没有匹配项'],
})
