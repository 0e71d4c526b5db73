/** The flags of `tapewright conform`. */
import type { Declaration } from '../command.ts'
import { file, given, span, text, wholeNumber } from '../flag.ts'

const key = (about: string) => text('K', { about })
const secret = (about: string) => text('S', { about, secret: true })

export const CONFORM = {
  name: 'conform',
  summary: 'check a service against the contract',
  about:
    'Checks a service against the contract, black box, over HTTP and WebSocket. It needs ' +
    '--target or --watch with --key and --secret, or --control, or --recording. Codes: 0 all ' +
    'passed, 1 something failed, ' +
    '2 it could not run, or not to its end (reports are written too); 130 it was interrupted.',
  section: 'conform',
  flags: {
    target: text('URL', { about: 'where the service is; the base URL of a sandbox too' }),
    key: key('a key that may do everything'),
    secret: secret('its secret'),
    partnerKey: key("a distributor's, for what only it may do"),
    partnerSecret: secret('its secret'),
    subKey: key('a sub key whose level grants something'),
    subSecret: secret('its secret'),
    bareKey: key('a sub key whose level grants nothing'),
    bareSecret: secret('its secret'),
    invite: text('TOKEN', { about: 'an invite token that may be used up', secret: true }),
    control: text('URL', {
      about:
        'control plane of a stand-in, such as http://127.0.0.1:4010/_control: a sandbox of its ' +
        'own is made, checked and dropped; no other flag is needed, but TAPEWRIGHT_CONTROL_TOKEN ' +
        'where it wants one',
    }),
    recording: file({
      about:
        'a tape that record has written, in place of a target: all that it has is judged, and ' +
        'nothing is asked; may be given again',
      repeatable: true,
      perRun: true,
    }),
    diff: text('URL', {
      about: 'another target, with the same keys: where the forms of answers differ',
      perRun: true,
    }),
    watch: text('URL', {
      about:
        'in place of --target: looks at it again and again, changes nothing there, and tells ' +
        'what has changed since the looks before: fields, types, answers to open questions',
      perRun: true,
    }),
    every: span(
      { min: '10s', max: '7d' },
      { about: 'how often --watch looks', absent: '1h', perRun: true },
    ),
    watchFile: file({
      about: 'where --watch keeps what it has seen; the first look at a target makes it',
      default: 'tapewright-watch.json',
      perRun: true,
    }),
    only: text('TEXT', {
      about: 'cases whose id begins so, such as answer.perpdex; may be given again',
      repeatable: true,
    }),
    exclude: text('TEXT', {
      about: 'leaves out cases whose id begins so; may be given again',
      repeatable: true,
    }),
    expect: text('"ID until DAY: REASON"', {
      about:
        'a case that may fail until that day, such as "answer.coin.ticker.1 until 2027-01-31: ' +
        'known there"; may be given again',
      repeatable: true,
    }),
    baseline: file({ about: 'a JSON report of an earlier run: what failed there may fail' }),
    cast: file({
      about:
        'addresses, coins, symbols, orders, builders and twapIds to ask the target about, each a ' +
        'list, as YAML or JSON; beside --target',
    }),
    observe: file({
      about: 'also writes how the target answers the open questions, for serve --questions FILE',
      perRun: true,
    }),
    report: text('FORM[=FILE]', {
      about:
        'junit, html, json or md, and the file; or github alone, for annotations on standard ' +
        'output and the summary of the job; may be given again',
      repeatable: true,
    }),
    patience: wholeNumber(
      { min: 0, max: 600_000, unit: 'MS' },
      {
        about:
          'longest wait for something to happen by itself; with 60000 the idle rule is looked at ' +
          'without a control plane too',
        default: 5000,
      },
    ),
    rate: wholeNumber(
      { min: 1, max: 1_000_000, unit: 'N' },
      {
        about: 'requests a minute at most',
        absent:
          'as many as the target answers: what it refuses as too many waits and is sent again',
      },
    ),
    concurrency: wholeNumber(
      { min: 1, max: 64, unit: 'N' },
      { about: 'cases that are looked at at a time', default: 8 },
    ),
    timeout: wholeNumber(
      { min: 100, max: 600_000, unit: 'MS' },
      { about: 'how long an answer may take, to a request or to a frame', default: 15_000 },
    ),
    retries: wholeNumber(
      { min: 0, max: 100, unit: 'N' },
      {
        about: 'how often two answers of a moving market are compared again before they differ',
        default: 12,
      },
    ),
    seed: wholeNumber(
      { min: 0, max: 2_147_483_647, unit: 'N' },
      {
        about:
          'puts the cases into an order of its own, and the clock of a sandbox made for the run ' +
          'at the same instant every time',
        absent: 'as they are written',
      },
    ),
    quiet: given('no line for each failure'),
    json: given('the closing line as JSON'),
  },
  examples: [
    {
      words:
        'conform --control http://127.0.0.1:4010/_control --only answer.coin ' +
        '--report html=report.html',
      does: 'some cases, against a sandbox of its own of a server that runs, with a report',
    },
    {
      words: 'conform --recording session.tape.ndjson --observe observed.json',
      does: 'what a client was told while it was recorded; what that shows of the open questions',
    },
    {
      words:
        'conform --target http://127.0.0.1:4010 --key demo --secret demo-secret ' +
        '--only access --json',
      does: 'what keys may do, at anything that claims to be the service; the counts as JSON',
    },
  ],
} as const satisfies Declaration
