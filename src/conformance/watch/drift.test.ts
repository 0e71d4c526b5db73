import { expect, test } from 'bun:test'
import { afterLook, driftSince, type Look, seenForm } from './drift.ts'

/** A pass over one operation whose contract declares `coin` and `price`, required texts. */
const tickers = (rows: unknown, outcome = 'HTTP 200'): Look => ({
  forms: { 'perpdex.tickers': { outcome, form: seenForm({ data: rows }, []) } },
  questions: {},
})

const BTC = { coin: 'BTC', price: '101' }

test('different values are no drift', () => {
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

test('an empty list is no evidence of its contents', () => {
  expect(driftSince(tickers([BTC]), tickers([]))).toEqual([])
  expect(driftSince(tickers([]), tickers([BTC]))).toEqual([])
})

test('a field of some rows is known after the pass that saw it', () => {
  const both = afterLook(tickers([{ ...BTC, mark: '1' }]), tickers([BTC]))
  expect(driftSince(both, tickers([{ ...BTC, mark: '1' }]))).toEqual([])
  expect(driftSince(both, tickers([BTC]))).toEqual([])
})

test('a refusal is reported separately, and its form stays known afterwards', () => {
  const refused = tickers(null, 'HTTP 403')
  expect(driftSince(tickers([BTC]), refused)).toEqual([
    'perpdex.tickers: HTTP 200 before, HTTP 403',
  ])
})

test('a different answer to an open question is drift, a missing one is not', () => {
  const look = (questions: Record<string, string>): Look => ({ forms: {}, questions })
  const before = look({ 'nonce-reuse': 'accept' })
  expect(driftSince(before, look({ 'nonce-reuse': 'reject' }))).toEqual([
    'open question nonce-reuse: accept before, reject now',
  ])
  expect(driftSince(before, look({}))).toEqual([])
  expect(afterLook(before, look({})).questions).toEqual({ 'nonce-reuse': 'accept' })
})
