/**
 * Indexes: computed at every full minute from the last prices of coins (the service's
 * documentation, Index).
 */

import seed from '../../../../seed/indexes.json' with { type: 'json' }
import type { Slices } from '../../../clock/turns.ts'
import type { MarketIndexFacts } from '../../../contract/facts/market-index.ts'
import type { Moment } from '../../../contract/facts.ts'
import type {
  Currency,
  IndexInfo,
  IndexItem,
  IndexPrice,
} from '../../../contract/records/market-index.ts'
import { mulDiv } from '../../../decimal/quantity.ts'
import { bigintText, CNY_TENTHS } from '../../formatting/decimal-text.ts'
import type { World } from '../../world/world.ts'
import { type IndexDay, indexDayOf } from './greed-index.ts'
import type { IndexFormula } from './index-formulas.ts'
import { indexFormulasOf } from './index-formulas.ts'

export class MarketIndexQueries implements MarketIndexFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  *list(): Slices<IndexItem[]> {
    const items: IndexItem[] = []
    for (const key of this.keys()) {
      const { show, name, type, describe } = INDEX_TEXTS[key] as IndexTexts
      const { price, degree24H } = yield* this.values(key, 'usd')
      items.push({
        key,
        cn_name: name.cn,
        en_name: name.en,
        show,
        describe: describe.en,
        degree24h: degree24H,
        price,
        en_type: type.en,
        cn_type: type.cn,
      })
    }
    return items
  }

  *price(key: string, currency: Currency): Slices<IndexPrice | null> {
    return this.keys().includes(key) ? yield* this.values(key, currency) : null
  }

  info(key: string, language: 'cn' | 'en'): IndexInfo | null {
    const words = INDEX_TEXTS[key]
    if (!words || !this.keys().includes(key)) return null
    return {
      show: words.show,
      name: words.name[language],
      link: words.link,
      release_date: words.releaseDate,
      amount: String(indexFormulasOf(this.world).get(key)?.members.length ?? 0),
      introduce: words.introduce[language],
      file_name: documentName(words, language),
      file_link: `${words.link}/${documentName(words, language)}`,
    }
  }

  private keys(): string[] {
    return indexKeys(this.world, this.moment)
  }

  private *values(key: string, currency: Currency): Slices<IndexPrice> {
    const formula = indexFormulasOf(this.world).get(key)
    const day = formula && (yield* indexDayOf(this.world, key, formula, this.moment))
    return formula && day ? indexPriceRecord(formula, day, currency) : UNPRICED
  }
}

/** Document of the index's formula at its publisher: a host without a server. */
const documentName = ({ show, releaseDate }: IndexTexts, language: 'cn' | 'en') =>
  `${show.toLowerCase().replace('.', '-')}-methodology-${releaseDate.slice(0, 4)}-${language}.pdf`

/** Keys in the order of the seed; those without a formula only where the question includes them. */
export function indexKeys(world: World, { answers }: Moment): string[] {
  const formulas = indexFormulasOf(world)
  const isUnpriced = (key: string) => UNPRICED_KEYS.includes(key)
  return Object.keys(INDEX_TEXTS).filter(
    (key) => formulas.has(key) || (answers['index-without-price'] === 'dash' && isUnpriced(key)),
  )
}

const UNPRICED_KEYS = ['i:vix:cboe', 'i:diniw:ice']

const UNPRICED: IndexPrice = {
  price: '-',
  open: '-',
  high: '-',
  low: '-',
  close: '-',
  degree24H: '-',
  change24H: '-',
  up: '-',
  down: '-',
}

function indexPriceRecord(
  { isMoney, decimals }: IndexFormula,
  day: IndexDay,
  currency: Currency,
): IndexPrice {
  const shown = (hundredths: number) =>
    isMoney ? mulDiv(hundredths, CURRENCY_RATES[currency], CURRENCY_RATES.usd) : hundredths
  const text = (hundredths: number) => bigintText(BigInt(shown(hundredths)), 2, decimals)
  const change = shown(day.close) - shown(day.open)
  const degree = day.open === 0 ? 0 : mulDiv(day.close - day.open, 100_00, day.open)
  return {
    price: text(day.close),
    open: text(day.open),
    high: text(day.high),
    low: text(day.low),
    close: text(day.close),
    degree24H: bigintText(BigInt(degree), 2, 2),
    change24H: bigintText(BigInt(change), 2, decimals),
    up: String(day.up),
    down: String(day.down),
  }
}

/** Thousandths to the dollar, fixed: no tape has rates. */
const CURRENCY_RATES: Record<Currency, number> = {
  usd: 1000,
  cny: Number(CNY_TENTHS) * 100,
  hkd: 7800,
  eur: 860,
  jpy: 155_000,
  krw: 1_450_000,
}

interface IndexTexts {
  show: string
  name: BothLanguages
  type: BothLanguages
  describe: BothLanguages
  introduce: BothLanguages
  /** YYYY-MM-DD */
  releaseDate: string
  link: string
}
type BothLanguages = Record<'en' | 'cn', string>

const INDEX_TEXTS: Record<string, IndexTexts> = seed
