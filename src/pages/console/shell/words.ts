/**
 * Texts of the console, in English and Chinese. Each view has its own table:
 *
 *     const say = wording({ rows: ['{count} rows', '{count} 行'] })
 *     say('rows', { count: 3 })
 */
import { language } from './preferences.ts'

/** Texts by key, each in both languages; `{name}` is a placeholder. */
export type Wording = Readonly<Record<string, readonly [en: string, zh: string]>>

/** A text of a table in the present language; reactive to a change of language. */
export type Say<T extends Wording> = (
  key: keyof T,
  values?: Readonly<Record<string, string | number>>,
) => string

/** Texts of a table by key, checked by the compiler. */
export function wording<const T extends Wording>(table: T): Say<T> {
  return (key, values = {}) => {
    const [en, zh] = table[key] as T[keyof T]
    const text = language.value === 'zh' ? zh : en
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
  }
}

/** Texts around every view. */
export const say = wording({
  console: ['Console', '控制台'],
  skip: ['Skip to the content', '跳到内容'],
  views: ['Views', '视图'],
  market: ['Market', '市场'],
  control: ['Control', '控制'],
  debug: ['Debugging', '调试'],
  reference: ['Reference', '参考'],
  sandbox: ['Sandbox', '沙箱'],
  key: ['Key', '密钥'],
  menu: ['Menu', '菜单'],
  theme: ['Colours: {theme}', '配色：{theme}'],
  themeSystem: ['as the system', '跟随系统'],
  themeLight: ['light', '浅色'],
  themeDark: ['dark', '深色'],
  otherLanguage: ['中文', 'English'],
  otherLanguageShort: ['中文', 'EN'],
  help: ['Keyboard and help', '键盘与帮助'],
  palette: ['Go to…', '前往…'],
  paletteHint: ['View, sandbox or command', '视图、沙箱或命令'],
  paletteKey: ['Find and go to anything', '查找并前往任意位置'],
  helpKey: ['This list', '显示此列表'],
  searchKey: ['Search', '搜索'],
  keys: ['Keys', '按键'],
  links: ['Pages', '页面'],
  home: ['About', '简介'],
  swagger: ['Try operations', '接口调试'],
  asyncapi: ['Sockets', '推送通道'],
  referencePage: ['Reference', '接口参考'],
  charts: [
    'Charts: Lightweight Charts™, Copyright © 2025 TradingView, Inc.',
    '图表：Lightweight Charts™，版权所有 © 2025 TradingView, Inc.',
  ],
  live: ['live', '在线'],
  connecting: ['connecting', '连接中'],
  gone: ['server gone', '服务器断开'],
  locked: ['token needed', '需要令牌'],
  missing: ['no sandbox', '沙箱不存在'],
  failed: ['unexpected answer', '无法识别'],
  notDone: ['Nothing was done: no server is reached.', '没有执行：连接不上服务器。'],
  goneText: [
    'The server does not answer. The page shows the last state until the server is back.',
    '服务器没有响应。显示的是断开前的内容；服务器恢复后页面会自动继续。',
  ],
  failedText: ['The control plane answers: {error}', '控制接口返回：{error}'],
  missingText: [
    'There is no sandbox “{sandbox}”. Pick another one.',
    '沙箱“{sandbox}”不存在，请另选一个。',
  ],
  lockedText: [
    'The control plane needs its token (TAPEWRIGHT_CONTROL_TOKEN).',
    '控制接口需要令牌（TAPEWRIGHT_CONTROL_TOKEN）。',
  ],
  wrongToken: ['That token is not the right one.', '令牌不正确。'],
  token: ['Token', '令牌'],
  unlock: ['Unlock', '解锁'],
  guest: ['Read-only guest', '只读访客'],
  noView: ['There is no view at this address.', '此地址没有对应的视图。'],
  virtualTime: ['Time of the market, UTC', '市场时间（UTC）'],
  machine: ['Machine', '本机'],
  machineTime: ['Time of the machine, UTC', '本机时间（UTC）'],
  paused: ['paused', '已暂停'],
  held: ['clock held', '时钟停止'],
  max: ['max', '最快'],
  behind: ['{seconds} s behind', '落后 {seconds} 秒'],
  growing: ['growing', '生成中'],
})
