import { wording } from '../../shell/words.ts'

export const say = wording({
  title: ['News', '资讯'],
  about: [
    'Articles, newsflashes and listings in three languages',
    '三种语言的文章、快讯与上币公告',
  ],
  newsflash: ['Newsflashes', '快讯'],
  industry: ['Market alerts', '行业快讯'],
  listings: ['Listings and delistings', '上币与下币'],
  articles: ['Articles', '文章'],
  rss: ['Other sites', '其他网站'],
  language: ['Language', '语言'],
  en: ['English', '英语'],
  cn: ['Simplified Chinese', '简体中文'],
  tc: ['Traditional Chinese', '繁体中文'],
  source: ['Source: {source}', '来源：{source}'],
  gone: ['There is no such article.', '文章不存在。'],
  noNews: ['Nothing yet', '暂无内容'],
})
