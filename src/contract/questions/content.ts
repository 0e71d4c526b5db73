/** Open questions: news and flashes. */
import { declareQuestions } from './question.ts'

export const CONTENT_QUESTIONS = declareQuestions({
  'flash-createtime': {
    question: 'Which industry flashes does `createtime` ask for?',
    source: 'Content: a parameter without a meaning',
    chosen: 'older',
    why: 'It is how a reader asks for the next page of a list that grows at its head.',
    answers: {
      older: 'Those published before it.',
      newer: 'Those published after it.',
    },
  },
  'news-absent': {
    question: 'What does news-detail answer for an id that there is not?',
    source: 'Content: not said; the service was seen to answer with error code 403',
    chosen: '403',
    why: 'What was seen counts where the contract is silent.',
    answers: {
      '403': 'HTTP 200 with `success` false and `errorCode` 403.',
      '404': 'HTTP 404 with `errorCode` 404.',
      null: 'Success with `data` null, as orders by id do.',
    },
  },
  'news-language': {
    question: 'Which of its two numbers does `language` of Chinese news have?',
    source: 'News list item: "10 or 0 Chinese"',
    chosen: '10',
    why: 'It is named first, and stands beside 11 for English.',
    answers: { '10': '10.', '0': '0.' },
  },
  'news-list-language': {
    question: 'In which language are the articles of the news list?',
    source: 'Content: no parameter; News list item: `language` 10 or 0 Chinese, 11 English',
    chosen: 'both',
    why: 'Each article says its language, so a client has to know both.',
    answers: { both: 'Each in its own.', cn: 'All in Chinese.', en: 'All in English.' },
  },
  'rss-language': {
    question: 'In which language are the news of other sites?',
    source: 'Content: no parameter; RSS news item: no language',
    chosen: 'cn',
    why: 'An item does not say its language, and content is Chinese where nothing is asked for.',
    answers: { cn: 'All in Chinese.', en: 'All in English.', both: 'Each in its own.' },
  },
})
