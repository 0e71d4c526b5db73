/** `tape import` with its flags. */
import { IMPORT_FORMS } from '../../../tape/importers/importer.ts'
import type { Declaration } from '../command.ts'
import { file, given, text, wholeNumber } from '../flag.ts'
import { out } from './declarations.ts'

export const TAPE_IMPORT = {
  name: 'tape import',
  summary: 'convert recordings to a tape',
  about:
    'Converts recordings to a tape: files (plain, gzip, zstd or lz4; text or Parquet), folders, ' +
    'http://, https:// and s3:// addresses. docs/importing.md describes the formats.',
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
      about: `format of the recordings: ${Object.entries(IMPORT_FORMS)
        .map(([name, summary]) => `${name}, ${summary}`)
        .join('; or ')}`,
      completes: Object.keys(IMPORT_FORMS),
      absent: 'recognised for each file',
      perRun: true,
    }),
    map: file({
      about: 'meaning and unit of columns and fields, and kind of each file, as YAML',
      absent: 'none',
      perRun: true,
    }),
    coin: text('COIN', {
      about: 'name of the coin, if a file does not contain it',
      absent: 'from the name of the file',
      perRun: true,
    }),
    contract: text('SYMBOL=SIZE', {
      about:
        'size of one contract, in coins or dollars, if sizes are in contracts: 0.01 or 100usd; ' +
        'once for each symbol',
      absent: 'sizes are in coins',
      repeatable: true,
      perRun: true,
    }),
    tolerate: wholeNumber(
      { min: 0, max: Number.MAX_SAFE_INTEGER },
      { about: 'skip at most this many invalid lines', default: 0, perRun: true },
    ),
    resync: given(
      "after a gap in the book's changes, continue at the next full book instead of failing",
    ),
    resume: given('save progress beside the tape, and continue from there after an interruption'),
    requesterPays: given('pay for reading a bucket, as some archives require'),
  },
  examples: [
    {
      words: 'tape import monday.log --out monday.tape.ndjson.zst',
      does: 'recognise the format',
    },
    {
      words: 'tape import monday.log tuesday.log --from venue-native --out both.tape.ndjson.zst',
      does: 'two consecutive files',
    },
    {
      words: 'tape import archive/ --tolerate 10 --out archive.tape.ndjson.zst',
      does: 'every file of a folder, ordered by time',
    },
    {
      words: 'tape import mine.csv --map mine.yaml --out mine.tape.ndjson.zst',
      does: 'your own format',
    },
  ],
} as const satisfies Declaration

export const TAPE_EXPORT = {
  name: 'tape export',
  summary: 'convert a recording to a HAR document',
  about:
    'Writes the requests, answers and sockets of a recording as a HAR document with ' +
    'WebSocket messages, for the developer tools of a browser. A recording has no secrets.',
  argument: { placeholder: 'TAPE', noun: 'tape', min: 1, max: 1, completes: 'tape' },
  flags: {
    out: file({ about: 'the HAR document to write', required: true, perRun: true }),
  },
  examples: [
    {
      words: 'tape export afternoon.tape.ndjson --out afternoon.har',
      does: 'a HAR document for a browser',
    },
  ],
} as const satisfies Declaration
