/** Open questions: features of the whole market. */
import { declareQuestions } from './question.ts'

export const MIX_QUESTIONS = declareQuestions({
  'fundco-scale-unit': {
    question: 'What do the totals of the fund trusts count?',
    source: 'Fund-scale: `total` and `day_change` without a unit',
    chosen: 'coin',
    why: 'A trust is known by the coins that it holds, and most of the nine have no price here.',
    answers: {
      coin: 'Coins.',
      usd: 'Dollars; coins without a price are left out.',
    },
  },
  'nav-trades': {
    question: 'What are the `trades` of a navigation item?',
    source: 'Navigation item: an array without a form',
    chosen: 'recent',
    why: 'Its name says so.',
    answers: {
      recent: "The newest trades of the pair; none of an index. The form is this sandbox's own.",
      empty: 'Always an empty array.',
    },
  },
  'stock-market-form': {
    question: 'Is the stock market one record or a list of them?',
    source: 'Stock-market: only the names of the fields',
    chosen: 'one',
    why: 'The other details are one record, and the contract shows this one the same way.',
    answers: {
      one: '`detail` is one record, that of the index of crypto-related stocks.',
      list: '`detail` is a list: the indexes, then one record a stock.',
    },
  },
})
