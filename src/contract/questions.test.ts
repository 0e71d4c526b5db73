import { expect, test } from 'bun:test'
import { publicAccess } from './access.ts'
import type { Operation } from './operation.ts'
import { C } from './operation.ts'
import { declareQuestions } from './questions/question.ts'
import { type Answers, type ByAnswer, byAnswer, DEFAULT_ANSWERS, readAnswers } from './questions.ts'

// The type checker checks what must not compile: an expected error that does not occur is one.
test('a misspelt answer or question does not compile', () => {
  // @ts-expect-error no answer is spelt so
  expect(DEFAULT_ANSWERS['nonce-reuse'] === 'acept').toBe(false)
  // @ts-expect-error no question is spelt so
  expect(DEFAULT_ANSWERS['nonce-reused']).toBeUndefined()
  // @ts-expect-error no answer is spelt so
  const answers: Partial<Answers> = { 'nonce-reuse': 'rejects' }
  expect(answers).toBeDefined()
})

test('a value that depends on an answer names an existing one', () => {
  const served: Operation['servedWhen'][] = [
    { question: 'sub-key-paths', answer: 'mirrored' },
    // @ts-expect-error no answer is spelt so
    { question: 'sub-key-paths', answer: 'mirored' },
    // @ts-expect-error that answer is another question's
    { question: 'sub-key-paths', answer: 'accept' },
  ]
  const envelopes: Operation['envelopeByAnswer'][] = [
    { question: 'level-delete-answer', is: { bare: C(null) } },
    // @ts-expect-error no answer is spelt so
    { question: 'level-delete-answer', is: { bear: C(null) } },
  ]
  const accesses: Operation['accessByAnswer'][] = [
    { question: 'index-info-signature', is: { open: publicAccess } },
    // @ts-expect-error no answer is spelt so
    { question: 'index-info-signature', is: { opened: publicAccess } },
  ]
  expect([served, envelopes, accesses].map(({ length }) => length)).toEqual([3, 2, 2])
})

test('the chosen answer is one of the answers', () => {
  const question = { question: '?', source: '', why: '', answers: { yes: '', no: '' } } as const
  declareQuestions({ sure: { ...question, chosen: 'yes' } })
  // @ts-expect-error no answer is spelt so
  declareQuestions({ sure: { ...question, chosen: 'maybe' } })
})

test('a value that depends on an answer follows the answer in force', () => {
  const of: ByAnswer<number> = { question: 'nonce-reuse', is: { reject: 1 } }
  expect(byAnswer(of, { ...DEFAULT_ANSWERS, 'nonce-reuse': 'reject' })).toBe(1)
  expect(byAnswer(of, DEFAULT_ANSWERS)).toBeUndefined()
})

test('answers from outside are read, unknown ones are refused', () => {
  expect(readAnswers({ 'nonce-reuse': 'reject' })).toEqual({ 'nonce-reuse': 'reject' })
  expect(() => readAnswers({ 'nonce-reuse': 'toString' })).toThrow(
    'question "nonce-reuse" cannot be answered "toString"; use accept or reject',
  )
  expect(() => readAnswers({ constructor: 'reject' })).toThrow(
    'no open question "constructor"; there are account-mode',
  )
})

test('a long name or answer is cut where it is quoted', () => {
  const long = 'n'.repeat(100_000)
  expect(() => readAnswers({ [long]: 'x' })).toThrow(`no open question "${long.slice(0, 100)}"`)
  expect(() => readAnswers({ 'over-rate': long })).toThrow(`answered "${long.slice(0, 100)}"`)
})
