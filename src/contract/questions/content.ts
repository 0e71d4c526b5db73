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
})
