/** Texts in two languages, from templates with `{names}` in them. Traditional Chinese follows. */

import type { Language } from '../../../contract/records/content.ts'
import {
  format,
  mulDiv,
  type Px,
  raw,
  type Sz,
  subtract,
  type Usd,
  ZERO,
} from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import { bigintText, roundOff } from '../../formatting/decimal-text.ts'
import { type InstrumentRow, MONEY_DECIMALS, pxText, szText } from '../../schema/schema.ts'

// Templates with slots, in two languages.

/** Chooses one of several templates and fills it; an error for a slot without a value. */
export function worded(
  random: RandomSource,
  templates: readonly BilingualText[],
  parts: Record<string, TemplatePart>,
): BilingualText {
  const { cn, en } = random.pick(templates)
  for (const [, slot = ''] of `${cn}${en}`.matchAll(SLOT))
    if (parts[slot] === undefined) throw new Error(`{${slot}} has no value in: ${en}`)
  return phrase(cn, en, parts)
}

const SLOT = /\{(\w+)\}/g

/** Chooses distinct elements of a list, in its order. */
export function someOf<T>(random: RandomSource, list: readonly T[], count: number): T[] {
  const left = list.map((_, at) => at)
  while (left.length > count) left.splice(random.between(0, left.length - 1), 1)
  return left.map((at) => list[at] as T)
}

/** One text in simplified Chinese and in English. */
export interface BilingualText {
  cn: string
  en: string
}

/** Value of a slot; a function is called only where the slot occurs. */
export type TemplatePart = string | number | BilingualText | (() => BilingualText)

/** Fills both templates. */
export function phrase(
  cn: string,
  en: string,
  parts: Record<string, TemplatePart> = {},
): BilingualText {
  const fill = (template: string, language: keyof BilingualText) =>
    template.replace(SLOT, (_, name) => {
      const given = parts[name] ?? ''
      const part = typeof given === 'function' ? given() : given
      return typeof part === 'object' ? part[language] : String(part)
    })
  return { cn: fill(cn, 'cn'), en: fill(en, 'en') }
}

/** Concatenates texts. */
export const joined = (words: readonly BilingualText[], cn = '', en = ' '): BilingualText => ({
  cn: words.map((one) => one.cn).join(cn),
  en: words.map((one) => one.en).join(en),
})

/** A text in a given language. */
export function inLanguage(words: BilingualText, language: Language): string {
  if (language === 'en') return words.en
  return language === 'cn' ? words.cn : toTraditional(words.cn)
}

/** Micro-dollars in words: `$1.23 million`, `123.00万美元`. */
export function usdWords(micros: bigint | Usd): BilingualText {
  const exact = typeof micros === 'bigint' ? micros : BigInt(raw(micros))
  const whole = exact < 0n ? -exact : exact
  const text = (decimals: number) => hundredths(roundOff(whole, MONEY_DECIMALS - 2 + decimals))
  const en =
    whole >= 10n ** 15n
      ? `$${groupThousands(text(9))} billion`
      : whole >= 10n ** 12n
        ? `$${text(6)} million`
        : `$${groupThousands(text(0))}`
  const cn =
    whole >= 10n ** 14n
      ? `${text(8)}亿美元`
      : whole >= 10n ** 10n
        ? `${text(4)}万美元`
        : `${text(0)}美元`
  return { cn, en }
}

const hundredths = (value: bigint) => bigintText(value, 2, 2)

/** A price in dollars with all its digits. */
export function priceText(of: InstrumentRow, px: Px): BilingualText {
  const text = pxText(of, px)
  return { cn: `${text}美元`, en: `$${groupThousands(text)}` }
}

/** A size with its coin. */
export const sizeText = (of: InstrumentRow, sz: Sz): string => `${szText(of, sz)} ${of.base}`

/** (now - before) / before in hundredths of a percent, rounded once; null without a before. */
export function changeOf(now: Px, before: Px | null): number | null {
  if (before === null || before === ZERO) return null
  return mulDiv(raw(subtract(now, before)), 10_000, raw(before))
}

/** The same for an amount, micro-dollars. */
export const growthOf = (now: bigint, before: bigint): number | null =>
  before === 0n ? null : Math.round(Number(((now - before) * 1_000_000n) / before) / 100)

/** Hundredths of a percent, without a sign: `1.23%`. */
export const percentText = (value: number): string => `${format(Math.abs(value), 2, 2)}%`

/** `上涨1.23%`, `up 1.23%`. */
export function moveText(value: number): BilingualText {
  if (value === 0) return { cn: '持平', en: 'unchanged' }
  return value > 0
    ? { cn: `上涨${percentText(value)}`, en: `up ${percentText(value)}` }
    : { cn: `下跌${percentText(value)}`, en: `down ${percentText(value)}` }
}

/** A duration in whole units: `24小时`, `7 days`. */
export function spanText(ms: number): BilingualText {
  const fits = ({ ms: unit, least }: (typeof UNITS)[number]) => ms % unit === 0 && ms >= least
  const unit = UNITS.find(fits) ?? MINUTES
  const count = ms / unit.ms
  return { cn: `${count}${unit.cn}`, en: `${count} ${unit.en}${count === 1 ? '' : 's'}` }
}

const MINUTES = { ms: 60_000, least: 0, cn: '分钟', en: 'minute' }

/** A day is 24 hours, two days are days. */
const UNITS = [
  { ms: 86_400_000, least: 172_800_000, cn: '天', en: 'day' },
  { ms: 3_600_000, least: 3_600_000, cn: '小时', en: 'hour' },
  MINUTES,
]

/** Inserts thousands separators. */
const groupThousands = (text: string): string => {
  const [whole = '', fraction] = text.split('.')
  const apart = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? apart : `${apart}.${fraction}`
}

/**
 * Converts simplified Chinese to traditional for the characters used here, one by one, for
 * templates whose words are the same in both.
 */
const toTraditional = (text: string): string =>
  text.replace(/[\u4e00-\u9fff]/g, (letter) => LETTERS.get(letter) ?? letter)

/** Each simplified character, followed by its traditional form. */
const PAIRS = [
  '万萬与與业業东東严嚴个個为為丽麗义義乐樂乔喬买買于於产產亿億仓倉价價优優伟偉储儲兰蘭关關内內军軍冯馮决決净淨凤鳳凯凱刘劉则則刚剛创創务務动動区區华華单單卖賣占佔卢盧压壓参參发發',
  '变變叶葉号號后後吕呂吴吳响響啸嘯国國场場处處复復头頭娇嬌孙孫对對将將尧堯币幣帅帥师師庄莊庞龐开開异異张張弹彈强強态態总總悦悅户戶报報择擇据據撑撐数數无無时時显顯晋晉晓曉机機权權',
  '杨楊杰傑构構标標栋棟桥橋欧歐毕畢汤湯泽澤洁潔测測涂塗涛濤涨漲渊淵温溫满滿潇瀟点點烨燁状狀现現瑶瑤监監盘盤码碼础礎种種稳穩笔筆筹籌简簡红紅约約纪紀纳納线線绍紹继繼绪緒续續综綜网網',
  '罗羅聂聶聪聰艳艷艺藝节節芦蘆苍蒼苏蘇苹蘋荡蕩荣榮莱萊萧蕭蒋蔣蓝藍观觀规規触觸计計认認议議记記许許设設访訪证證识識试試诗詩诚誠语語诸諸诺諾读讀调調谢謝谨謹谭譚负負责責货貨费費贺賀',
  '贾賈资資赖賴赵趙轩軒转轉较較辉輝达達过過这這远遠迟遲选選邓鄧邹鄒郑鄭针針钟鐘钰鈺钱錢链鏈锋鋒锦錦键鍵长長门門闫閆间間闻聞阎閻阳陽阶階陆陸陈陳静靜韦韋韩韓韬韜项項顾顧预預领領颖穎',
  '颜顏额額风風飞飛马馬驰馳驹駒骆駱骞騫鲁魯鲸鯨鸿鴻鹏鵬鹤鶴鹭鷺麦麥黄黃齐齊龙龍龚龔专專',
  '云雲仅僅从從们們会會体體债債兴興养養冲衝减減击擊划劃别別办辦启啟员員团團声聲备備实實审審尽盡并並广廣当當征徵恒恆执執扩擴拟擬搁擱断斷杠槓来來极極检檢汇匯没沒润潤独獨电電矿礦确確碍礙离離',
  '积積称稱签簽紧緊经經结結络絡统統维維职職联聯荐薦获獲见見视視订訂论論评評话話该該说說请請账賬质質购購轮輪软軟运運进進适適采採银銀锁鎖问問队隊页頁题題驳駁验驗乡鄉余餘厦廈县縣宁寧岳嶽汉漢',
  '济濟范範贵貴势勢释釋',
].join('')

const LETTERS = new Map(
  Array.from({ length: PAIRS.length / 2 }, (_, at) => [PAIRS[2 * at], PAIRS[2 * at + 1]]),
)
