/** `tape import` with its flags. */
import { IMPORT_FORMS } from '../../tape/importers/forms.ts'
import type { Declaration } from '../command.ts'
import { file, given, text, wholeNumber } from '../flag.ts'
import { out } from './declarations.ts'

export const TAPE_IMPORT = {
  name: 'tape import',
  summary: 'make a tape of recordings',
  about:
    'Makes a tape of recordings: files (plain, gzip, zstd or lz4; text or Parquet), folders, ' +
    'http://, https:// and s3:// addresses. docs/importing.md has the forms.',
  argument: {
    placeholder: 'SOURCE',
    noun: 'source',
    min: 1,
    max: Number.POSITIVE_INFINITY,
    completes: 'file',
  },
  flags: {
    out,
    from: text('FORM', {
      about: `the form of the recordings: ${Object.entries(IMPORT_FORMS)
        .map(([name, summary]) => `${name}, ${summary}`)
        .join('; or ')}`,
      completes: Object.keys(IMPORT_FORMS),
      absent: 'recognised, of each file',
      perRun: true,
    }),
    map: file({
      about: 'which column or field is what, in which unit, which file holds which kind: YAML',
      absent: 'none',
      perRun: true,
    }),
    coin: text('COIN', {
      about: 'what the coin is called where a file does not say it',
      absent: 'the name of the file says it',
      perRun: true,
    }),
    contract: text('SYMBOL=SIZE', {
      about:
        'what a contract is worth where sizes are contracts, coins or dollars: 0.01 or 100usd; ' +
        'once for each symbol',
      absent: 'sizes are coins',
      repeatable: true,
      perRun: true,
    }),
    tolerate: wholeNumber(
      { min: 0, max: Number.MAX_SAFE_INTEGER },
      { about: 'leave out so many lines that cannot be right', default: 0, perRun: true },
    ),
    resync: given(
      "after a break in the book's changes, go on at the next full book; else a break is refused",
    ),
    resume: given(
      'keep what is done beside the tape when the import is interrupted, and go on from there',
    ),
    requesterPays: given('pay for reading a bucket, which some archives ask for'),
  },
  examples: [
    {
      words: 'tape import monday.log --out monday.tape.ndjson.zst',
      does: 'the form is recognised',
    },
    {
      words: 'tape import monday.log tuesday.log --from venue-native --out both.tape.ndjson.zst',
      does: 'two files that follow one another',
    },
    {
      words: 'tape import archive/ --tolerate 10 --out archive.tape.ndjson.zst',
      does: 'every file of a folder, in order of time',
    },
    {
      words: 'tape import mine.csv --map mine.yaml --out mine.tape.ndjson.zst',
      does: 'a form of your own',
    },
  ],
} as const satisfies Declaration

export const TAPE_EXPORT = {
  name: 'tape export',
  summary: 'make a HAR document of a recording',
  about:
    'Writes what a recording has of requests, answers and sockets as a HAR document with ' +
    "WebSocket messages, which browsers' tools load. Secrets are out of a recording already.",
  argument: { placeholder: 'TAPE', noun: 'tape', min: 1, max: 1, completes: 'tape' },
  flags: {
    out: file({ about: 'the HAR document to write', required: true, perRun: true }),
  },
  examples: [
    { words: 'tape export afternoon.tape.ndjson --out afternoon.har', does: 'for the browser' },
  ],
} as const satisfies Declaration
