import { expect, test } from 'bun:test'
import { jsonLines } from '../../src/pages/console/json/json-lines.ts'

const shown = (text: string) =>
  jsonLines(text).map(({ depth, text: line }) => ' '.repeat(depth) + line)

test('each field has a line, and its path', () => {
  const lines = jsonLines('{"code":"0","data":[{"coin":"BTC","tags":[],"at":{}}]}')
  expect(lines.map(({ depth, text }) => ' '.repeat(depth) + text)).toEqual([
    ...['{', ' "code": "0",', ' "data": [', '  {', '   "coin": "BTC",', '   "tags": [],'],
    ...['   "at": {}', '  }', ' ]', '}'],
  ])
  expect(lines.map(({ path }) => path).filter(Boolean)).toEqual([
    ...['code', 'data', 'data.[].coin', 'data.[].tags', 'data.[].at'],
  ])
})

test('truncated JSON is shown as far as it goes, and other text unchanged', () => {
  expect(shown('{"a":[1,{"b":"x')).toEqual(['{', ' "a": [', '  1,', '  {', '   "b": "x'])
  expect(shown('<p>away</p>')).toEqual(['<p>away</p>'])
  expect(shown('null')).toEqual(['null'])
})

test('punctuation inside texts is no token', () => {
  expect(shown('{"a":"{[,:]}","b\\"c":1}')).toEqual(['{', ' "a": "{[,:]}",', ' "b\\"c": 1', '}'])
})
