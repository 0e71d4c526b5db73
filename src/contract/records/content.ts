import { Decimal, IdOf, OneOf, type Static, TimeS, Type, WithDefault } from '../schema.ts'

/** A language of newsflashes: simplified Chinese, traditional Chinese, English. */
export const LANGUAGES = ['cn', 'tc', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/** The parameter that selects a language. */
export const LanguageWord = WithDefault(
  OneOf([...LANGUAGES], 'cn simplified Chinese, tc traditional Chinese, en English'),
  'cn',
)

const exact = { additionalProperties: false }

/** The author (the service's documentation, Content). */
export const Columnist = Type.Object(
  {
    nick_name: Type.String({ description: 'name' }),
    avatar: Type.String({ description: 'address of a picture' }),
    avatar_black: Type.String({ description: 'the same for dark pages' }),
  },
  { ...exact, title: 'Columnist' },
)
export type Columnist = Static<typeof Columnist>

const flash = {
  id: IdOf('article', Type.Integer({ description: 'the same in all languages' })),
  title: Type.String(),
  content: Type.String(),
  language: Type.String({ description: 'cn, tc or en' }),
  createtime: TimeS('when it was published, s'),
}

/** A short piece of news (the service's documentation, Content). */
export const Newsflash = Type.Object(
  { ...flash, columnist: Columnist },
  { ...exact, title: 'Newsflash' },
)
export type Newsflash = Static<typeof Newsflash>

/** The types of industry flashes: 0 is unclassified, 25 liquidation orders, and so on. */
export const FLASH_TYPES = [
  ...[0, 1, 3, 4, 5, 6, 7, 8, 10],
  ...[14, 15, 16, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28],
]

/**
 * A flash about the market, of one of the documented types (the service's documentation, Content).
 */
export const IndustryFlash = Type.Object(
  {
    ...flash,
    columnist: Columnist,
    flashType: Type.Union(
      FLASH_TYPES.map((type) => Type.Literal(type)),
      { description: 'its subject' },
    ),
  },
  { ...exact, title: 'IndustryFlash' },
)
export type IndustryFlash = Static<typeof IndustryFlash>

/** An exchange's announcement of a listing or delisting (the service's documentation, Content). */
export const ListingFlash = Type.Object(
  { ...flash, newsType: Type.Literal(2) },
  { ...exact, title: 'ListingFlash' },
)
export type ListingFlash = Static<typeof ListingFlash>

const news = {
  id: IdOf('article', Type.Integer()),
  title: Type.String(),
  describe: Type.String({ description: 'what it says, in a sentence' }),
  cover: Type.String({ description: 'address of a picture' }),
  createtime: TimeS('when it was published, s'),
  language: Type.Integer({ description: '10 or 0 Chinese, 11 English' }),
  columnist: Columnist,
}

/** An article in a list (the service's documentation, Content). */
export const NewsItem = Type.Object(news, { ...exact, title: 'NewsItem' })
export type NewsItem = Static<typeof NewsItem>

/** A whole article (the service's documentation, Content). */
export const NewsDetail = Type.Object(
  {
    ...news,
    content: Type.String({ description: 'HTML paragraphs' }),
    source: Type.Optional(Type.String({ description: 'its source' })),
  },
  { ...exact, title: 'NewsDetail' },
)
export type NewsDetail = Static<typeof NewsDetail>

/** News of other sites (the service's documentation, Content). */
export const RssItem = Type.Object(
  {
    title: Type.String(),
    description: Type.String(),
    image: Type.String({ description: 'address of a picture' }),
    pubDate: TimeS('when it was published, s'),
  },
  { ...exact, title: 'RssItem' },
)
export type RssItem = Static<typeof RssItem>

/** An insight into a coin (the service's documentation, Content); `predition` is its spelling. */
export const AiInsight = Type.Object(
  {
    coinKey: Type.String(),
    coinShow: Type.String({ description: 'ticker symbol' }),
    coinLogo: Type.String({ description: 'address of a picture' }),
    price: Decimal('price, USD'),
    degree: Decimal('change in 24 hours, percent'),
    interpret: Type.String({ description: 'what has happened' }),
    trend: Type.Union([Type.Literal('rise'), Type.Literal('fall')]),
    predition: Type.String({ description: 'what may come' }),
  },
  { ...exact, title: 'AiInsight' },
)
export type AiInsight = Static<typeof AiInsight>
