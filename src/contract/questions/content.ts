/** Open questions: news and flashes. */
import { declareQuestions } from './question.ts'

export const CONTENT_QUESTIONS = declareQuestions({
  'flash-createtime': {
    question: 'Which industry flashes does `createtime` select?',
    source: 'Content: a parameter without a meaning',
    chosen: 'older',
    why:
      'New flashes are added at the head of the list, so a reader needs older ones for the ' +
      'next page.',
    answers: {
      older: 'Flashes published before it.',
      newer: 'Flashes published after it.',
    },
  },
  'news-absent': {
    question: 'What does news-detail answer for an unknown id?',
    source: 'Content: not specified; the service was seen to answer with error code 403',
    chosen: '403',
    why: 'The contract says nothing, so the observed answer is used.',
    answers: {
      '403': 'HTTP 200 with `success` false and `errorCode` 403.',
      '404': 'HTTP 404 with `errorCode` 404.',
      null: 'Success with `data` null, as orders by id do.',
    },
  },
  'news-language': {
    question: 'Which of the two documented numbers is the `language` of Chinese news?',
    source: 'News list item: "10 or 0 Chinese"',
    chosen: '10',
    why: 'It is named first, together with 11 for English.',
    answers: { '10': '10.', '0': '0.' },
  },
  'news-list-language': {
    question: 'Which language do the articles of the news list have?',
    source: 'Content: no parameter; News list item: `language` 10 or 0 Chinese, 11 English',
    chosen: 'both',
    why: 'Each article names its language, so a client has to know both.',
    answers: { both: 'Each in its own.', cn: 'All in Chinese.', en: 'All in English.' },
  },
  'rss-language': {
    question: 'Which language do the news of other sites have?',
    source: 'Content: no parameter; RSS news item: no language',
    chosen: 'cn',
    why: 'An item does not name its language, and content is Chinese by default.',
    answers: { cn: 'All in Chinese.', en: 'All in English.', both: 'Each in its own.' },
  },
})
