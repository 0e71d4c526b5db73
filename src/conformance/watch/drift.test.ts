import { expect, test } from 'bun:test'
import { afterLook, driftSince, type Look, seenForm } from './drift.ts'

/** A look at one operation whose contract declares `coin` and `price`, texts that are there. */
const tickers = (rows: unknown, outcome = 'HTTP 200'): Look => ({
  forms: { 'perpdex.tickers': { outcome, form: seenForm({ data: rows }, []) } },
  questions: {},
})

const BTC = { coin: 'BTC', price: '101' }

test('what is alike but for values is no drift', () => {
  expect(driftSince(tickers([BTC]), tickers([BTC, { coin: 'ETH', price: '7' }]))).toEqual([])
})

test('a new field, a changed type and a field that is gone are drift', () => {
  expect(driftSince(tickers([BTC]), tickers([{ ...BTC, mark: '100' }]))).toEqual([
    'perpdex.tickers: data[].mark is new, text',
  ])
  expect(driftSince(tickers([BTC]), tickers([{ coin: 'BTC', price: 101 }]))).toEqual([
    'perpdex.tickers: data[].price was text, and is number',
  ])
  expect(driftSince(tickers([BTC]), tickers([{ coin: 'BTC' }]))).toEqual([
    'perpdex.tickers: data[].price is gone',
  ])
  expect(driftSince(tickers([BTC]), tickers([BTC, { coin: 'ETH' }]))).toEqual([
    'perpdex.tickers: data[].price was always there, and is not always',
  ])
})

test('an empty list says nothing of what would be in it', () => {
  expect(driftSince(tickers([BTC]), tickers([]))).toEqual([])
  expect(driftSince(tickers([]), tickers([BTC]))).toEqual([])
})

test('what some rows have was known after the look that saw it', () => {
  const both = afterLook(tickers([{ ...BTC, mark: '1' }]), tickers([BTC]))
  expect(driftSince(both, tickers([{ ...BTC, mark: '1' }]))).toEqual([])
  expect(driftSince(both, tickers([BTC]))).toEqual([])
})

test('a refusal is told by itself, and what it was refused is known still afterwards', () => {
  const refused = tickers(null, 'HTTP 403')
  expect(driftSince(tickers([BTC]), refused)).toEqual([
    'perpdex.tickers: HTTP 200 before, HTTP 403',
  ])
})

test('an open question that is answered otherwise is drift, one that is not seen is none', () => {
  const look = (questions: Record<string, string>): Look => ({ forms: {}, questions })
  const before = look({ 'nonce-reuse': 'accept' })
  expect(driftSince(before, look({ 'nonce-reuse': 'reject' }))).toEqual([
    'open question nonce-reuse: accept before, reject now',
  ])
  expect(driftSince(before, look({}))).toEqual([])
  expect(afterLook(before, look({})).questions).toEqual({ 'nonce-reuse': 'accept' })
})
