/** Texts in two languages, from templates with `{names}` in them. Traditional Chinese follows. */

import type { Language } from '../../../contract/records/content.ts'
import { type Px, raw, type Sz, subtract, type Usd, ZERO } from '../../../decimal/quantity.ts'
import { format, mulDiv } from '../../../decimal/scaled.ts'
import { bigintText, roundOff } from '../../formatting/decimal-text.ts'
import { type InstrumentRow, MONEY_DECIMALS, pxText, szText } from '../../schema.ts'
import { toTraditional } from './traditional-chinese.ts'

/** One text in simplified Chinese and in English. */
export interface BilingualText {
  cn: string
  en: string
}

/** What a slot is filled with; a function is asked only where the slot is. */
export type TemplatePart = string | number | BilingualText | (() => BilingualText)

/** Fills both templates. */
export function phrase(
  cn: string,
  en: string,
  parts: Record<string, TemplatePart> = {},
): BilingualText {
  const fill = (template: string, language: keyof BilingualText) =>
    template.replace(/\{(\w+)\}/g, (_, name) => {
      const given = parts[name] ?? ''
      const part = typeof given === 'function' ? given() : given
      return typeof part === 'object' ? part[language] : String(part)
    })
  return { cn: fill(cn, 'cn'), en: fill(en, 'en') }
}

/** Texts one after the other. */
export const joined = (words: readonly BilingualText[], cn = '', en = ' '): BilingualText => ({
  cn: words.map((one) => one.cn).join(cn),
  en: words.map((one) => one.en).join(en),
})

/** A text in the language that is asked for. */
export function inLanguage(words: BilingualText, language: Language): string {
  if (language === 'en') return words.en
  return language === 'cn' ? words.cn : toTraditional(words.cn)
}

/** Micro-dollars as people write them: `$1.23 million`, `123.00万美元`. */
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

/** A size in the coin. */
export const sizeText = (of: InstrumentRow, sz: Sz): string => `${szText(of, sz)} ${of.base}`

/** (now - before) / before in hundredths of a percent, rounded once; null without a before. */
export function changeOf(now: Px, before: Px | null): number | null {
  if (before === null || before === ZERO) return null
  return mulDiv(raw(subtract(now, before)), 10_000, raw(before))
}

/** The same of an amount, micro-dollars. */
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

/** A length of time in whole minutes: `24小时`, `7 days`. */
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

/** Thousands apart. */
const groupThousands = (text: string): string => {
  const [whole = '', fraction] = text.split('.')
  const apart = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? apart : `${apart}.${fraction}`
}
