/** Open questions: features of the whole market. */
import { declareQuestions } from './question.ts'

export const MIX_QUESTIONS = declareQuestions({
  'fundco-scale-unit': {
    question: 'What is the unit of the totals of the fund trusts?',
    source: 'Fund-scale: `total` and `day_change` without a unit',
    chosen: 'coin',
    why:
      'A trust is described by the coins that it holds, and most of the nine have no price ' +
      'here.',
    answers: {
      coin: 'Coins.',
      usd: 'Dollars; coins without a price are omitted.',
    },
  },
  'nav-trades': {
    question: 'What are the `trades` of a navigation item?',
    source: 'Navigation item: an array without a form',
    chosen: 'recent',
    why: 'The name of the field says so.',
    answers: {
      recent: 'The newest trades of the pair; none for an index. The form is our own choice.',
      empty: 'Always an empty array.',
    },
  },
  'stock-market-form': {
    question: 'Is the stock market one record or a list of records?',
    source: 'Stock-market: only the names of the fields',
    chosen: 'one',
    why: 'The other details are one record, and the contract shows this one in the same way.',
    answers: {
      one: '`detail` is one record: the index of crypto-related stocks.',
      list: '`detail` is a list: the indexes, then one record for each stock.',
    },
  },
})
