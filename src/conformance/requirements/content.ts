import { byAnswers, byValues, type Requirement, requirementsOfSection } from './requirement.ts'

/** News and flashes. */
export const CONTENT: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Content', {
    'content.aiCoins.languages': 'language of AI insights is CN, EN or TC, and CN by default.',
    'content.aiCoins.bodySignature':
      'POST /content/ai-coins takes the four signature values inside the body.',
    'content.newsflash.languages': byValues(
      'language of newsflashes is cn, tc or en.',
      'content.newsflash',
    ),
    'content.listing.memberIds':
      'memberIds are repeated as memberIds[] or separated by commas, with the same answer.',
    'content.listing.default': 'memberIds are 477 and 1509 by default.',
  }),
  ...requirementsOfSection('Resources: Content', {
    'record.columnist': byAnswers(
      'A columnist has nick_name, avatar and avatar_black as text.',
      'content.newsflash',
      'content.newsList',
      'content.flashList',
    ),
    'record.newsflash': byAnswers(
      'A newsflash has a whole id and createtime, texts and a columnist.',
      'content.newsflash',
    ),
    'record.flash': byAnswers(
      'An industry flash is a newsflash with a whole flashType.',
      'content.flashList',
    ),
    'record.flash.types': 'flashType is one of the listed numbers.',
    'record.listing': byAnswers(
      'A listing flash has id, title, content, language, createtime and newsType 2.',
      'content.exchangeListingFlash',
    ),
    'record.news': byAnswers(
      'An item of the news list has id, texts, a whole language of 0, 10 or 11 and a ' +
        'columnist.',
      'content.newsList',
    ),
    'record.newsDetail': byAnswers(
      'The detail of a news item has its content too.',
      'content.newsDetail',
    ),
    'record.rss': byAnswers(
      'An RSS item has title, description and image as text and a whole pubDate.',
      'content.rssNewsList',
    ),
    'record.insight': byAnswers(
      'An AI insight has coin, price, degree, interpretation, trend and predition, so ' + 'spelt.',
      'content.aiCoins',
    ),
    'record.insight.trend': 'trend of an AI insight is rise or fall.',
  }),
]
