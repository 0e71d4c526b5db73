/** Hashes of transactions that no tape names: each follows from an order's number. */
import { hexText, mixedWord, putWord } from './hex-words.ts'

/**
 * The hash of the transaction that placed an order, or that cancelled it: 0x + 64 hex. The trades
 * of a taker order have the hash of its placing.
 */
export function transactionHash(oid: number, cancelled = false): string {
  const seed = cancelled ? ~seedOf(oid) : seedOf(oid)
  for (let word = 0; word < WORDS; word++) putWord(word, wordOf(seed, word))
  return hexText(WORDS)
}

/** A hash as a query gives it: in words, or as the number of the order that it follows from. */
export const hashText = (hash: string | number): string =>
  typeof hash === 'string' ? hash : transactionHash(hash)

/** The last 32 bits of the hash of the transaction that placed an order. */
export const hashTail = (oid: number): number => wordOf(seedOf(oid), WORDS - 1)

const WORDS = 8

const seedOf = (oid: number) =>
  Math.imul(oid | 0, 0x9e3779b1) ^ Math.imul((oid / 2 ** 32) | 0, 0x85ebca6b)

function wordOf(seed: number, word: number): number {
  const state = (seed + Math.imul(word + 1, 0x9e3779b9)) | 0
  return mixedWord(state ^ Math.imul(word + 1, 0xc2b2ae35))
}
